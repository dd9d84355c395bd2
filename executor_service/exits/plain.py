"""The number, truth value or day a plain value is, or a text is as a whole; never a guess."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from decimal import Decimal

from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.model.reply.convert import convert
from heartrule.model.reply.flags import read_flag

# Bounded, so that Decimal never converts a client's text of a megabyte.
_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?", re.ASCII)


def number_of(value: JsonValue) -> Decimal | None:
    """Return the number a value is or a whole text spells, in full-width digits too; else None.

    A text that merely has a number in it (第3次没去) is none: it would decide by accident.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return number if number.is_finite() else None
    if isinstance(value, str):
        text = unicodedata.normalize("NFKC", value).strip()
        return Decimal(text) if _NUMBER.fullmatch(text) else None
    return None


def truth_of(value: JsonValue) -> bool | None:
    """Return the truth value a value is or a whole text spells; None otherwise."""
    return read_flag(value) if isinstance(value, bool | str) else None


def day_of(value: JsonValue) -> date | None:
    """Return the day a whole text names, year first; None otherwise."""
    day = convert(value, OutputType.DATE) if isinstance(value, str) else None
    return date.fromisoformat(day) if isinstance(day, str) else None
