"""On PostgreSQL a turn's transactions run in the event loop, which goes on meanwhile (ADR 37)."""

from __future__ import annotations

import asyncio
import select
import socket
import struct
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import psycopg
import pytest
import sqlalchemy as sa
import uvloop
from psycopg import pq

from heartrule.domain.errors import StoreUnavailable
from session_store.sql.engine import Transaction
from session_store.sql.engine_postgres import IN_LOOP, PostgresEngine
from session_store.sql.postgres_waiting import InLoop, running
from session_store.sql.prepared import Prepared
from tests.support.postgres import PostgresServer

NOTE = sa.table("note", sa.column("place", sa.Integer), sa.column("text", sa.Text))
_AT = NOTE.c.place == sa.bindparam("at_place")
WRITE = Prepared(NOTE.update().where(_AT).returning(NOTE.c.place))
LOCKED_OUT = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
READ = Prepared(sa.select(NOTE.c.text).where(_AT))


@pytest.fixture
async def engine(address: str) -> AsyncIterator[PostgresEngine]:
    """Give an engine over a table with one row."""
    engine = PostgresEngine(address.partition("://")[2])

    def make(db: sa.Connection) -> None:
        db.exec_driver_sql("DROP TABLE IF EXISTS note")
        db.exec_driver_sql("CREATE TABLE note (place integer PRIMARY KEY, text text)")
        db.exec_driver_sql("INSERT INTO note VALUES (1, 'old')")

    await engine.write(make)
    await engine.write_prepared(lambda _db: None)  # it is connected
    yield engine
    await engine.aclose()


def write(text: str) -> Transaction[int]:
    """Return a transaction that writes the row, and gives the thread it ran in."""

    def transaction(db: sa.Connection) -> int:
        assert WRITE.row(db, {"at_place": 1, "text": text}) is not None
        return threading.get_ident()

    return transaction


async def text_of(engine: PostgresEngine) -> str:
    """Return what was committed."""
    return str(await engine.read(lambda db: READ.scalar(db, {"at_place": 1})))


async def test_prepared_statements_run_in_the_loop(engine: PostgresEngine) -> None:
    """No thread is asked, and what was written is committed."""
    assert await engine.write_prepared(write("new")) == threading.get_ident()
    assert await text_of(engine) == "new"


async def test_a_transaction_that_needs_a_cursor_is_begun_again_in_a_thread(
    engine: PostgresEngine,
) -> None:
    """What it wrote in the loop is undone first: it is all written once."""
    ran: list[int] = []

    def transaction(db: sa.Connection) -> None:
        ran.append(threading.get_ident())
        WRITE.row(db, {"at_place": 1, "text": "prepared"})
        db.execute(sa.text("UPDATE note SET text = text || ' and more'"))

    await engine.write_prepared(transaction)
    assert (ran[0] == threading.get_ident(), len(ran)) == (True, 2)
    assert await text_of(engine) == "prepared and more"


@asynccontextmanager
async def waiting_for_a_row(engine: PostgresEngine) -> AsyncIterator[asyncio.Future[int]]:
    """Give a transaction that waits in the loop for a row another holds until the block ends."""
    holds, go = threading.Event(), threading.Event()

    def hold(db: sa.Connection) -> None:
        WRITE.row(db, {"at_place": 1, "text": "first"})
        holds.set()
        go.wait(10)

    holding = asyncio.ensure_future(engine.write(hold))
    await asyncio.to_thread(holds.wait, 10)
    waiting = asyncio.ensure_future(engine.write_prepared(write("second")))
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


async def test_more_than_there_are_connections_wait_for_one(engine: PostgresEngine) -> None:
    """Each is served in the end."""
    many = (engine.write_prepared(write(f"{n}")) for n in range(3 * IN_LOOP))
    assert len(await asyncio.gather(*many)) == 3 * IN_LOOP


async def test_a_cancelled_caller_leaves_the_transaction_to_its_end(
    engine: PostgresEngine,
) -> None:
    """As in a thread: what was begun is committed."""
    async with waiting_for_a_row(engine) as calling:
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
    await engine.aclose()
    again = PostgresEngine(engine._connections.engine.url.render_as_string(False).split("://")[1])
    assert await text_of(again) == "second"
    await again.aclose()


async def test_a_loop_that_ends_leaves_nothing_half_written(engine: PostgresEngine) -> None:
    """Cancelled while the server works, a transaction is gone with its connection."""
    async with waiting_for_a_row(engine) as waiting:
        for task in list(engine._in_loop._running):
            task.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert await text_of(engine) == "first"
    await engine.write_prepared(write("third"))
    assert await text_of(engine) == "third"


async def test_an_error_undoes_what_was_written(engine: PostgresEngine) -> None:
    """The connection is used on."""

    def transaction(db: sa.Connection) -> None:
        WRITE.row(db, {"at_place": 1, "text": "undone"})
        raise ValueError("ours")

    with pytest.raises(ValueError, match="ours"):
        await engine.write_prepared(transaction)
    assert await engine.write_prepared(lambda db: READ.scalar(db, {"at_place": 1})) == "old"


async def test_a_connection_that_broke_while_idle_is_made_anew(
    engine: PostgresEngine, server: PostgresServer
) -> None:
    """The next transaction is not told of it."""
    await engine.write_prepared(write("one"))
    with server.connect() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name"
            " = 'heartrule'"
        )
    await engine.write_prepared(write("two"))
    assert await text_of(engine) == "two"


class ResetSoon:
    """As much of a connection as is waited for; the server resets it when it is told to."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self._ours = socket.create_connection(server.getsockname())
            self._theirs, _ = server.accept()
        self._ours.setblocking(False)
        self.socket = self._ours.fileno()

    def reset(self) -> None:
        self._theirs.send(b"!")
        at_once = struct.pack("ii", 1, 0)
        self._theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        self._theirs.close()

    def close(self) -> None:
        self._ours.close()

    def consume_input(self) -> None:
        try:
            self._ours.recv(1)
        except ConnectionResetError as error:
            raise psycopg.OperationalError from error
        except BlockingIOError:
            pass


def test_a_connection_that_was_reset_is_noticed_by_looking() -> None:
    """Of it uvloop tells once, when the last words are read: a turn once waited for the rest."""

    async def scene() -> None:
        waiting, connection = InLoop(), ResetSoon()
        waiting.watch(cast("pq.abc.PGconn", connection))

        def both() -> None:
            for _ in ("the last words", "what would follow"):
                waiting.wait(select.POLLIN)

        def look_again() -> None:
            waiting.look()
            if not asked.done():
                loop.call_soon(look_again)

        loop, asked = asyncio.get_running_loop(), asyncio.ensure_future(running(both))
        loop.call_soon(connection.reset)  # behind the task's first step, in which it waits
        loop.call_soon(look_again)
        async with asyncio.timeout(10):
            with pytest.raises(psycopg.OperationalError):
                await asked
        connection.close()

    uvloop.run(scene())


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
            await asyncio.gather(*(engine.write_prepared(write("new")) for _ in range(IN_LOOP)))
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
    """And once it is back the loop's connections work again."""
    engine = PostgresEngine(own_server.url("postgres").partition("://")[2])
    await engine.write_prepared(lambda _db: None)
    own_server.stop("immediate")
    with pytest.raises(StoreUnavailable):
        await engine.write_prepared(lambda db: READ.scalar(db, {"at_place": 1}))
    own_server.start()
    assert await engine.write_prepared(lambda _db: 1) == 1
    await engine.aclose()
