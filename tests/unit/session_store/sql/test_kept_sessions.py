"""What a process keeps of its sessions stays within bounds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from heartrule.domain.keys import SessionKey
from session_store.sql.kept import Kept
from session_store.sql.kept_sessions import Bounds, KeptSessions


def key(name: str) -> SessionKey:
    return SessionKey("t", name)


def kept(size: int = 1) -> Kept:
    """Return something to keep, of a size."""
    made: Any = SimpleNamespace(size=size)
    return cast("Kept", made)


def test_the_session_used_longest_ago_goes_first() -> None:
    """The third of two is kept in the place of the first, unless the first was written since."""
    sessions = KeptSessions(Bounds(sessions=2))
    for name in ("a", "b", "a", "c"):
        sessions.put(key(name), kept())
    assert [sessions.get(key(name)) is None for name in "abc"] == [False, True, False]


def test_the_text_of_all_is_bounded() -> None:
    """Three of four characters do not fit in ten; one that never fits is not kept."""
    sessions = KeptSessions(Bounds(text=10))
    for name, size in (("a", 4), ("b", 4), ("c", 4), ("d", 11)):
        sessions.put(key(name), kept(size))
    assert [sessions.get(key(name)) is None for name in "abcd"] == [True, False, False, True]


def test_forgetting_makes_room() -> None:
    """What is forgotten, twice too, counts no more."""
    sessions = KeptSessions(Bounds(text=10))
    sessions.put(key("a"), kept(9))
    sessions.forget(key("a"))
    sessions.put(key("a"), None)
    sessions.put(key("b"), kept(9))
    assert (sessions.get(key("a")), sessions.get(key("b")) is None) == (None, False)


def test_nothing_is_kept_where_that_is_asked() -> None:
    """Zero sessions: every turn reads its own."""
    sessions = KeptSessions(Bounds(sessions=0))
    sessions.put(key("a"), kept())
    assert sessions.get(key("a")) is None
