"""The template's own words, copied instead of an answer (RESOLUTIONS C36)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from heartrule.domain.json_value import JsonValue


class Skeleton:
    """Knows a template's descriptions of its reply fields."""

    def __init__(self, descriptions: Mapping[str, str]) -> None:
        """`descriptions` are by dotted field name, as in the template's front matter."""
        self._descriptions = descriptions

    def copied(self, field: str, value: JsonValue) -> bool:
        """Return whether a text equals or contains the description of that field."""
        description = self._descriptions.get(field, "")
        if not description or not isinstance(value, str):
            return False
        words = _plain_description(description)
        return bool(words) and words in _plain(value)


def repeats(text: str, description: str) -> bool:
    """Return whether a text is a description's words, whatever the spaces."""
    words = _plain_description(description)
    return bool(words) and words == _plain(text)


def may_repeat(beginning: str, description: str) -> bool:
    """Return whether a text that begins so may still become the description's words."""
    return bool(description) and _plain_description(description).startswith(_plain(beginning))


@lru_cache(maxsize=512)
def _plain_description(text: str) -> str:
    """Return a description in the form that is compared, cached since every reply needs it."""
    return _plain(text)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
