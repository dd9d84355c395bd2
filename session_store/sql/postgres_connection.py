"""A thread's connection to PostgreSQL: transactions on it, and what a lost one means."""

from __future__ import annotations

from typing import cast

import psycopg
import sqlalchemy as sa
from psycopg import IsolationLevel
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from session_store.sql.engine import Proof, T, Transaction
from session_store.sql.failures import driver_error
from session_store.sql.postgres_line import Line, lay, line_of
from session_store.sql.postgres_waiting import Waiting

CONNECT_SECONDS = 4
"""How long a server may take to answer a connection."""
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
_AGAIN = (
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.LockNotAvailable,
)
"""Lost against another transaction."""


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
        """Take `user:password@host/database?options`; nothing is opened yet."""
        self.engine = sa.create_engine(
            f"postgresql+psycopg://{address}", poolclass=NullPool, connect_args=CONNECT
        )
        self.backends: set[int] = set()
        """The server's processes that serve this one."""
        self.losses = 0
        """How often one was found broken: none that is older is used again."""
        sa.event.listen(self.engine, "connect", self._opened)
        sa.event.listen(self.engine, "close", self._closed)
        sa.event.listen(self.engine, "before_cursor_execute", _hand_over)

    def _opened(self, driver: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        entry.info["backend"] = driver.info.backend_pid
        self.backends.add(driver.info.backend_pid)
        # A connection's line prepares; psycopg would drop every statement with its own.
        driver.prepare_threshold = None
        for setting in SETTINGS:
            driver.execute(setting)
        driver.commit()

    def _closed(self, _driver: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        self.backends.discard(entry.info.get("backend", 0))


class OwnConnection:
    """One connection, opened when it is first needed and again when it was lost."""

    def __init__(self, those: Connections, waiting: Waiting) -> None:
        """Open nothing yet."""
        self._those = those
        self._waiting = waiting
        self._db: sa.Connection | None = None
        self._losses = 0

    def run(self, work: Transaction[T], *, proof: Proof[T] | None, one_moment: bool) -> T:
        """Run it; once more where it is known that nothing of it was written.

        Args:
            work: The transaction.
            proof: Looks again where the commit's outcome is unknown.
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
            self._waiting.stop()
            db.invalidate()
            db.close()

    def _once(self, work: Transaction[T], *, one_moment: bool = False) -> T:
        try:
            return self._in_transaction(self._opened(), work, one_moment=one_moment)
        except Exception:
            raise
        except BaseException:  # cancelled with an answer under way, which nobody will read
            self.close()
            raise

    def _in_transaction(self, db: sa.Connection, work: Transaction[T], *, one_moment: bool) -> T:
        driver, line = _driver(db), line_of(db)
        wanted = IsolationLevel.REPEATABLE_READ if one_moment else None
        if driver.isolation_level != wanted:
            driver.isolation_level = wanted
        try:
            result = work(db)
            if db.get_transaction() is not None:  # something went through SQLAlchemy
                line.flush()
        except Exception as error:
            self._failed(db, line, error)
            raise
        try:
            line.commit() if db.get_transaction() is None else db.commit()
        except (sa.exc.DBAPIError, psycopg.Error) as error:
            if self._is_lost(db):
                raise OutcomeUnknown(result) from error
            self._failed(db, line, error)
            raise
        return result

    def _opened(self) -> sa.Connection:
        if self._losses != self._those.losses:
            self.close()
        if self._db is not None and _driver(self._db).broken:
            self.close()
        if self._db is None:
            self._losses = self._those.losses
            db = self._db = self._waiting.blocking(self._those.engine.connect)
            lay(db, self._waiting)
            self._waiting.watch(_driver(db).pgconn)
        return self._db

    def _failed(self, db: sa.Connection, line: Line, error: Exception) -> None:
        """Undo what was begun; NotWritten where a second try may do."""
        if not self._is_lost(db):
            try:
                line.roll_back()
                if db.get_transaction() is not None:
                    db.rollback()
            except (sa.exc.DBAPIError, psycopg.Error):
                self.close()
        if self._db is None or isinstance(driver_error(error), _AGAIN):
            raise NotWritten from error

    def _is_lost(self, db: sa.Connection) -> bool:
        """Return True where the connection is broken; then none that lay idle is used again."""
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
    """Let what SQLAlchemy executes come behind what was written before."""
    line_of(db).hand_over()
