"""A thread that owns one SQLite connection; calls that wait together share one commit."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

import sqlalchemy as sa

from session_store.sql.database.engine import (
    Transaction,
    caused_by,
    closed,
    driver_error,
    full,
    not_storable,
    unavailable,
)

T = TypeVar("T")

# Calls that share one commit at most.
MAX_TOGETHER = 64


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a call returned, or the error it ended with."""

    result: object = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class _Job:
    work: Transaction[Any]
    done: Future[Any]
    bare: bool

    def end(self, outcome: JobResult) -> None:
        if outcome.error is not None:
            self.done.set_exception(outcome.error)
        else:
            self.done.set_result(outcome.result)


class Worker:
    """Runs transactions one after the other in a thread of its own."""

    def __init__(self, engine: sa.Engine, *, name: str) -> None:
        """Start the thread; it connects with the first call."""
        self._engine = engine
        self._stopped = False
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Transaction[T]) -> T:
        """Return the result after its commit, or raise what the transaction ended with."""
        return await self._submit(work, bare=False)

    async def run_bare(self, work: Transaction[T]) -> T:
        """Run something that no transaction may surround; it uses the driver's connection."""
        return await self._submit(work, bare=True)

    async def _submit(self, work: Transaction[T], *, bare: bool) -> T:
        if self._stopped:
            raise closed()
        done: Future[T] = Future()
        self._jobs.put(_Job(work, done, bare))
        # Shielded: a caller that is cancelled leaves its transaction to its end.
        return await asyncio.shield(asyncio.wrap_future(done))

    def stop(self) -> None:
        """Finish what was asked for, close the connection and end the thread."""
        self._stopped = True
        self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        db: sa.Connection | None = None
        try:
            while (jobs := self._next()) is not None:
                try:
                    db = db or self._engine.connect()
                    outcomes = _run(db, jobs)
                except Exception as error:  # noqa: BLE001 - the thread lives on; the caller receives it
                    outcomes = [JobResult(error=as_domain_error(error))] * len(jobs)
                for job, outcome in zip(jobs, outcomes, strict=True):
                    job.end(outcome)
        finally:
            if db is not None:
                db.close()

    def _next(self) -> list[_Job] | None:
        """Wait for a call and return it with those that wait behind it; None at the end."""
        first = self._jobs.get()
        if first is None:
            return None
        jobs = [first]
        while len(jobs) < MAX_TOGETHER:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if job is None:
                self._jobs.put(None)
                break
            jobs.append(job)
        return jobs


def _run(db: sa.Connection, jobs: Sequence[_Job]) -> list[JobResult]:
    """Run calls together, as far as none of them must run bare."""
    if not any(job.bare for job in jobs):
        return run_together(db, [job.work for job in jobs])
    return [_bare(db, job.work) if job.bare else _alone(db, job.work) for job in jobs]


def driver_of(db: sa.Connection) -> sqlite3.Connection:
    """Return the driver's own connection: savepoints through SQLAlchemy cost thirty times more."""
    return cast("sqlite3.Connection", db.connection.dbapi_connection)


class _Refused(Exception):
    """One of the calls ended with an error of its own."""


def run_together(db: sa.Connection, calls: Sequence[Transaction[Any]]) -> list[JobResult]:
    """Run calls in one transaction and return their outcomes.

    Where a call raises, all run again, each in a savepoint; where the database fails, each runs in
    a transaction of its own.
    """
    if len(calls) > 1:
        for run in (_plainly, _in_savepoint):
            try:
                return _in_transaction(db, partial(_each, db, run, calls))
            except _Refused:
                continue  # savepoints only now: they cost two statements a call
            except (sa.exc.DBAPIError, sqlite3.Error):
                # The disk may be full: the call that found it so must not fail the others.
                break
    return [_alone(db, call) for call in calls]


def _each(
    db: sa.Connection,
    run: Callable[[sa.Connection, Transaction[Any]], JobResult],
    calls: Sequence[Transaction[Any]],
) -> list[JobResult]:
    return [run(db, call) for call in calls]


def _plainly(db: sa.Connection, call: Transaction[Any]) -> JobResult:
    try:
        return JobResult(call(db))
    except (sa.exc.DBAPIError, sqlite3.Error):
        raise
    except Exception as error:
        raise _Refused from error


def _in_transaction(db: sa.Connection, body: Callable[[], T]) -> T:
    """Begin at once for writing, run the body, commit; whatever fails leaves nothing behind.

    The driver's own begin waits for the first write and then fails. SQLAlchemy's transactions cost
    more than a statement does; one begins by itself where a cold path executes through Core.
    """
    driver = driver_of(db)
    driver.execute(db.get_execution_options()["begin"])
    try:
        result = body()
        _end(db, driver.commit, db.commit)
    except BaseException:
        _end(db, driver.rollback, db.rollback)
        raise
    return result


def _end(db: sa.Connection, of_driver: Callable[[], None], of_core: Callable[[], None]) -> None:
    """End the transaction in the driver alone, or through SQLAlchemy where that has begun one."""
    (of_driver if db.get_transaction() is None else of_core)()


def _in_savepoint(db: sa.Connection, call: Transaction[Any]) -> JobResult:
    driver = driver_of(db)
    driver.execute("SAVEPOINT call")
    try:
        result = call(db)
    except (sa.exc.DBAPIError, sqlite3.Error):
        raise
    except Exception as error:  # noqa: BLE001 - it is the caller's; the others go on
        driver.execute("ROLLBACK TO call")
        driver.execute("RELEASE call")
        return JobResult(error=as_domain_error(error))
    driver.execute("RELEASE call")
    return JobResult(result)


def _alone(db: sa.Connection, call: Transaction[Any]) -> JobResult:
    return _bare(db, lambda db: _in_transaction(db, lambda: call(db)))


def _bare(db: sa.Connection, call: Transaction[Any]) -> JobResult:
    try:
        return JobResult(call(db))
    except Exception as error:  # noqa: BLE001 - it is the caller's
        return JobResult(error=as_domain_error(error))


# Raised for programming errors.
_OURS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError)


def as_domain_error(error: Exception) -> Exception:
    """Return the domain's error for a failure of SQLite; a programming error stays as it is."""
    raised = driver_error(error)
    if isinstance(raised, UnicodeEncodeError):
        return caused_by(not_storable(), error)
    if isinstance(raised, sqlite3.DatabaseError) and not isinstance(raised, _OURS):
        no_room = raised.sqlite_errorcode == sqlite3.SQLITE_FULL
        return caused_by(full() if no_room else unavailable(), error)
    return error
