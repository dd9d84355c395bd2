"""A PostgreSQL server of the benchmark's own, as safe as one in use: its syncs are on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.postgres import PostgresServer

_SETTINGS = {"listen_addresses": "", "shared_buffers": "128MB", "max_connections": "100"}


class BenchServer(PostgresServer):
    """One server, reached by a socket in its own folder."""

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = _SETTINGS | {"unix_socket_directories": str(self.folder)}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        log = self.folder / "log"
        self.run("pg_ctl", "start", "--wait", "-D", self.data, "-l", log, "-o", options)

    def database(self, name: str) -> str:
        """Make an empty database and return its address."""
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


@contextmanager
def postgres() -> Iterator[BenchServer | None]:
    """Run a server for the length of a block; None where PostgreSQL is not installed."""
    programs = _programs()
    if programs is None:
        yield None
        return
    server = BenchServer(programs)
    server.start()
    try:
        yield server
    finally:
        server.remove()


def bytes_of(address: str) -> int:
    """Return the bytes of a whole database, indexes and free space too."""
    with psycopg.connect(address) as db:
        row = db.execute("SELECT pg_database_size(current_database())").fetchone()
    assert row is not None
    return int(row[0])


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).parent if named else None
