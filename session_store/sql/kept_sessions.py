"""The sessions a process knows from its own last transactions: the latest ones, within bounds."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.keys import SessionKey
from session_store.sql.kept import Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much is kept at most."""

    sessions: int = 2_000
    """0 keeps nothing: every turn reads its session anew."""
    text: int = 20_000_000
    """Characters of all sessions together."""


class KeptSessions:
    """What is kept by session; that used longest ago goes first. Used by one thread alone."""

    def __init__(self, bounds: Bounds) -> None:
        """Keep nothing yet."""
        self._bounds = bounds
        self._kept: dict[SessionKey, tuple[Kept, int]] = {}
        self._text = 0

    def get(self, key: SessionKey) -> Kept | None:
        """Return what is kept of a session; it may be too old."""
        found = self._kept.get(key)
        return None if found is None else found[0]

    def put(self, key: SessionKey, kept: Kept | None) -> None:
        """Keep this in the place of what was kept; None forgets it."""
        self.forget(key)
        if kept is None:
            return
        size = kept.size
        if size > self._bounds.text:
            return
        self._kept[key] = kept, size
        self._text += size
        while self._kept and (
            len(self._kept) > self._bounds.sessions or self._text > self._bounds.text
        ):
            self.forget(next(iter(self._kept)))

    def renew(self, key: SessionKey, kept: Kept) -> None:
        """Keep this where something is kept that says nearly the same; its size is not counted."""
        known = self._kept.get(key)
        if known is not None:
            self._kept[key] = kept, known[1]

    def forget(self, key: SessionKey) -> None:
        """Keep nothing of a session."""
        _, size = self._kept.pop(key, (None, 0))
        self._text -= size
