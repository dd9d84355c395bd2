"""The hub hands events of this process to its watchers; it never blocks and never waits.

Adjacent drafts of a message are joined and sent at least a window apart. A watcher that falls
behind loses its queued items and reads the durable ones from the store again, by sequence; drafts
it missed show as a gap in offsets (CONTRACT: DraftDelta).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeGuard

from heartrule.domain.events import DraftDelta, InputRejected, SessionEvent
from heartrule.domain.keys import SessionKey

# Part of the window by which a draft may be early: a model's stream is read at that pace too, and
# a draft at the very end of a window would wait for the next.
_EARLY = 0.2


class DraftWindow:
    """Gathers the drafts of one watcher that follow each other within a window of time.

    The first draft of a message is sent at once, and so is the last; those between are sent
    together when the window that began with the latest draft ends. Any other event is sent
    after the drafts before it, without a wait.
    """

    def __init__(self, seconds: float, leave: Callable[[SessionEvent], None]) -> None:
        """`leave` gets the joined drafts; 0 seconds join nothing."""
        self._seconds = seconds
        self._leave = leave
        self._gathered: SessionEvent | None = None
        self._opens_at = self._may_pass_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def takes(self, item: object) -> bool:
        """Return whether the item is gathered; before any other item, send the gathered drafts."""
        if self._seconds <= 0:
            return False
        if not isinstance(item, SessionEvent) or not isinstance(item.body, DraftDelta):
            self._let_go()
            return False
        loop = asyncio.get_running_loop()
        now = loop.time()
        if item.body.at.offset == 0 or item.body.text_complete or now >= self._may_pass_at:
            self._let_go()
            self._begin_window(now)
            return False
        self._gather(item)
        if self._timer is None:
            self._timer = loop.call_at(self._opens_at, self._time_is_up)
        return True

    def close(self) -> None:
        """Drop the gathered drafts; the watcher is gone."""
        self._gathered = None
        self._stop()

    def _gather(self, item: SessionEvent) -> None:
        before = self._gathered
        joined = touching(before, item) if before is not None else item
        if joined is None:
            self._let_go()
            joined = item
        self._gathered = joined

    def _time_is_up(self) -> None:
        self._begin_window(asyncio.get_running_loop().time())
        self._let_go()

    def _begin_window(self, now: float) -> None:
        self._opens_at = now + self._seconds
        self._may_pass_at = now + self._seconds * (1 - _EARLY)

    def _let_go(self) -> None:
        self._stop()
        gathered, self._gathered = self._gathered, None
        if gathered is not None:
            self._leave(gathered)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def touching(last: object, item: object) -> SessionEvent | None:
    """Return two drafts as one, where the second begins at the end of the first; else None."""
    if not (isinstance(last, SessionEvent) and isinstance(item, SessionEvent)):
        return None
    old, new = last.body, item.body
    if not (isinstance(old, DraftDelta) and isinstance(new, DraftDelta)):
        return None
    if last.attempt != item.attempt or old.at.message_id != new.at.message_id:
        return None
    if old.text_complete or old.at.offset + len(old.text) != new.at.offset:
        return None
    joined = replace(old, text=old.text + new.text, text_complete=new.text_complete)
    return replace(last, body=joined)


# Items a watcher may leave unread before it must read from the store: a client that stopped
# reading must not fill the memory of the process.
QUEUE_LIMIT = 512
# Unread items of a stream above which its client's requests are read no further: each request
# may add an item that is not in the store.
OWN_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Replay:
    """A request of one watcher: replay what the stream has passed already."""

    turn_id: str
    """The turn to replay; empty while the input still waits for one."""
    sequence: int
    """Sequence of the input's InputAccepted."""


class Nudge:
    """A request of one watcher: run its loop once, even without an event."""


# An entry of a subscription's queue.
Item: TypeAlias = SessionEvent | Replay | Nudge


