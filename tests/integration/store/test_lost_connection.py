"""A connection that breaks: nothing is doubled, nothing is lost, no answer is a guess."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from heartrule.domain.errors import AlreadyExists, StoreUnavailable
from heartrule.domain.events import MessageCommitted
from session_store.records import Page
from session_store.sql.store import SqlStore
from tests.support.cut_line import Cut, CutLine, cut_line
from tests.support.postgres import PostgresServer
from tests.support.store_builders import accept, begun, created, ended, new_session, opened, said
from tests.support.stores import postgres_store

CUTS = pytest.mark.parametrize("cut", list(Cut))


@asynccontextmanager
async def on_the_line(server: PostgresServer) -> AsyncIterator[tuple[SqlStore, CutLine]]:
    """Give a store whose connections can be cut."""
    name = server.create()
    async with cut_line(f"{server.folder}/.s.PGSQL.5432") as line:
        address = f"postgresql://postgres@127.0.0.1:{line.port}/{name}?sslmode=disable"
        async with postgres_store(address) as store:
            yield store, line
    server.drop(name)


@CUTS
async def test_an_input_is_stored_once(server: PostgresServer, cut: Cut) -> None:
    """Cut in its commit, an input is looked up: stored once, told as new, its number known."""
    async with on_the_line(server) as (store, line):
        key = await opened(store)
        line.arm(b"COMMIT", cut)
        accepted = await accept(store, key)
        stored, _ = await store.list_messages(key, Page())
        assert (line.cuts, accepted.duplicate) == (1, False)
        assert [message.sequence for message in stored[1:]] == [accepted.sequence]


@CUTS
async def test_a_step_is_committed_once(server: PostgresServer, cut: Cut) -> None:
    """Cut in its commit, a step is neither written twice nor reported as lost."""
    async with on_the_line(server) as (store, line):
        key = await opened(store)
        await accept(store, key)
        snapshot = await begun(store, key)
        line.arm(b"COMMIT", cut)
        done = await ended(store, snapshot, said("answer"))
        events = await store.read_events(key, 0)
        said_now = [each for each in events if isinstance(each.body, MessageCommitted)]
        assert (line.cuts, len(said_now)) == (1, 2)
        assert events[-len(done.events) :] == done.events


@CUTS
async def test_a_turn_begins_once(server: PostgresServer, cut: Cut) -> None:
    """Cut in its commit, a beginning keeps the lease it took and wastes no attempt."""
    async with on_the_line(server) as (store, line):
        key = await opened(store)
        await accept(store, key)
        line.arm(b"COMMIT", cut)
        snapshot = await begun(store, key)
        assert (line.cuts, snapshot.attempt) == (1, 1)
        await ended(store, snapshot, said("answer"))


@CUTS
async def test_a_session_is_made_once(server: PostgresServer, cut: Cut) -> None:
    """Cut in its commit, a new session is not mistaken for somebody else's."""
    async with on_the_line(server) as (store, line):
        line.arm(b"COMMIT", cut)
        key = await created(store)
        assert (await store.get_session(key)).key == key
        with pytest.raises(AlreadyExists):
            await store.create_session(new_session())
        assert line.cuts == 1


async def test_a_broken_transaction_is_run_again(server: PostgresServer) -> None:
    """Cut before its commit, a transaction starts afresh on another connection."""
    async with on_the_line(server) as (store, line):
        key = await opened(store)
        line.arm(b"msg_", Cut.AFTER)
        assert not (await accept(store, key)).duplicate
        assert line.cuts == 1


async def test_a_server_that_is_gone_is_unavailable(own_server: PostgresServer) -> None:
    """While the server is down calls fail as retryable; once it is back they work again."""
    async with postgres_store(own_server.url("postgres")) as store:
        key = await opened(store)
        own_server.stop("fast")
        for _ in range(2):
            with pytest.raises(StoreUnavailable) as refused:
                await store.ping()
            assert refused.value.retryable
        own_server.start()
        await accept(store, key)
