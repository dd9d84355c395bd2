"""A PostgreSQL server for faults: durable, on a socket and a port of its own, gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from tests.chaos.processes import MissingTool, reserve_port
from tests.support.postgres import PostgresServer, find_programs

SETTINGS = {
    "fsync": "off",  # processes are killed here, never the machine: the system keeps the pages
    "synchronous_commit": "on",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "restart_after_crash": "on",
    "max_wal_size": "64MB",
    "checkpoint_timeout": "30s",
}


class FaultyServer(PostgresServer):
    """One server that clients reach over TCP, and that a fault may crash."""

    def __init__(self, *, inside: Path | None = None, host: str = "127.0.0.1") -> None:
        """Make an empty cluster, in a folder of its own or `inside` one; `start` runs it.

        Raises:
            MissingTool: PostgreSQL is not installed.
        """
        programs = find_programs()
        if programs is None:
            raise MissingTool("PostgreSQL is not installed")
        super().__init__(programs, inside=inside)
        self.host = host
        self._keeper = reserve_port()
        self.port = int(self._keeper.getsockname()[1])
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 0.0.0.0/0 trust\n")

    def settings(self) -> dict[str, str]:
        """Return settings that keep what is committed while processes are killed."""
        return SETTINGS | {"port": str(self.port), "listen_addresses": self.host}

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: `immediate` as a crash does, `fast` in good order."""
        with suppress(RuntimeError):  # it may be down already
            super().stop(mode)

    def crash(self) -> None:
        """Kill the postmaster, and leave its children to notice."""
        pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGQUIT)

    def remove(self) -> None:
        """Stop it and delete its files; a crashed child may still write some."""
        self.stop()
        self._keeper.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def create_empty(self) -> str:
        """Create an empty database and return its name."""
        name = f"chaos_{uuid4().hex[:12]}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return name

    def url(self, database: str, *, port: int = 0, host: str = "") -> str:
        """Return the address of a database over TCP, directly or through another port."""
        return f"postgresql://postgres@{host or self.host}:{port or self.port}/{database}"
