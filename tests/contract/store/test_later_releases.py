"""Events of kinds that only the next release knows: executors of both may share a database."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from heartrule.domain.events import ActionResultRecorded, SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.records import ForkOrder, Page
from session_store.sql.database.tables import events
from session_store.sql.store import SqlStore
from tests.support.store_builders import judged_turn, opened

LATER = '{"pending_client_message_ids":["m1"]}'


async def emitted_later(store: SqlStore, key: SessionKey, *sequences: int) -> None:
    """Let these events be of a kind that this release does not know."""
    mine = (events.c.tenant == key.tenant, events.c.session_id == key.session_id)
    change = sa.update(events).where(*mine, events.c.sequence.in_(sequences))
    made = change.values(kind="made_up_later", body=LATER)
    await store._engine.write(lambda db: [db.execute(made).rowcount])


async def recorded(store: SqlStore) -> tuple[SessionKey, list[SessionEvent], int]:
    """Run a turn; return its session, all that was emitted, and the number of its result."""
    key = await opened(store)
    await judged_turn(store, key)
    found = list(await store.read_events(key, 0))
    results = [each for each in found if isinstance(each.body, ActionResultRecorded)]
    return key, found, results[-1].sequence


async def test_an_unknown_kind_is_passed_over(store: SqlStore) -> None:
    """The event is left out; the others keep their numbers, in the session and in its turn."""
    key, whole, later = await recorded(store)
    await emitted_later(store, key, later)
    known = [event for event in whole if event.sequence != later]
    assert list(await store.read_events(key, 0)) == known
    turn_id = whole[-1].turn_id
    assert list(await store.read_turn(key, turn_id))[-1] == whole[-1]


async def test_a_page_of_unknown_kinds_is_not_the_end(store: SqlStore) -> None:
    """What is read next is the next known event, however many unknown ones lie before it."""
    key, whole, _ = await recorded(store)
    last = whole[-1].sequence
    await emitted_later(store, key, *range(2, last))
    assert await store.read_events(key, 1, 1) == (whole[-1],)
    await emitted_later(store, key, last)
    assert await store.read_events(key, 1, 1) == ()


async def test_a_session_with_an_unknown_kind_goes_on(store: SqlStore) -> None:
    """The next turn begins and ends, and a fork of the session has the event too."""
    key, _, later = await recorded(store)
    await emitted_later(store, key, later)
    await judged_turn(store, key, 2)
    order = ForkOrder(source=key, session_id="f1")
    await store.fork_session(order)
    copied = replace(key, session_id="f1")
    assert (await store.list_messages(copied, Page()))[0]
    bodies = sa.select(events.c.body).where(events.c.session_id == "f1")
    kept = await store._engine.read(
        lambda db: db.scalars(bodies.where(events.c.kind == "made_up_later")).all()
    )
    assert kept == [LATER]
