"""One stream's events in order: durable ones without a gap, transient ones as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import cast

import pytest

from executor_service.hub import Nudge, Replay, SessionHub
from executor_service.streams.relay import Relay, View
from heartrule.domain.conversation import Audience
from heartrule.domain.errors import NotFound
from heartrule.domain.events import DraftDelta, Heartbeat, SessionEvent
from session_store.ports import Store
from tests.support.event_builders import (
    KEY,
    WrittenEvents,
    committed,
    draft,
    durable,
    ended,
    going_away,
    numbered,
    voided,
)

ALL = View(audiences=frozenset(Audience))


class Following:
    """A relay over written events, read by the test."""

    def __init__(
        self,
        stored: Iterable[SessionEvent] = (),
        *,
        cursor: int = 0,
        view: View = ALL,
        ends: Callable[[], bool] | None = None,
    ) -> None:
        self.store = WrittenEvents(list(stored))
        self.hub = SessionHub()
        self.subscription = self.hub.subscribe(KEY)
        written = cast("Store", self.store)
        self.relay = Relay(
            written, self.subscription, cursor=cursor, view=view, heartbeat_s=0, ends=ends
        )
        self._events: AsyncIterator[SessionEvent] = self.relay.events()

    def live(self, *events: SessionEvent) -> None:
        """Let this process commit and tell events."""
        self.store.events += [event for event in events if event.sequence]
        self.hub.publish(KEY, events)

    async def read(self) -> list[SessionEvent]:
        """Return all that is told until silence; the heartbeat itself is left out."""
        told = []
        async with asyncio.timeout(2):
            async for event in self._events:
                if isinstance(event.body, Heartbeat):
                    break
                told.append(event)
        return told


def sequences(events: Iterable[SessionEvent]) -> list[int]:
    """Return the events' numbers."""
    return [event.sequence for event in events]


async def test_what_lies_before_the_present_comes_from_the_store() -> None:
    """A stream that resumes hears everything after its number, then the live events."""
    following = Following(numbered(1, 2, 3), cursor=1)
    assert sequences(await following.read()) == [2, 3]
    following.live(durable(4))
    assert sequences(await following.read()) == [4]


async def test_a_long_past_is_read_page_by_page() -> None:
    """The store gives bounded answers; the stream goes on until there are none."""
    following = Following(numbered(*range(1, 8)))
    following.store.page = 3
    assert sequences(await following.read()) == list(range(1, 8))


async def test_a_gap_is_filled_from_the_store() -> None:
    """An event of another process lies between two of ours."""
    following = Following(numbered(1))
    await following.read()
    following.store.events.append(durable(2))
    following.live(durable(3))
    assert sequences(await following.read()) == [2, 3]


async def test_a_number_the_store_does_not_give_is_passed_over() -> None:
    """An event of a kind that this release does not know holds up none of those after it."""
    following = Following(numbered(1))
    assert sequences(await following.read()) == [1]
    following.live(durable(3))
    following.live(durable(4))
    assert sequences(await following.read()) == [3, 4]


async def test_an_event_is_told_once() -> None:
    """What the store gave already is not told again when it comes live."""
    following = Following(numbered(1, 2))
    following.hub.publish(KEY, numbered(1, 2))
    assert sequences(await following.read()) == [1, 2]


async def test_without_a_gap_the_store_is_left_alone() -> None:
    """Live events in order cost no reading."""
    following = Following(numbered(1))
    await following.read()
    before = len(following.store.reads)
    following.live(durable(2), durable(3))
    await following.read()
    assert len(following.store.reads) == before


async def test_a_watcher_that_fell_behind_reads_again() -> None:
    """The store's events fill what was lost, in their order."""
    following = Following()
    await following.read()
    following.store.events += numbered(1, 2)
    following.hub.changed(KEY)
    assert sequences(await following.read()) == [1, 2]


async def test_drafts_are_told_as_they_come() -> None:
    """They have no number and no place in the store."""
    following = Following()
    following.live(draft("你好"))
    assert [type(event.body) for event in await following.read()] == [DraftDelta]


