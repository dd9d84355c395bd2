"""Transactions on PostgreSQL run in threads, their statements in psycopg's pipeline (ADR 39)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from heartrule.domain.errors import StoreUnavailable
from session_store.sql.database.engine import Transaction
from session_store.sql.database.engine_postgres import THREADS, PostgresEngine
from session_store.sql.database.prepared import Prepared
from tests.support.postgres import PostgresServer

NOTE = sa.table("note", sa.column("place", sa.Integer), sa.column("text", sa.Text))
_AT = NOTE.c.place == sa.bindparam("at_place")
WRITE = Prepared(NOTE.update().where(_AT).returning(NOTE.c.place))
LOCKED_OUT = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
STANDING = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event = 'ClientRead' AND state = 'active'"
)
READ = Prepared(sa.select(NOTE.c.text).where(_AT))
INSERT = Prepared(NOTE.insert())
APPEND = Prepared(
    NOTE.update().where(_AT).values(text=NOTE.c.text + sa.bindparam("more", type_=sa.Text))
)


@pytest.fixture
async def engine(address: str) -> AsyncIterator[PostgresEngine]:
    """Give an engine over a table with one row."""
    engine = PostgresEngine(address)

    def make(db: sa.Connection) -> None:
        db.exec_driver_sql("DROP TABLE IF EXISTS note")
        db.exec_driver_sql("CREATE TABLE note (place integer PRIMARY KEY, text text)")
        db.exec_driver_sql("INSERT INTO note VALUES (1, 'old')")

    await engine.write(make)
    await engine.write(lambda _db: None)  # it is connected
    yield engine
    await engine.aclose()


def write(text: str) -> Transaction[int]:
    """Return a transaction that writes the row, and gives the thread it ran in."""

    def transaction(db: sa.Connection) -> int:
        assert WRITE.row(db, {"at_place": 1, "text": text}) is not None
        return threading.get_ident()

    return transaction


def waits(db: sa.Connection) -> Callable[[], int]:
    """Return what says how often this transaction has waited for the server since."""
    connection = db.connection.dbapi_connection
    pipeline: Any = vars(connection)["_pipeline"]
    ask, asked = pipeline._fetch_gen, list[bool]()

    def fetch(*, flush: bool) -> Any:
        asked.extend([True] * bool(pipeline.result_queue))
        return ask(flush=flush)

    pipeline._fetch_gen = fetch
    return lambda: len(asked)


async def text_of(engine: PostgresEngine) -> str:
    """Return what was committed."""
    return str(await engine.read(lambda db: READ.scalar(db, {"at_place": 1})))


async def test_a_write_that_nothing_reads_behind_is_committed(engine: PostgresEngine) -> None:
    """It waits for the end of its transaction, and goes with COMMIT."""
    await engine.write(lambda db: APPEND.run(db, {"at_place": 1, "more": "er"}))
    assert await text_of(engine) == "older"


async def test_prepared_statements_and_core_see_one_another(engine: PostgresEngine) -> None:
    """A statement of SQLAlchemy's own comes behind what waits, and what follows behind it."""

    def transaction(db: sa.Connection) -> None:
        APPEND.run(db, {"at_place": 1, "more": ", prepared"})
        db.execute(sa.text("UPDATE note SET text = text || ', core'"))
        APPEND.run(db, {"at_place": 1, "more": ", prepared"})

    await engine.write(transaction)
    assert await text_of(engine) == "old, prepared, core, prepared"


async def test_a_write_that_fails_undoes_the_transaction(engine: PostgresEngine) -> None:
    """Its error is raised at the latest by the commit, and the connection is used on."""

    def transaction(db: sa.Connection) -> None:
        APPEND.run(db, {"at_place": 1, "more": " and undone"})
        INSERT.run(db, {"place": 1, "text": "there already"})

    with pytest.raises(psycopg.errors.UniqueViolation):
        await engine.write(transaction)
    assert await text_of(engine) == "old"


async def test_what_is_asked_together_is_one_exchange(engine: PostgresEngine) -> None:
    """Writes, and reads that are asked before the first is looked at, go to the server at once."""

    def transaction(db: sa.Connection) -> tuple[int, list[Any]]:
        flushed = waits(db)
        APPEND.run(db, {"at_place": 1, "more": "er"})
        asked = [READ.ask(db, {"at_place": place}) for place in (1, 2)]
        found = [each.rows() for each in asked]
        return flushed(), found

    assert await engine.write(transaction) == (1, [[("older",)], []])


