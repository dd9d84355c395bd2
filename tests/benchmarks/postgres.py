"""A PostgreSQL server of the benchmark's own, as safe as one in use: its syncs are on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.postgres import PostgresServer, find_programs

_SETTINGS = {"listen_addresses": "", "shared_buffers": "128MB", "max_connections": "100"}


class BenchServer(PostgresServer):
    """One server, reached by a socket in its own folder."""

    def settings(self) -> dict[str, str]:
        """Return settings as safe as the defaults: syncs are on."""
        return _SETTINGS

    def database(self, name: str) -> str:
        """Make an empty database and return its address."""
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


@contextmanager
def postgres() -> Iterator[BenchServer | None]:
    """Run a server for the length of a block; None where PostgreSQL is not installed."""
    programs = find_programs()
    if programs is None:
        yield None
        return
    server = BenchServer(programs)
    server.start()
    try:
        yield server
    finally:
        server.remove()
