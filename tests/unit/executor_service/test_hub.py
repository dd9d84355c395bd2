"""Who watches a session, and what waits for a watcher that is slow."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from executor_service.hub import (
    OWN_LIMIT,
    QUEUE_LIMIT,
    Item,
    Nudge,
    Replay,
    SessionHub,
    Subscription,
)
from heartrule.domain.events import DraftDelta, SessionEvent
from heartrule.domain.keys import SessionKey
from tests.support.event_builders import KEY, draft, durable, going_away, numbered

OTHER = SessionKey("default", "ses_2")


def queued(subscription: Subscription) -> list[Item]:
    """Take everything that waits."""
    items = []
    while (item := subscription.take()) is not None:
        items.append(item)
    return items


def watching() -> Subscription:
    """Return a subscription of a hub of its own."""
    return SessionHub().subscribe(KEY)


def drafts(subscription: Subscription) -> list[tuple[int, str, bool]]:
    """Return offset, text and end of each waiting draft."""
    bodies = [item.body for item in queued(subscription) if isinstance(item, SessionEvent)]
    return [(b.at.offset, b.text, b.text_complete) for b in bodies if isinstance(b, DraftDelta)]


def test_every_watcher_of_a_session_gets_its_events() -> None:
    """Two streams of one session hear the same, a stream of another nothing."""
    hub = SessionHub()
    first, second, stranger = hub.subscribe(KEY), hub.subscribe(KEY), hub.subscribe(OTHER)
    hub.publish(KEY, numbered(1, 2))
    assert queued(first) == queued(second) == numbered(1, 2)
    assert queued(stranger) == []


async def test_there_is_room_once_little_waits() -> None:
    """Who fills its own queue waits until the reader has taken enough of it."""
    subscription = watching()
    await subscription.room()
    for _ in range(OWN_LIMIT + 2):
        subscription.put(Nudge())
    waiting = asyncio.create_task(subscription.room())
    for taken in range(2):
        done, _ = await asyncio.wait({waiting}, timeout=0)
        assert (taken, done) == (taken, set())
        subscription.take()
    subscription.take()
    await waiting


def test_a_watcher_that_left_gets_nothing_more() -> None:
    """Closing is final, and may be repeated."""
    hub = SessionHub()
    subscription = hub.subscribe(KEY)
    subscription.close()
    subscription.close()
    hub.publish(KEY, numbered(1))
    assert (queued(subscription), hub.watched()) == ([], 0)


def test_touching_drafts_join() -> None:
    """A slow reader gets fewer and longer pieces, never other text."""
    subscription = watching()
    for piece in (draft("你"), draft("好", 1), draft("。", 2, complete=True)):
        subscription.put(piece)
    assert drafts(subscription) == [(0, "你好。", True)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (draft("你"), draft("好", 5)),
        (draft("你"), draft("好", 1, message_id="msg_2")),
        (draft("你"), draft("好", 1, attempt=2)),
        (draft("你", complete=True), draft("好", 1)),
        (durable(1), draft("好")),
    ],
    ids=["a gap", "another message", "another attempt", "already complete", "no draft before"],
)
def test_drafts_that_do_not_belong_together_stay_apart(
    first: SessionEvent, second: SessionEvent
) -> None:
    """Joining never bridges a gap, an end, or a durable event."""
    subscription = watching()
    subscription.put(first)
    subscription.put(second)
    assert queued(subscription) == [first, second]


def test_a_joined_draft_leaves_the_others_of_the_hub_alone() -> None:
    """Watchers share events; joining makes a new one."""
    hub = SessionHub()
    first, second = hub.subscribe(KEY), hub.subscribe(KEY)
    hub.publish(KEY, [draft("你")])
    queued(second)
    hub.publish(KEY, [draft("好", 1)])
    assert (drafts(first), drafts(second)) == ([(0, "你好", False)], [(1, "好", False)])


def test_a_watcher_that_falls_behind_keeps_what_no_store_has() -> None:
    """Durable events and drafts go, wishes and transient words stay; the store has the rest."""
    subscription = watching()
    kept: list[Item] = [Replay("turn_1", 3), Nudge(), going_away()]
    for item in kept:
        subscription.put(item)
    for sequence in range(1, QUEUE_LIMIT + 1):
        subscription.put(durable(sequence))
    waiting = queued(subscription)
    assert waiting[: len(kept)] == kept
    assert len(waiting) < QUEUE_LIMIT
    assert subscription.take_behind()


def test_the_store_is_read_once_for_each_fall() -> None:
    """Asking whether the store must be read answers yes once."""
    subscription = watching()
    subscription.behind()
    assert [subscription.take_behind(), subscription.take_behind()] == [True, False]


def test_a_change_elsewhere_makes_watchers_read() -> None:
    """Another process wrote: only watchers of that session look into the store."""
    hub = SessionHub()
    mine, other = hub.subscribe(KEY), hub.subscribe(OTHER)
    hub.changed(KEY)
    assert (mine.take_behind(), other.take_behind()) == (True, False)


def test_a_poll_makes_everybody_read() -> None:
    """Without news from elsewhere every watcher looks once."""
    hub = SessionHub()
    both = [hub.subscribe(KEY), hub.subscribe(OTHER)]
    hub.all_changed()
    assert all(subscription.take_behind() for subscription in both)


def test_a_broadcast_reaches_each_watcher_with_its_own_session() -> None:
    """Everybody is told that the server goes, about the session it watches."""
    hub = SessionHub()
    mine, other = hub.subscribe(KEY), hub.subscribe(OTHER)
    hub.broadcast(lambda key: replace(going_away(), session_id=key.session_id))
    ids = [[e.session_id for e in queued(s) if isinstance(e, SessionEvent)] for s in (mine, other)]
    assert ids == [["ses_1"], ["ses_2"]]


@pytest.mark.parametrize("early", [True, False])
async def test_waiting_ends_when_something_is_put(*, early: bool) -> None:
    """An item that waits already, and one that comes."""
    subscription = watching()
    if early:
        subscription.put(durable(1))
    waiting = asyncio.ensure_future(subscription.wait())
    await asyncio.wait({waiting}, timeout=0)
    assert waiting.done() is early
    subscription.put(durable(2))
    await waiting


async def test_waiting_ends_when_the_store_is_to_be_read() -> None:
    """A watcher that fell behind has something to do."""
    subscription = watching()
    waiting = asyncio.ensure_future(subscription.wait())
    await asyncio.wait({waiting}, timeout=0)
    subscription.behind()
    await waiting


async def test_one_who_gave_up_waiting_can_wait_again() -> None:
    """A wait that was cancelled leaves nothing in the way of the next."""
    subscription = watching()
    waiting = asyncio.ensure_future(subscription.wait())
    await asyncio.wait({waiting}, timeout=0)
    waiting.cancel()
    subscription.put(durable(1))
    await subscription.wait()
    assert queued(subscription) == [durable(1)]
