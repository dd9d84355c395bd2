"""What an action remembers of its strategy from round to round: small, and stored with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from heartrule.domain.json_value import JsonValue
from heartrule.model.prompt_words import PromptWords

#: Its key in the memory of an action instance.
KEY = "strategy"
# Rounds the trend is made from; the memory of an instance stays small.
MOST_LEVELS = 6
#: Failures after which an action asks no more, unless an advice calls for it.
MOST_MISSED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStrategy:
    """The strategy of a running action."""

    prompt: str = ""
    """The recommendation; empty while there is none."""
    missed: int = 0
    """How often none came."""
    levels: tuple[float, ...] = ()
    """The client's understanding in the last rounds, oldest first."""

    def memory(self) -> dict[str, JsonValue]:
        """Return it as it is stored; empty where there is nothing to keep."""
        kept: dict[str, JsonValue] = {
            "prompt": self.prompt,
            "missed": self.missed,
            "levels": list(self.levels),
        }
        found = {name: value for name, value in kept.items() if value}
        return {KEY: found} if found else {}

    def with_level(self, level: float | None) -> tuple[float, ...]:
        """Return the levels with this round's."""
        known = self.levels if level is None else (*self.levels, level)
        return known[-MOST_LEVELS:]


_KEPT = TypeAdapter(KeptStrategy)


def kept_in(memory: Mapping[str, JsonValue]) -> KeptStrategy:
    """Return what the memory of an action instance holds."""
    try:
        return _KEPT.validate_python(memory.get(KEY, {}))
    except ValidationError:  # an earlier release stored it otherwise
        return KeptStrategy()


def trend_text(levels: Sequence[float], words: PromptWords) -> str:
    """Return how the understanding moved, in words; empty while nothing was judged."""
    if not levels:
        return ""
    listed = words.comma.join(f"{level:g}" for level in levels)
    shown = words.understanding.format(levels=listed)
    if len(levels) == 1 or levels[-1] == levels[0]:
        return shown
    moves = words.rising if levels[-1] > levels[0] else words.falling
    return f"{shown}{words.semicolon}{moves}"