@pytest.mark.parametrize(
    ("settled", "late"),
    [
        (committed(1, "msg_1"), draft("迟", message_id="msg_1")),
        (ended(1), draft("迟", message_id="msg_2")),
        (voided(1, 1), draft("迟", message_id="msg_2", attempt=1)),
    ],
    ids=["committed message", "ended attempt", "voided attempt"],
)
async def test_late_drafts_are_dropped(settled: SessionEvent, late: SessionEvent) -> None:
    """A draft that a durable event has overtaken is no news."""
    following = Following([settled])
    following.live(late)
    assert sequences(await following.read()) == [1]


async def test_the_next_attempts_drafts_are_told() -> None:
    """Voiding takes back what was, not what comes."""
    following = Following([voided(1, 1)])
    following.live(draft("新", attempt=2))
    assert sequences(await following.read()) == [1, 0]


async def test_an_audience_that_is_not_asked_for_is_filtered() -> None:
    """A filtered event still uses its number: there is no gap to fill."""
    client_only = View()
    hidden = durable(1, audience=Audience.OPERATOR)
    following = Following(view=client_only)
    following.live(hidden, durable(2))
    assert sequences(await following.read()) == [2]
    assert following.relay.cursor == 2


async def test_a_stream_of_whole_messages_has_no_drafts() -> None:
    """Committed messages only, where the client wants no pieces."""
    following = Following(view=View(drafts=False))
    following.live(draft("你"), committed(1))
    assert sequences(await following.read()) == [1]


async def test_silence_is_told_with_the_last_number() -> None:
    """A heartbeat says how far the stream is."""
    following = Following(numbered(1, 2))
    async with asyncio.timeout(2):
        async for event in following.relay.events():
            if isinstance(event.body, Heartbeat):
                assert (event.body.last_sequence, event.sequence) == (2, 0)
                break


async def test_a_replay_tells_a_turn_again() -> None:
    """The turn's events with their own numbers, up to where the stream is."""
    following = Following([durable(1), *(durable(n, turn_id="turn_2") for n in (2, 3))])
    await following.read()
    following.subscription.put(Replay("turn_2", 2))
    assert sequences(await following.read()) == [2, 3]


async def test_a_replay_leaves_to_the_stream_what_is_still_to_come() -> None:
    """Events beyond the cursor are told once, live."""
    following = Following(numbered(1))
    await following.read()
    following.subscription.put(Replay("turn_1", 1))
    following.live(durable(2))
    assert sequences(await following.read()) == [1, 2]


async def test_a_replay_of_a_waiting_input_tells_that_it_is_stored() -> None:
    """An input without a turn has one event: its InputAccepted."""
    following = Following(numbered(1, 2, 3))
    await following.read()
    following.subscription.put(Replay("", 2))
    assert sequences(await following.read()) == [2]


async def test_the_end_is_asked_for_at_a_nudge() -> None:
    """All that was queued before the nudge has been told by then."""
    following = Following(ends=lambda: True)
    following.live(durable(1), durable(2))
    following.subscription.put(Nudge())
    following.live(durable(3))
    assert sequences([event async for event in following.relay.events()]) == [1, 2, 3]


async def test_a_nudge_that_ends_nothing_is_passed_over() -> None:
    """The stream goes on."""
    following = Following()
    following.subscription.put(Nudge())
    following.live(durable(1))
    assert sequences(await following.read()) == [1]


async def test_a_deleted_session_ends_the_stream() -> None:
    """NOT_FOUND is what a watcher of an erased session gets."""
    following = Following(numbered(1))
    await following.read()
    following.store.deleted = True
    following.hub.changed(KEY)
    with pytest.raises(NotFound):
        await following.read()


async def test_a_transient_word_of_the_server_is_told() -> None:
    """GoingAway has no number and settles nothing."""
    following = Following()
    following.live(going_away())
    assert len(await following.read()) == 1
