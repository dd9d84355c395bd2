"""The checker's rules about threads, on rows written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.chaos.checker import check
from tests.chaos.dump import Dump, EventRow, SessionRow
from tests.chaos.history import History
from tests.chaos.nesting import OF_THREADS
from tests.chaos.thread_dump import PlaceholderRow, ThreadMessageRow, ThreadRow

END, LEFT, SAID, TOLD = OF_THREADS


def told(sequence: int, kind: str, **body: Any) -> EventRow:
    """Return an event about the thread."""
    return EventRow("s", sequence, "", 0, kind, "", json.dumps({"thread_id": "t", **body}))


SOUND = Dump(
    sessions={"s": SessionRow("s", "waiting", "{}", 7)},
    messages=(),
    events=(
        told(1, "thread_changed", state="running"),
        told(2, "thread_message_added", message_id="a", number=0),
        told(3, "thread_message_added", message_id="b", number=1),
        told(4, "thread_message_added", message_id="c", number=1),
        told(5, "thread_changed", state="running"),
        told(6, "thread_changed", state="completed"),
    ),
    attempts=(),
    final_states={},
    safety={},
    threads=(ThreadRow("s", "t", "", "m", "completed", True),),
    thread_messages=(
        ThreadMessageRow("s", "t", 0, "a", False, ""),
        ThreadMessageRow("s", "t", 1, "b", True, "c"),
        ThreadMessageRow("s", "t", 1, "c", False, ""),
    ),
    placeholders=(PlaceholderRow("s", "m", True),),
)


def rules(dump: Dump) -> set[str]:
    """Return the rules that a dump breaks, those about threads alone."""
    return {each.rule for each in check(History(), dump)} & set(OF_THREADS)


def at(rows: tuple[Any, ...], place: int, **changes: Any) -> tuple[Any, ...]:
    """Return rows with one changed."""
    return (*rows[:place], replace(rows[place], **changes), *rows[place + 1 :])


BROKEN: dict[str, tuple[str, Callable[[Dump], Dump]]] = {
    "a thread is left": (END, lambda d: replace(d, threads=at(d.threads, 0, state="running"))),
    "a message has two threads": (
        END,
        lambda d: replace(d, threads=(*d.threads, replace(d.threads[0], thread_id="u"))),
    ),
    "a placeholder dangles": (
        LEFT,
        lambda d: replace(d, placeholders=at(d.placeholders, 0, is_replaced=False)),
    ),
    "one dangles in a thread": (
        LEFT,
        lambda d: replace(d, thread_messages=at(d.thread_messages, 1, replaced_by="")),
    ),
    "a result is not shown": (LEFT, lambda d: replace(d, threads=at(d.threads, 0, is_shown=False))),
    "a message is told twice": (SAID, lambda d: replace(d, events=(d.events[1], *d.events))),
    "a message is lost": (SAID, lambda d: replace(d, thread_messages=d.thread_messages[1:])),
    "a message is not told": (
        SAID,
        lambda d: replace(d, events=(*d.events[:1], *d.events[2:])),
    ),
    "a message is doubled": (
        SAID,
        lambda d: replace(
            d,
            thread_messages=(*d.thread_messages, ThreadMessageRow("s", "t", 1, "d", False, "")),
            events=(*d.events[:4], told(4, "thread_message_added", message_id="d", number=1)),
        ),
    ),
    "its end is not told": (TOLD, lambda d: replace(d, events=d.events[:-1])),
    "something follows its end": (
        TOLD,
        lambda d: replace(d, events=(*d.events, told(7, "thread_changed", state="completed"))),
    ),
}


def test_a_sound_dump_breaks_no_rule() -> None:
    """Nested threads, a placeholder and what took its place are as they should be."""
    assert rules(SOUND) == set()


@pytest.mark.parametrize("name", BROKEN)
def test_a_planted_fault_is_named(name: str) -> None:
    """Each rule sees what it is there for."""
    rule, broken = BROKEN[name]
    assert rule in rules(broken(SOUND))
