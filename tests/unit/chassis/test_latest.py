"""The bounded dict."""

from __future__ import annotations

from heartrule.chassis.latest import Latest


def test_what_was_written_longest_ago_is_forgotten() -> None:
    """A key that is written again is the latest."""
    latest = Latest[str, int](2)
    for number, key in enumerate("aabac"):
        latest[key] = number
    assert list(latest.items()) == [("a", 3), ("c", 4)]


def test_what_is_used_stays() -> None:
    """Of what is not there, using it leaves nothing."""
    latest = Latest[str, int](2)
    latest["a"], latest["b"] = 1, 2
    assert (latest.used("a"), latest.used("z")) == (1, None)
    latest["c"] = 3
    assert list(latest) == ["a", "c"]
