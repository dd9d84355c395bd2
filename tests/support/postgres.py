"""A PostgreSQL server of our own: for one test run, on a socket of its own, gone afterwards."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import psycopg
import sqlalchemy as sa

from session_store.sql.database import tables, tables_beside  # noqa: F401  they fill the metadata
from session_store.sql.database.migrate import migrate
from session_store.sql.database.schema import metadata
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
_AS_USER = """
import pwd, subprocess, sys
user = pwd.getpwnam(sys.argv[1])
command = sys.argv[2:]
done = subprocess.run(command, user=user.pw_uid, group=user.pw_gid, extra_groups=[], check=False)
sys.exit(done.returncode)
"""
# In a process of its own: `user=` makes subprocess fork, and a fork of a process in which gRPC
# runs may crash. No tool of /usr/sbin is needed, which root's PATH may lack.


class PostgresServer:
    """One server: its data, its socket and its programs."""

    def __init__(self, programs: Path, *, inside: Path | None = None) -> None:
        """Make an empty cluster, in a folder of its own or `inside` one; `start` runs it."""
        self._programs = programs
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=inside))
        self.data = self.folder / "data"
        if self._user:
            shutil.chown(self.folder, self._user)
        # The same anywhere: the language of whoever runs the tests may not be installed.
        alike = ("--no-locale", "--encoding=UTF8", "--auth=trust", "--username=postgres")
        self.run("initdb", "--no-sync", *alike, "-D", self.data)

    def settings(self) -> dict[str, str]:
        """Return the settings it starts with, its socket's folder aside."""
        return SETTINGS

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = self.settings() | {"unix_socket_directories": str(self.folder)}
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
        """Run one of PostgreSQL's programs as the server's user and return what it prints.

        Raises:
            RuntimeError: It failed; the text has its output and the end of the server's log.
        """
        become = [sys.executable, "-I", "-S", "-c", _AS_USER, self._user] if self._user else []
        done = subprocess.run(
            [*become, str(self._programs / program), *map(str, arguments)],
            cwd=self.folder,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if program != "pg_dump" else None,
            text=True,
        )
        if done.returncode:
            log = self.folder / "log"
            tail = log.read_text()[-1500:] if log.exists() else ""
            raise RuntimeError(f"{program} ({done.returncode}): {done.stdout}\n{tail}")
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
            names = (table.name for table in reversed(metadata.sorted_tables))
            connection.execute(";".join(f"DELETE FROM {name}" for name in names).encode())


def new_server() -> PostgresServer:
    """Return a running server; the test is skipped where PostgreSQL is absent."""
    programs = find_programs()
    if programs is None:
        lacking("PostgreSQL is not installed")
    server = PostgresServer(programs)
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


def find_programs() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs; None where it is not installed."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if found:
        return found[-1].parent
    installed = shutil.which("initdb")
    return Path(installed).parent if installed else None