class Subscription:
    """One watcher's queue."""

    def __init__(
        self, key: SessionKey, leave: Callable[[Subscription], None], *, draft_window_s: float = 0
    ) -> None:
        """Begin empty; `leave` is called once on close."""
        self.key = key
        self._leave = leave
        self._items: deque[Item] = deque()
        self._drafts = DraftWindow(draft_window_s, self._queue)
        self._waiter: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None
        self._behind = False
        self.card_may_come = False
        """Whether a card may come that is not in the store."""

    def put(self, item: Item) -> None:
        """Queue an item; a draft joins the one before it where they touch.

        Drafts that follow each other quickly are gathered first; see `DraftWindow`.
        """
        if not self._drafts.takes(item):
            self._queue(item)

    def _queue(self, item: Item) -> None:
        if len(self._items) >= QUEUE_LIMIT:
            self._items = deque(kept for kept in self._items if not _rereadable(kept))
            self._behind = True
        if not self._joined(item):
            self._items.append(item)
        self._wake()

    def behind(self) -> None:
        """Make the watcher read from the store at its next step."""
        self._behind = True
        self._wake()

    def take_behind(self) -> bool:
        """Return whether the store must be read, once."""
        was, self._behind = self._behind, False
        return was

    def take(self) -> Item | None:
        """Return the next item, or None where nothing waits."""
        if self._room is not None and len(self._items) <= OWN_LIMIT:
            room, self._room = self._room, None
            if not room.done():
                room.set_result(None)
        return self._items.popleft() if self._items else None

    def take_cards(self) -> list[SessionEvent]:
        """Return and remove the refusals with a card, which are shown without the store."""
        cards = [item for item in self._items if _is_card(item)]
        self._items = deque(item for item in self._items if not _is_card(item))
        return cards

    async def room(self) -> None:
        """Return once few items wait: a stream that causes items of its own adds the next one then.

        They are not in the store, so none of them may be dropped; one task at a time waits.
        """
        while len(self._items) > OWN_LIMIT:
            self._room = asyncio.get_running_loop().create_future()
            await self._room

    async def wait(self) -> None:
        """Return once something is there; one task at a time waits."""
        while not (self._items or self._behind):
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter

    def close(self) -> None:
        """Leave the hub."""
        self._drafts.close()
        self._leave(self)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _joined(self, item: Item) -> bool:
        """Append a draft's text to the queued draft before it, where the offsets touch."""
        joined = touching(self._items[-1], item) if self._items else None
        if joined is None:
            return False
        self._items[-1] = joined
        return True


class SessionHub:
    """The watchers of each session in this process."""

    def __init__(self, *, draft_window_s: float = 0) -> None:
        """Create a hub without watchers; drafts are sent at least so many seconds apart."""
        self._draft_window_s = draft_window_s
        self._watchers: dict[SessionKey, set[Subscription]] = {}

    def subscribe(self, key: SessionKey) -> Subscription:
        """Return a new subscription; close it when done."""
        subscription = Subscription(key, self._remove, draft_window_s=self._draft_window_s)
        self._watchers.setdefault(key, set()).add(subscription)
        return subscription

    def expect_card(self, key: SessionKey) -> Subscription:
        """Return a new subscription, and tell all watchers that a card may come."""
        subscription = self.subscribe(key)
        for watcher in self._watchers[key]:
            watcher.card_may_come = True
        return subscription

    def publish(self, key: SessionKey, events: Iterable[SessionEvent]) -> None:
        """Hand events to every watcher of the session."""
        watchers = self._watchers.get(key)
        if not watchers:
            return
        for event in events:
            for watcher in watchers:
                watcher.put(event)

    def changed(self, key: SessionKey) -> None:
        """Make watchers read the store: another process wrote to the session, or erased it."""
        for watcher in self._watchers.get(key, ()):
            watcher.behind()

    def all_changed(self) -> None:
        """Make every watcher read the store once, as a poll does."""
        for key in tuple(self._watchers):
            self.changed(key)

    def broadcast(self, make: Callable[[SessionKey], SessionEvent]) -> None:
        """Hand every watcher an event of its own session."""
        for key, watchers in self._watchers.items():
            for watcher in watchers:
                watcher.put(make(key))

    def watched(self) -> int:
        """Return how many watchers there are."""
        return sum(len(watchers) for watchers in self._watchers.values())

    def _remove(self, subscription: Subscription) -> None:
        watchers = self._watchers.get(subscription.key)
        if watchers is None:
            return
        watchers.discard(subscription)
        if not watchers:
            del self._watchers[subscription.key]


def _is_card(item: Item) -> TypeGuard[SessionEvent]:
    """Return whether the item is a refusal with a card."""
    return (
        isinstance(item, SessionEvent)
        and isinstance(item.body, InputRejected)
        and item.body.fallback is not None
    )


def _rereadable(item: Item) -> bool:
    """Return whether the item may be dropped: a draft, or an event that is in the store."""
    return isinstance(item, SessionEvent) and (
        item.sequence > 0 or isinstance(item.body, DraftDelta)
    )
