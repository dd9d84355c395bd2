"""The template's own words, copied instead of an answer (RESOLUTIONS C36)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from heartrule.domain.json_value import JsonValue


class Skeleton:
    """Knows a template's descriptions of its reply fields."""

    def __init__(self, descriptions: Mapping[str, str]) -> None:
        """`descriptions` are by dotted field name, as in the template's front matter."""
        self._descriptions = {name: _plain(text) for name, text in descriptions.items()}

    def copied(self, field: str, value: JsonValue) -> bool:
        """Say whether a text equals or contains the description of that field."""
        description = self._descriptions.get(field, "")
        return bool(description) and isinstance(value, str) and description in _plain(value)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
