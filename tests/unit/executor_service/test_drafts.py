"""Drafts that follow each other quickly leave together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from executor_service.hub import DraftWindow, Nudge, SessionHub
from heartrule.domain.events import DraftDelta, SessionEvent
from tests.support.event_builders import KEY, draft, durable

SECONDS = 0.05


class Window:
    """A window whose clock and timer the test moves; `left` is what came out, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, seconds: float = SECONDS) -> None:
        self.left: list[object] = []
        self.now = 100.0
        self._timers: list[tuple[float, Callable[[], None], asyncio.TimerHandle]] = []
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda: self.now)
        monkeypatch.setattr(loop, "call_at", self._call_at)
        self.window = DraftWindow(seconds, self.left.append)

    def put(self, *items: object) -> None:
        """Offer items; what is not gathered leaves at once."""
        for item in items:
            if not self.window.takes(item):
                self.left.append(item)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
        due, self._timers = self._timers, []
        for when, call, handle in due:
            if when > self.now:
                self._timers.append((when, call, handle))
            elif not handle.cancelled():
                call()

    def texts(self) -> list[tuple[int, str]]:
        """Return offset and text of the drafts that left."""
        bodies = [item.body for item in self.left if isinstance(item, SessionEvent)]
        return [(b.at.offset, b.text) for b in bodies if isinstance(b, DraftDelta)]

    def _call_at(self, when: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, call, (), asyncio.get_running_loop())
        self._timers.append((when, call, handle))
        return handle


@pytest.fixture
async def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    return Window(monkeypatch)


async def test_the_first_draft_of_a_message_leaves_at_once(window: Window) -> None:
    """Also right behind another message's."""
    window.put(draft("你"), draft("再", message_id="msg_2"))
    assert window.texts() == [(0, "你"), (0, "再")]


async def test_what_follows_leaves_together_when_the_window_ends(window: Window) -> None:
    """The text is the same, in fewer pieces; nothing waits longer than the window."""
    window.put(draft("你"))
    window.wait(0.02)
    window.put(draft("好", 1))
    window.wait(0.02)
    window.put(draft("，", 2))
    assert window.texts() == [(0, "你")]
    window.wait(0.01)
    assert window.texts() == [(0, "你"), (1, "好，")]


async def test_each_window_begins_where_the_last_ended(window: Window) -> None:
    """A steady stream is told once per window."""
    for offset in range(12):
        window.put(draft("字", offset))
        window.wait(0.02)
    assert window.texts() == [(0, "字"), (1, "字字"), *((at, "字字字") for at in (3, 6, 9))]


async def test_a_draft_after_a_pause_leaves_at_once(window: Window) -> None:
    """A slow model's tokens are not held back."""
    window.put(draft("你"))
    window.wait(SECONDS)
    window.put(draft("好", 1))
    assert window.texts() == [(0, "你"), (1, "好")]


@pytest.mark.parametrize("other", [durable(1), Nudge()], ids=["a durable event", "a wish"])
async def test_nothing_else_waits(window: Window, other: object) -> None:
    """It leaves at once, behind the drafts that came before it."""
    window.put(draft("你"), draft("好", 1), other)
    assert window.texts() == [(0, "你"), (1, "好")]
    assert window.left[-1] is other
    window.wait(1)
    assert len(window.left) == 3


async def test_the_end_of_a_text_leaves_at_once(window: Window) -> None:
    """The client may answer: nothing is won by waiting."""
    window.put(draft("你"), draft("好", 1), draft("", 2, complete=True))
    assert window.texts() == [(0, "你"), (1, "好"), (2, "")]


async def test_drafts_with_a_gap_stay_apart(window: Window) -> None:
    """Joining never bridges a gap."""
    window.put(draft("你"), draft("好", 1), draft("吗", 5))
    window.wait(SECONDS)
    assert window.texts() == [(0, "你"), (1, "好"), (5, "吗")]


async def test_a_window_of_nothing_gathers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """0 turns it off."""
    window = Window(monkeypatch, seconds=0)
    window.put(draft("你"), draft("好", 1))
    assert window.texts() == [(0, "你"), (1, "好")]


async def test_a_watcher_that_leaves_leaves_no_timer(window: Window) -> None:
    """What was gathered for it is forgotten."""
    window.put(draft("你"), draft("好", 1))
    window.window.close()
    window.wait(1)
    assert window.texts() == [(0, "你")]


async def test_the_hub_gathers_for_each_watcher() -> None:
    """A subscription of a hub with a window wakes for the first draft and for the end alone."""
    subscription = SessionHub(draft_window_s=60).subscribe(KEY)
    for piece in (draft("你"), draft("好", 1)):
        subscription.put(piece)
    assert (subscription.take(), subscription.take()) == (draft("你"), None)
    subscription.put(draft("。", 2, complete=True))
    assert subscription.take() == draft("好。", 1, complete=True)
    subscription.close()
