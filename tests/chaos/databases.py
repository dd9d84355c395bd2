"""The databases under fault: their addresses for services, and a look into their tables for us."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psycopg
from psycopg.rows import tuple_row

from tests.chaos.postgres import FaultyServer

Row = tuple[object, ...]

OPEN_ANALYSES = "SELECT count(*) FROM monitor_requests WHERE session_id = {} AND outcome = ''"
_RUNNING = "SELECT session_id, turn_id, attempt FROM attempts WHERE state IN ('running')"
_UNDONE = "SELECT turn_id FROM attempts WHERE state IN ('running', 'asked_again')"


class Database(Protocol):
    """Where services keep sessions."""

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`."""

    @property
    def address(self) -> str:
        """Where it is, as the services take it."""

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return what a query finds; `{}` is a value's placeholder."""


@dataclass(slots=True)
class SqliteDatabase:
    """A file in a folder of the fault's own."""

    path: Path
    kind: str = "sqlite"

    @property
    def address(self) -> str:
        """The path."""
        return str(self.path)

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return what a query finds."""
        address = f"file:{self.path}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=10)) as connection:
            found = connection.execute(query.replace("{}", "?"), tuple(map(str, values)))
            return [tuple(row) for row in found]


@dataclass(slots=True)
class PostgresDatabase:
    """A database of a server of ours; services may reach it through another port."""

    server: FaultyServer
    name: str
    port: int = 0
    """Of a line between the services and the server; 0: directly."""
    host: str = ""
    kind: str = "postgresql"

    @property
    def address(self) -> str:
        """The address services take."""
        return self.server.url(self.name, port=self.port, host=self.host)

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return what a query finds, asked of the server directly."""
        address = self.server.url(self.name)
        with psycopg.connect(address, autocommit=True, row_factory=tuple_row) as connection:
            found = connection.execute(query.replace("{}", "%s").encode(), list(values))
            return [tuple(row) for row in found.fetchall()]


def running_turns(database: Database) -> dict[str, str]:
    """Return the turns that run, or whose holder has died: turn → session."""
    return {str(turn): str(session) for session, turn, _ in database.rows(_RUNNING)}


def undone_among(database: Database, turns: Sequence[str]) -> list[str]:
    """Return those of the turns that have not ended."""
    undone = {str(row[0]) for row in database.rows(_UNDONE)}
    return [turn for turn in turns if turn in undone]


def analyses_open(database: Database, session_id: str) -> int:
    """Return how many analyses of a session have not ended."""
    (row,) = database.rows(OPEN_ANALYSES, session_id)
    return int(str(row[0]))
