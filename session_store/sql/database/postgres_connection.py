"""A thread's connection to PostgreSQL: transactions on it, and what a lost one means."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import cast

import psycopg
import sqlalchemy as sa
from psycopg.types.numeric import Int8Dumper
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from session_store.sql.database.announcements import Announcer
from session_store.sql.database.engine import Proof, T, Transaction, driver_error, note_changes

# Seconds a server may take to accept a connection.
CONNECT_SECONDS = 4
CONNECT = {
    "application_name": "heartrule",
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": 4_000,  # milliseconds until a vanished server counts as gone
    "keepalives_idle": 2,  # seconds; for the connection that only listens
    "keepalives_interval": 1,
    "keepalives_count": 2,
}
SETTINGS = (
    "SET idle_in_transaction_session_timeout = '5s'",  # a frozen holder must not keep a row
    "SET lock_timeout = '10s'",
)
# The server's timeout does not run within a pipeline. A process that is frozen there keeps its rows
# until one that waits for them ends its transaction.
_END_FROZEN = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND usename = current_user AND application_name = 'heartrule' AND state = 'active'"
    " AND wait_event = 'ClientRead' AND query_start < clock_timestamp() - interval '5s'"
)
_BEGIN, _BEGIN_SNAPSHOT = "BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ"
# Another transaction won: a second try may succeed.
_AGAIN = (
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.LockNotAvailable,
)
_PIPELINE = "pipeline"


class NotWritten(Exception):
    """The connection broke before COMMIT, or another transaction won: a second try may do."""


class OutcomeUnknown(Exception):
    """The connection broke while COMMIT was under way; `result` is what it would have given."""

    def __init__(self, result: object) -> None:
        """Keep what the transaction's function returned."""
        self.result = result


class Connections:
    """What the connections of one process share."""

    def __init__(self, address: str) -> None:
        """Take a URI as libpq does, with one host or several; nothing is opened yet.

        Raises:
            ProgrammingError: It is not such a URI.
        """
        given = psycopg.conninfo.conninfo_to_dict(address)
        if not all(port.isdigit() for port in str(given.get("port", "0")).split(",")):
            raise psycopg.ProgrammingError("a port is a number")
        self.options: Mapping[str, object] = given | CONNECT
        # A creator, since SQLAlchemy's own parser takes no list of hosts.
        self.engine = sa.create_engine(
            "postgresql+psycopg://", poolclass=NullPool, creator=self._connect
        )
        self.backends: set[int] = set()
        """The server's processes that serve this one."""
        self.losses = 0
        """Counts connections found broken: those opened before the last one are not used again."""
        self.announcer = Announcer(self.options, self.backends)
        sa.event.listen(self.engine, "connect", self._opened)
        sa.event.listen(self.engine, "close", self._closed)
        sa.event.listen(self.engine, "before_cursor_execute", _hand_over)

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(**self.options)  # type: ignore[arg-type]  # libpq's own options

    def _opened(self, driver: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        entry.info["backend"] = driver.info.backend_pid
        self.backends.add(driver.info.backend_pid)
        # BEGIN is ours: psycopg's own waits for the server, even in a pipeline.
        driver.autocommit = True
        driver.prepare_threshold = 0  # at their first use: the next turn runs each again
        driver.prepared_max = 1_000  # above all that we have, or they would displace each other
        # One type for all integers: by default their size chooses, and each is prepared anew.
        driver.adapters.register_dumper(int, Int8Dumper)
        for setting in SETTINGS:
            driver.execute(setting)

    def _closed(self, _driver: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        self.backends.discard(entry.info.get("backend", 0))


class OwnConnection:
    """One connection, opened when it is first needed and again when it was lost.

    A transaction runs in psycopg's pipeline: its writes wait until something is read, or until its
    end, and go to the server together, BEGIN before the first and COMMIT behind the last.
    """

    def __init__(self, those: Connections) -> None:
        """Open nothing yet."""
        self._those = those
        self._db: sa.Connection | None = None
        self._losses = 0

    def run(self, work: Transaction[T], *, proof: Proof[T] | None, one_moment: bool) -> T:
        """Run a transaction; a second time where the first is known to have written nothing.

        Args:
            work: The transaction.
            proof: Decides from the rows, where the commit's outcome is unknown.
            one_moment: Whether all its statements see the rows of one moment.
        """
        try:
            return self._once(work, one_moment=one_moment)
        except OutcomeUnknown as unknown:
            done: T = unknown.result  # type: ignore[assignment]  # what `work` gave
            if proof is not None and self._once(lambda db: proof(db, done)):
                return done
        except NotWritten:
            pass
        return self._once(work, one_moment=one_moment)

    def close(self) -> None:
        """Close it, if it is open."""
        if self._db is not None:
            db, self._db = self._db, None
            db.invalidate()
            db.close()

    def _once(self, work: Transaction[T], *, one_moment: bool = False) -> T:
        db = self._opened()
        driver = _driver(db)
        pipeline, changes = ExitStack(), note_changes(db)
        db.info[_PIPELINE] = pipeline
        try:
            pipeline.enter_context(driver.pipeline())
            driver.execute(_BEGIN_SNAPSHOT if one_moment else _BEGIN)
            result = work(db)
        except Exception as error:
            self._failed(db, pipeline, error)
            raise
        try:
            driver.execute("COMMIT", prepare=False)
            pipeline.close()
            if db.get_transaction() is not None:  # SQLAlchemy has begun one of its own
                db.commit()
        except (sa.exc.DBAPIError, psycopg.Error) as error:
            if self._is_lost(db):
                raise OutcomeUnknown(result) from error
            self._failed(db, pipeline, error)
            raise
        self._those.announcer.announce(changes)
        return result

    def _opened(self) -> sa.Connection:
        if self._losses != self._those.losses:
            self.close()
        if self._db is not None and _driver(self._db).broken:
            self.close()
        if self._db is None:
            self._losses = self._those.losses
            self._db = self._those.engine.connect()
        return self._db

    def _failed(self, db: sa.Connection, pipeline: ExitStack, error: Exception) -> None:
        """Undo what was begun; NotWritten where a second try may do."""
        if not self._is_lost(db):
            try:
                _leave(pipeline)
                _driver(db).rollback()
                if db.get_transaction() is not None:
                    db.rollback()
                if isinstance(driver_error(error), psycopg.errors.LockNotAvailable):
                    _driver(db).execute(_END_FROZEN)
            except (sa.exc.DBAPIError, psycopg.Error):
                self.close()
        if self._db is None or isinstance(driver_error(error), _AGAIN):
            raise NotWritten from error

    def _is_lost(self, db: sa.Connection) -> bool:
        """Return True where the connection is broken; then idle ones are opened again, too."""
        if not db.invalidated:
            driver = _driver(db)
            if not driver.broken and not driver.closed:
                return False
        self.close()
        self._those.losses += 1
        return True


def _driver(db: sa.Connection) -> psycopg.Connection:
    return cast("psycopg.Connection", db.connection.dbapi_connection)


def _hand_over(db: sa.Connection, *_: object) -> None:
    """Leave the pipeline: SQLAlchemy reads a statement's result as soon as it is sent."""
    pipeline: ExitStack | None = db.info.get(_PIPELINE)
    if pipeline is not None:
        pipeline.close()


def _leave(pipeline: ExitStack) -> None:
    """Leave the pipeline of a transaction that has failed; further errors of it mean nothing."""
    try:
        pipeline.close()
    except psycopg.Error:
        pass
