"""Words for messages: what an author may have meant, and how to show what was written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from heartrule.words.words import Said, say

# A name this similar is a misspelling: its value is then checked as that of the known key.
LIKELY = 0.75
_POSSIBLE = 0.5  # below it a guess puzzles more than it helps
_LONGEST = 60  # of the name compared; comparing takes the square of it
_CANDIDATES = 100  # comparing is slow, and a guess is all it is
_MOST_NAMES = 2_000  # more come from a program, and comparing them all is slow
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def quoted(text: str, length: int = 40) -> str:
    """Return a text in quotes, cut to one short line."""
    line = " ".join(text.split())
    return f"'{line[:length]}…'" if len(line) > length else f"'{line}'"


def snake_case(name: str) -> str:
    """Return a camelCase name as snake_case."""
    return _HUMP.sub("_", name).lower().replace("-", "_")


def nearest(name: str, known: Iterable[str], *, likeness: float = _POSSIBLE) -> str:
    """Return the known name most like `name`; "" when none resembles it."""
    names = tuple(known)
    if len(names) > _MOST_NAMES:
        return ""
    wanted = snake_case(name)[:_LONGEST]
    alike = sorted(k for k in names if abs(len(k) - len(wanted)) <= len(wanted) // 2 + 1)
    found = difflib.get_close_matches(wanted, alike[:_CANDIDATES], n=1, cutoff=likeness)
    return found[0] if found else ""


def hint(name: str, known: Iterable[str], otherwise: Said) -> Said:
    """Return `did you mean …?` with the known name most like `name`, or else other advice."""
    meant = nearest(name, known)
    return say("hint.did_you_mean", meant=meant) if meant else otherwise
