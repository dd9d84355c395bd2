"""Yes and no as models write them: whole values, never by prefix (RESOLUTIONS C5, C17)."""

from __future__ import annotations

import unicodedata

from heartrule.domain.json_value import JsonValue

_YES = frozenset({"YES", "TRUE", "1", "Y", "是"})
_NO = frozenset({"NO", "FALSE", "0", "N", "否"})
_EXIT = frozenset({"退出"})


def read_flag(value: JsonValue, *, yes: frozenset[str] = frozenset()) -> bool | None:
    """Return a value as a boolean; None when it is neither yes nor no.

    Args:
        value: What the model wrote: text, a boolean, 1 or 0.
        yes: Further words that mean yes.
    """
    if isinstance(value, bool | int | float):
        value = str(int(value)) if value in {0, 1} else ""
    if not isinstance(value, str):
        return None
    word = unicodedata.normalize("NFKC", value).strip().upper()
    if word in _YES | yes:
        return True
    return False if word in _NO else None


def read_exit(value: JsonValue) -> bool | None:
    """Return whether EXIT asks for the end of the action; None for any unknown value."""
    return read_flag(value, yes=_EXIT)
