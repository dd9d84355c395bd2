"""A PostgreSQL server of our own: for one test run, on a socket of its own, gone afterwards."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import psycopg
import sqlalchemy as sa

from session_store.sql import (  # noqa: F401 - they fill the metadata
    tables,
    tables_going_back,
    tables_mind,
)
from session_store.sql.migrate import migrate
from session_store.sql.schema import metadata
from tests.support.require import lacking

TEMPLATE = "migrated"
"""The database that every test's is copied from."""
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "200",
    "autovacuum": "off",
}
"""For tests alone: nothing here needs to survive a crash of the machine."""


class PostgresServer:
    """One server: its data, its socket and its programs."""

    def __init__(self, programs: Path) -> None:
        """Make an empty cluster; `start` runs it."""
        self._programs = programs
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self.data = self.folder / "data"
        if self._user:
            shutil.chown(self.folder, self._user)
        self.run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "-D", self.data)

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = SETTINGS | {"unix_socket_directories": str(self.folder)}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        log = self.folder / "log"
        self.run("pg_ctl", "start", "--wait", "-D", self.data, "-l", log, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: `immediate` as a crash does, `fast` in good order."""
        self.run("pg_ctl", "stop", "--wait", "-D", self.data, "-m", mode)

    def remove(self) -> None:
        """Stop it and leave no file."""
        self.stop()
        shutil.rmtree(self.folder)

    def run(self, program: str, *arguments: str | Path) -> str:
        """Run one of PostgreSQL's programs as the server's user and return what it prints."""
        command = [str(self._programs / program), *map(str, arguments)]
        done = subprocess.run(
            command,
            user=self._user,
            cwd=self.folder,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if program != "pg_dump" else None,
            text=True,
        )
        assert done.returncode == 0, f"{program}: {done.stdout}"
        return done.stdout

    def url(self, database: str) -> str:
        """Return the address of a database, as the store takes it."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """Return a connection beside the store's, each statement a transaction."""
        return psycopg.connect(self.url(database), autocommit=True)

    def create(self, template: str = TEMPLATE) -> str:
        """Create a database and return its name."""
        name = f"test_{uuid4().hex}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        return name

    def drop(self, database: str) -> None:
        """Drop a database, whoever is connected."""
        with self.connect() as connection:
            connection.execute(f"DROP DATABASE {database} WITH (FORCE)".encode())

    def empty(self, database: str) -> None:
        """Delete every row the store has written."""
        with self.connect(database) as connection, connection.transaction():
            connection.execute("SET LOCAL lock_timeout = '2s'")
            for table in reversed(metadata.sorted_tables):
                connection.execute(f"DELETE FROM {table.name}".encode())


def new_server() -> PostgresServer:
    """Return a running server; the test is skipped where PostgreSQL is absent."""
    server = PostgresServer(_programs())
    server.start()
    return server


@cache
def shared_server() -> PostgresServer:
    """Return this process's server, with a migrated template; started when first asked for."""
    server = new_server()
    atexit.register(server.remove)
    with server.connect() as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}".encode())
    address = server.url(TEMPLATE).replace("postgresql://", "postgresql+psycopg://")
    engine = sa.create_engine(address, poolclass=sa.NullPool)
    with engine.begin() as db:
        migrate(db)
    return server


@contextmanager
def fresh_database() -> Iterator[str]:
    """Give the address of an empty migrated database that only this test has."""
    server, spare = shared_server(), _spare()
    name = spare.pop() if spare else server.create()
    yield server.url(name)
    try:
        server.empty(name)
    except psycopg.Error:  # the test left a lock behind
        server.drop(name)
    else:
        spare.append(name)


@cache
def _spare() -> list[str]:
    """Return the databases nobody uses: emptying one is ten times faster than making one."""
    return []


def _programs() -> Path:
    """Return the folder of the newest PostgreSQL's programs."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if found:
        return found[-1].parent
    installed = shutil.which("initdb")
    if installed is None:
        lacking("PostgreSQL is not installed")
    return Path(installed).parent
