"""Drafts on their way to a watcher: adjacent ones are joined, sent at least a window apart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from heartrule.domain.events import DraftDelta, SessionEvent

_EARLY = 0.2
"""Part of the window by which a draft may come early: a model's stream is read at that pace too,
and a draft that met the end of a window would wait for the next."""


class DraftWindow:
    """Gathers the drafts of one watcher that follow each other within a window of time.

    The first draft of a message leaves at once, and so does the last; what comes between leaves
    together when the window that began with the latest draft ends. Whatever else is told comes
    after the drafts before it, and waits for nothing.
    """

    def __init__(self, seconds: float, leave: Callable[[SessionEvent], None]) -> None:
        """`leave` gets what was gathered; 0 seconds gather nothing."""
        self._seconds = seconds
        self._leave = leave
        self._gathered: SessionEvent | None = None
        self._opens_at = self._may_pass_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def takes(self, item: object) -> bool:
        """Return whether the item is gathered; before another one, let go what was."""
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
        """Drop what was gathered; the watcher is gone."""
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
    """Return two drafts as one, where the second goes on where the first ends; else None."""
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
