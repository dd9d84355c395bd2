"""A PostgreSQL server for faults: durable, on a socket and a port of its own, gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psycopg

from tests.chaos.processes import Lacking, free_port

SETTINGS = {
    "fsync": "off",  # processes are killed here, never the machine: the system keeps the pages
    "synchronous_commit": "on",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "restart_after_crash": "on",
    "max_wal_size": "64MB",
    "checkpoint_timeout": "30s",
}


def programs() -> Path:
    """Return the folder of the newest PostgreSQL's programs.

    Raises:
        Lacking: There is none.
    """
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if found:
        return found[-1].parent
    installed = shutil.which("initdb")
    if installed is None:
        raise Lacking("PostgreSQL is not installed")
    return Path(installed).parent


class PostgresServer:
    """One server with its own data."""

    def __init__(self, *, inside: Path | None = None, host: str = "127.0.0.1") -> None:
        """Make an empty cluster, in a folder of its own or `inside` one; `start` runs it."""
        self._programs = programs()
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        self.host = host
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="chaos-pg-", dir=inside))
        self.data = self.folder / "data"
        if self._user:
            shutil.chown(self.folder, self._user)
        self._run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "-D", self.data)
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 0.0.0.0/0 trust\n")

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = SETTINGS | {
            "unix_socket_directories": str(self.folder),
            "port": str(self.port),
            "listen_addresses": self.host,
        }
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        log = self.folder / "log"
        self._run("pg_ctl", "start", "--wait", "-D", self.data, "-l", log, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: `immediate` as a crash does, `fast` in good order."""
        with suppress(RuntimeError):  # it may be down already
            self._run("pg_ctl", "stop", "--wait", "-D", self.data, "-m", mode)

    def crash(self) -> None:
        """Kill the postmaster, and leave its children to notice."""
        pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGQUIT)

    def remove(self) -> None:
        """Stop it and leave no file."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def create(self) -> str:
        """Create an empty database and return its name."""
        name = f"chaos_{uuid4().hex[:12]}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return name

    def url(self, database: str, *, port: int = 0, host: str = "") -> str:
        """Return the address of a database over TCP, directly or through another port."""
        return f"postgresql://postgres@{host or self.host}:{port or self.port}/{database}"

    def _run(self, program: str, *arguments: str | Path) -> None:
        # Not `user=`: that forks, and a fork of a process in which gRPC runs may crash.
        become = ["runuser", "-u", self._user, "--"] if self._user else []
        done = subprocess.run(
            [*become, str(self._programs / program), *map(str, arguments)],
            cwd=self.folder, check=False, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if done.returncode:
            log = self.folder / "log"
            tail = log.read_text()[-1500:] if log.exists() else ""
            raise RuntimeError(f"{program} ({done.returncode}): {done.stdout}\n{tail}")
