"""What an action remembers of its strategy."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.strategy.kept import MOST_LEVELS, KeptStrategy, kept_in, trend_text
from heartrule.model.prompt_words import base_words


@pytest.mark.parametrize(
    "kept", [KeptStrategy(), KeptStrategy(prompt="用短句", missed=1, levels=(0.0, 35.0))]
)
def test_what_is_kept_is_found_again(kept: KeptStrategy) -> None:
    """An action's memory gives back what was put into it."""
    assert kept_in(kept.memory()) == kept


@pytest.mark.parametrize(
    "memory", [{}, {"strategy": 1}, {"strategy": {"prompt": 1, "missed": "x", "levels": "ab"}}]
)
def test_an_odd_memory_is_an_empty_one(memory: dict[str, Any]) -> None:
    """What an earlier release stored otherwise is forgotten, not an error."""
    assert kept_in(memory) == KeptStrategy()


def test_levels_are_few() -> None:
    """Only the last rounds count, however long an action runs."""
    kept = KeptStrategy(levels=tuple(float(n) for n in range(MOST_LEVELS)))
    assert kept.with_level(99.0) == (*kept.levels[1:], 99.0)
    assert kept.with_level(None) == kept.levels


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ((), ""),
        ((35.0,), "理解程度 35（0-100）"),
        ((35.0, 60.0), "理解程度 35、60（0-100）；在上升"),
        ((60.0, 35.5), "理解程度 60、35.5（0-100）；在下降"),
        ((60.0, 30.0, 60.0), "理解程度 60、30、60（0-100）"),
    ],
)
def test_a_trend_in_words(levels: tuple[float, ...], told: str) -> None:
    """First and last level say where it goes."""
    assert trend_text(levels, base_words()) == told
