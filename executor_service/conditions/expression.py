"""What a compiled condition offers those who ask it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of an expression for some values."""

    value: bool | None
    """None where it could not be evaluated."""
    reason: str = ""
    """UPPER_SNAKE where `value` is None, such as NO_VALUE, WRONG_TYPE."""
    variable: str = ""
    """The variable that stood in the way, where it is known."""


class Expression(Protocol):
    """A compiled expression; it keeps nothing between evaluations."""

    @property
    def names(self) -> frozenset[str]:
        """The script variables it reads."""

    def evaluate(self, values: Mapping[str, JsonValue]) -> Verdict:
        """Return its verdict on the values visible here; never raises."""