@asynccontextmanager
async def waiting_for_a_row(engine: PostgresEngine) -> AsyncIterator[asyncio.Future[int]]:
    """Give a transaction that waits for a row another holds until the block ends."""
    holds, go = threading.Event(), threading.Event()

    def hold(db: sa.Connection) -> None:
        WRITE.row(db, {"at_place": 1, "text": "first"})
        holds.set()
        go.wait(10)

    holding = asyncio.ensure_future(engine.write(hold))
    await asyncio.to_thread(holds.wait, 10)
    waiting = asyncio.ensure_future(engine.write(write("second")))
    async with asyncio.timeout(10):
        while not await engine.read(lambda db: db.exec_driver_sql(LOCKED_OUT).scalar()):
            pass
    yield waiting
    go.set()
    await holding


async def test_the_loop_goes_on_while_a_row_is_locked(engine: PostgresEngine) -> None:
    """Who waits for another's row holds up nobody, and gets it when the other has committed."""
    async with waiting_for_a_row(engine) as waiting:
        assert not waiting.done()
    await waiting
    assert await text_of(engine) == "second"


@pytest.mark.slow
async def test_a_process_frozen_within_a_transaction_keeps_no_row(
    engine: PostgresEngine, address: str
) -> None:
    """Once the ten seconds of a lock are over, who waits ends its transaction, and writes."""
    frozen, thawed = PostgresEngine(address), threading.Event()

    def freeze(db: sa.Connection) -> None:
        WRITE.row(db, {"at_place": 1, "text": "frozen"})
        thawed.wait(60)

    freezing = asyncio.ensure_future(frozen.write(freeze))
    async with asyncio.timeout(10):
        while not await engine.read(lambda db: db.exec_driver_sql(STANDING).scalar()):
            pass
    await engine.write(write("written"))
    assert await text_of(engine) == "written"
    thawed.set()
    await freezing
    await frozen.aclose()


async def test_more_than_there_are_connections_wait_for_one(engine: PostgresEngine) -> None:
    """Each is served in the end."""
    many = (engine.write(write(f"{n}")) for n in range(3 * THREADS))
    assert len(await asyncio.gather(*many)) == 3 * THREADS


async def test_a_cancelled_caller_leaves_the_transaction_to_its_end(
    engine: PostgresEngine, address: str
) -> None:
    """What was begun is committed."""
    async with waiting_for_a_row(engine) as calling:
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
    await engine.aclose()
    again = PostgresEngine(address)
    assert await text_of(again) == "second"
    await again.aclose()


async def test_what_was_asked_for_is_done_before_the_end(engine: PostgresEngine) -> None:
    """Closing waits for transactions that wait themselves; afterwards none begins."""
    many = [asyncio.ensure_future(engine.write(write(f"{n}"))) for n in range(2 * THREADS)]
    await asyncio.sleep(0)
    await engine.aclose()
    assert len(await asyncio.gather(*many)) == 2 * THREADS
    with pytest.raises(StoreUnavailable):
        await engine.write(write("late"))


async def test_an_error_undoes_what_was_written(engine: PostgresEngine) -> None:
    """The connection is used on."""

    def transaction(db: sa.Connection) -> None:
        WRITE.row(db, {"at_place": 1, "text": "undone"})
        raise ValueError("ours")

    with pytest.raises(ValueError, match="ours"):
        await engine.write(transaction)
    assert await engine.write(lambda db: READ.scalar(db, {"at_place": 1})) == "old"


async def test_a_connection_that_broke_while_idle_is_made_anew(
    engine: PostgresEngine, server: PostgresServer
) -> None:
    """The next transaction is not told of it."""
    await engine.write(write("one"))
    with server.connect() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name"
            " = 'heartrule'"
        )
    await engine.write(write("two"))
    assert await text_of(engine) == "two"


async def test_connections_that_are_lost_together_are_all_made_anew(
    engine: PostgresEngine, server: PostgresServer
) -> None:
    """None hears in another's place: a lost one's descriptor is the next one's (a hang once)."""

    async def listen() -> None:
        async for _ in engine.changes():
            heard.set()

    heard = asyncio.Event()
    listening = asyncio.ensure_future(listen())
    async with asyncio.timeout(60):
        for _ in range(8):
            await asyncio.gather(*(engine.write(write("new")) for _ in range(THREADS)))
            await heard.wait()
            with server.connect() as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = 'heartrule'"
                )
            heard.clear()
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


async def test_a_server_that_is_gone_is_unavailable(own_server: PostgresServer) -> None:
    """And once it is back its connections work again."""
    engine = PostgresEngine(own_server.url("postgres"))
    await engine.write(lambda _db: None)
    own_server.stop("immediate")
    with pytest.raises(StoreUnavailable):
        await engine.write(lambda db: READ.scalar(db, {"at_place": 1}))
    own_server.start()
    assert await engine.write(lambda _db: 1) == 1
    await engine.aclose()
