"""What a store answers as plain data that two stores can have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

MADE_UP = re.compile(r"[a-z]+_[0-9a-f]{28}")
"""An id that a store made up."""
MEASURED = frozenset({"token", "waited"})
"""Fields that no two stores have in common."""
UNORDERED = frozenset({"variables", "session_ids"})
"""Fields whose order means nothing."""


class Plain:
    """Ids that the store made up become their order of sight, times a word."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def of(self, value: object) -> Any:
        """Return the value as lists, dicts and scalars."""
        if isinstance(value, Enum):
            return f"{type(value).__name__}.{value.name}"
        if isinstance(value, str):
            return self._named(value)
        if isinstance(value, datetime):
            return "<time>"
        if isinstance(value, timedelta) and value > timedelta(minutes=1):
            return "<about an hour>"
        if is_dataclass(value):
            names = [each.name for each in fields(value) if each.name not in MEASURED]
            plain = {name: self._field(name, getattr(value, name)) for name in names}
            return {"is": type(value).__name__, **plain}
        if isinstance(value, Mapping):
            return {key: self.of(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(each) for each in value]
        return value

    def _field(self, name: str, value: object) -> Any:
        plain = self.of(value)
        return sorted(plain, key=repr) if name in UNORDERED and isinstance(plain, list) else plain

    def _named(self, text: str) -> str:
        if MADE_UP.fullmatch(text) is None:
            return text
        return self._names.setdefault(text, f"#{len(self._names)}")
