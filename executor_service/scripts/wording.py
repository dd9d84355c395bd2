"""Words for messages: what an author may have meant, and how to show what was written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

LIKELY = 0.75
"""Similarity from which a misspelling is taken for the name it resembles."""
_POSSIBLE = 0.5
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
    found = difflib.get_close_matches(snake_case(name)[:60], list(known), n=1, cutoff=likeness)
    return found[0] if found else ""
