"""Patterns of terms with bounded gaps."""

from __future__ import annotations

import pytest

from heartrule.safety.patterns import Clauses, matches, parse_pattern
from heartrule.safety.term_finder import TermFinder

FINDER = TermFinder({"a": ("a",), "<wish>": ("want", "wish*"), "死": ("死",)})


@pytest.mark.parametrize(
    ("written", "text", "starts"),
    [
        ("a", "a cat, a", [0, 7]),
        ("<wish> ~3 死", "want 死", [0]),
        ("<wish> ~4 死", "wishing 死", [0]),
        ("<wish> ~3 死", "want to 死", []),
        ("<wish> ~4 死", "want, 死", []),
        ("<wish> ~9 死", "want want 死 死", [0, 5]),
        ("<wish> ~ 死", "want so 死", [0]),
        ("<wish> ~ 死", "want no 死", []),
        ("<wish> ~ $", "i want so, i want a", [2]),
        ("^ ~ <wish>", "want, so want, i want", [0, 5]),
    ],
)
def test_where_a_pattern_is_met(written: str, text: str, starts: list[int]) -> None:
    """Items come in order, gaps are bounded and end at a clause's end, Latin terms are words."""
    breaks = [index for index, char in enumerate(text) if char == ","]
    clauses = Clauses(text, breaks, frozenset({"so"}))
    spans = FINDER.spans(text) | clauses.edges()
    found = list(matches(parse_pattern(written), spans, clauses))
    assert [one.start for one in found] == starts


@pytest.mark.parametrize("written", ["", "a ~3  ~4 b", "~3 b"])
def test_an_empty_item_is_refused(written: str) -> None:
    """A pattern without a term where one belongs is a mistake."""
    with pytest.raises(ValueError, match="empty item"):
        parse_pattern(written)
