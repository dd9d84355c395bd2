"""Numbers, truth values and days out of plain values."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from executor_service.exits.plain import day_of, number_of, truth_of
from heartrule.domain.json_value import JsonValue


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, "0"),
        (2.5, "2.5"),
        ("-3", "-3"),
        (" 7\n", "7"),
        ("１２．５", "12.5"),
        ("+4.0", "4.0"),
    ],
)
def test_numbers(value: JsonValue, number: str) -> None:
    """A number is itself, a text may hold one, full-width digits included."""
    assert number_of(value) == Decimal(number)


@pytest.mark.parametrize(
    "value",
    ["1e3", "٣", "3岁", "", "1" * 41, "0x10", "1_0", "NaN", "3 4", True, None, [3], float("nan")],
)
def test_no_number(value: JsonValue) -> None:
    """Nothing else is a number."""
    assert number_of(value) is None


@pytest.mark.parametrize("value", [True, "true", " TRUE ", "yes", "Y", "是", "1"])
def test_true(value: JsonValue) -> None:
    """True is spelled in these whole words."""
    assert truth_of(value) is True


@pytest.mark.parametrize("value", [False, "False", "no", "n", "否", "0"])
def test_false(value: JsonValue) -> None:
    """False is spelled in these whole words."""
    assert truth_of(value) is False


@pytest.mark.parametrize("value", ["是的吧", "", "YES或NO", 1, 0, None, [True]])
def test_neither(value: JsonValue) -> None:
    """A longer text or a number is no truth value."""
    assert truth_of(value) is None


@pytest.mark.parametrize(
    "text", ["2026-02-01", "2026/2/1", "2026.2.1", "2026年2月1日", "２０２６-02-01"]
)
def test_days(text: str) -> None:
    """A day may be written in the common ways, year first."""
    assert day_of(text) == date(2026, 2, 1)


@pytest.mark.parametrize(
    "value", ["2026-02-30", "2月1日", "上周二", "1/2/2026", "20260201", 20260201]
)
def test_no_day(value: JsonValue) -> None:
    """A day that is not told in full, or does not exist, is none."""
    assert day_of(value) is None
