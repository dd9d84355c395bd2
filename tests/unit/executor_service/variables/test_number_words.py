"""Numbers in a person's words."""

from __future__ import annotations

import pytest

from executor_service.variables.number_words import numbers_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("今年25岁", 25),
        ("１,２００块", 1200),
        ("零下-3度", -3),
        ("2万", 20_000),
        ("三十岁", 30),
        ("十二", 12),
        ("两个月", 2),
        ("一百零五", 105),
        ("一百二", 120),
        ("两千五", 2500),
        ("一万二千", 12_000),
        ("二〇二四年", 2024),
        ("三点五", 3.5),
        ("一个半小时", 1.5),
        ("半年", 0.5),
        ("七八个", 8),
        ("twenty-five years", 25),
        ("one hundred and five", 105),
        ("I am Thirty", 30),
        ("twice", 2),
    ],
)
def test_a_number_is_read(text: str, number: float) -> None:
    """Digits, Chinese numerals and English words."""
    assert number in numbers_in(text)


@pytest.mark.parametrize("text", ["", "小明", "none", "often", "9" * 30])
def test_no_number(text: str) -> None:
    """Other words hold none, nor do digits nobody could have meant."""
    assert numbers_in(text) == frozenset()


def test_long_runs_are_passed_over() -> None:
    """A run of a hundred thousand numerals is read in one pass and means nothing."""
    assert len(numbers_in("一" * 100_000)) == 0
