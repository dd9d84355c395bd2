"""Traceparents are read with care and continued as text."""

from __future__ import annotations

import pytest

from heartrule.chassis.traceparent import child, normal, trace_id

REMOTE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (REMOTE, REMOTE),
        (f" {REMOTE}\n", REMOTE),
        (REMOTE[:-2] + "ff", REMOTE),
        (REMOTE[:-2] + "02", REMOTE[:-2] + "00"),
        ("01" + REMOTE[2:] + "-later", REMOTE),
        ("ff" + REMOTE[2:], ""),
        (REMOTE.upper(), ""),
        (REMOTE.replace("b7ad6b7169203331", "0" * 16), ""),
        (REMOTE.replace("0af7651916cd43dd8448eb211c80319c", "0" * 32), ""),
        (REMOTE[:-1], ""),
        ("", ""),
    ],
)
def test_what_is_a_traceparent(text: str, read: str) -> None:
    """Later versions are read as this one; ids of zero and anything else are none."""
    assert normal(text) == read


def test_a_child_stays_in_its_trace() -> None:
    """Trace and flags are the parent's, the span is new."""
    below = child(REMOTE)
    assert (below[:36], below[52:]) == (REMOTE[:36], REMOTE[52:])
    assert normal(below) == below != REMOTE


def test_without_a_parent_a_trace_begins() -> None:
    """It is nobody's, and not sampled."""
    one, other = child(""), child("")
    assert (normal(one), one[-3:]) == (one, "-00")
    assert trace_id(one) != trace_id(other)


def test_the_trace_of_nothing_is_nothing() -> None:
    """Outside of any span there is no id to log."""
    assert (trace_id(""), trace_id(REMOTE)) == ("", REMOTE[3:35])
