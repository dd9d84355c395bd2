"""How a finding is put right in the file itself: small edits that leave the rest as it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of a file's text, by offset, and what takes its place."""

    start: int
    end: int
    text: str
    """"" takes the line away too, where nothing else stands on it."""


@dataclass(frozen=True, slots=True)
class FindingRepair:
    """The edits that put one finding right."""

    was: str
    """The name that was written."""
    now: str
    """The one that takes its place; "" where it only goes."""
    edits: tuple[Edit, ...]


def repaired(text: str, repairs: Iterable[FindingRepair]) -> tuple[str, tuple[FindingRepair, ...]]:
    """Return a file's text with repairs made, and which ones were.

    A repair that would meet another's edits, or leave half a line, is not made; a further check may
    offer it again.
    """
    made: list[FindingRepair] = []
    edits: list[Edit] = []
    for repair in repairs:
        wanted = [_whole(text, edit) for edit in repair.edits]
        fitting = [each for each in wanted if each is not None]
        if len(fitting) == len(wanted) and not any(_meet(a, b) for a in fitting for b in edits):
            made.append(repair)
            edits += fitting
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text, tuple(made)


def _whole(text: str, edit: Edit) -> Edit | None:
    """Return an edit that takes its line away where it leaves nothing on it; None: it cannot."""
    if edit.text:
        return edit
    begin = text.rfind("\n", 0, edit.start) + 1
    if text[begin : edit.start].strip():
        return None  # the first key of a list's item, or one of several in braces
    end = edit.end if text[edit.end - 1] == "\n" else text.find("\n", edit.end) + 1 or len(text)
    rest = text[edit.end : end].strip()
    if rest.startswith("#"):
        return Edit(edit.start, text.index("#", edit.end), "")
    return None if rest else Edit(begin, end, "")


def _meet(one: Edit, other: Edit) -> bool:
    return one.start < other.end and other.start < one.end
