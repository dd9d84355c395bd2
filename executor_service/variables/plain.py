"""The number, truth value or day a plain value is, or a text spells; never a guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from heartrule.domain.json_value import JsonValue

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?", re.ASCII)
_DAY = re.compile(r"([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?", re.ASCII)
_TRUTH: Mapping[str, bool] = MappingProxyType(
    {
        **dict.fromkeys(("true", "yes", "y", "1", "是"), True),
        **dict.fromkeys(("false", "no", "n", "0", "否"), False),
    }
)


def number_of(value: JsonValue) -> Decimal | None:
    """Return the number a value is or a text holds (full-width digits too); None otherwise."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return number if number.is_finite() else None
    if isinstance(value, str):
        text = folded(value)
        return Decimal(text) if _NUMBER.fullmatch(text) else None
    return None


def truth_of(value: JsonValue) -> bool | None:
    """Return the truth value a value is or a text spells as a whole word; None otherwise."""
    if isinstance(value, bool):
        return value
    return _TRUTH.get(folded(value).lower()) if isinstance(value, str) else None


def day_of(value: JsonValue) -> date | None:
    """Return the day a text names in full, year first; None otherwise."""
    match = _DAY.fullmatch(folded(value)) if isinstance(value, str) else None
    if match is None:
        return None
    try:
        return date(*(int(part) for part in match.groups()))
    except ValueError:
        return None


def folded(text: str) -> str:
    """Return a text without the white space around it, its full-width characters made plain."""
    return unicodedata.normalize("NFKC", text).strip()
