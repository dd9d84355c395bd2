"""The types a script may ask of an output (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from enum import StrEnum


class OutputType(StrEnum):
    """The type an output's value is converted to."""

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    """One of the output's options."""
    DATE = "date"
    """Written as YYYY-MM-DD."""
