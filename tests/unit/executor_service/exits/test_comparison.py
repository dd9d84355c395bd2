"""Comparing a variable with an author's value."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from executor_service.exits.comparison import compare, day_of, number_of, truth_of
from executor_service.scripts.model.exits import ConditionOperator as Op
from heartrule.domain.json_value import JsonValue

NUMBERS: list[tuple[JsonValue, JsonValue, int]] = [
    (3, 5, -1),
    ("3", 5, -1),
    (5, "5.0", 0),
    ("５", 5, 0),
    (0, 0, 0),
    (10, "9", 1),
    (" 7 ", 7.0, 0),
    (0.1, "0.1", 0),
    ("9007199254740993", 9007199254740992, 1),
    (-2, "-1", -1),
    ("2026-02-01", "2026-01-31", 1),
    ("2026年2月1日", "2026-02-02", -1),
]
HOLDS = {
    Op.EQUAL: {0},
    Op.NOT_EQUAL: {-1, 1},
    Op.GREATER: {1},
    Op.LESS: {-1},
    Op.GREATER_OR_EQUAL: {0, 1},
    Op.LESS_OR_EQUAL: {-1, 0},
}


@pytest.mark.parametrize("operator", HOLDS)
@pytest.mark.parametrize(("actual", "wanted", "order"), NUMBERS)
def test_order(actual: JsonValue, wanted: JsonValue, order: int, operator: Op) -> None:
    """Numbers, texts that hold numbers, and dates follow one order under all six operators."""
    assert compare(actual, operator, wanted) is (order in HOLDS[operator])


@pytest.mark.parametrize(
    ("actual", "wanted", "equal"),
    [
        ("平静", "平静", True),
        (" 平静\n", "平静", True),
        ("平静", "焦虑", False),
        ("", "", True),
        (True, True, True),
        (False, "false", True),
        ("True", True, True),
        ("true", False, False),
        ("是", True, True),
    ],
)
def test_equality(actual: JsonValue, wanted: JsonValue, equal: bool) -> None:  # noqa: FBT001 - a table
    """Texts are equal without the white space around them, truth values also when spelled."""
    assert compare(actual, Op.EQUAL, wanted) is equal
    assert compare(actual, Op.NOT_EQUAL, wanted) is not equal


@pytest.mark.parametrize(
    ("actual", "wanted", "held"),
    [
        ("晚上睡不好", "睡", True),
        ("晚上很好", "睡", False),
        ("分数是12分", 12, True),
        ("分数是12分", 12.0, True),
        (["头痛", "失眠"], "失眠", True),
        (["头痛"], "失眠", False),
        ([1, 2], "2", True),
        ([], "x", False),
        ("", "x", False),
    ],
)
def test_contains(actual: JsonValue, wanted: JsonValue, held: bool) -> None:  # noqa: FBT001 - a table
    """A text contains a piece of it, a list an equal item."""
    assert compare(actual, Op.CONTAINS, wanted) is held


@pytest.mark.parametrize(
    ("actual", "operator", "wanted"),
    [
        ("不知道", Op.GREATER, 3),
        ("不知道", Op.EQUAL, 3),
        ("不知道", Op.NOT_EQUAL, 3),
        ("轻度", Op.LESS, "重度"),
        ("2026-01-01", Op.GREATER, 3),
        (True, Op.GREATER, 0),
        (True, Op.EQUAL, 1),
        ("也许", Op.EQUAL, True),
        (["a"], Op.EQUAL, "a"),
        ({"a": 1}, Op.CONTAINS, "a"),
        (12, Op.CONTAINS, 1),
        ("任何", Op.CONTAINS, ""),
        ("NaN", Op.LESS, 3),
        ("1_0", Op.EQUAL, 10),
        (float("inf"), Op.GREATER, 3),
    ],
)
def test_not_comparable(actual: JsonValue, operator: Op, wanted: JsonValue) -> None:
    """What has no common measure is neither true nor false."""
    assert compare(actual, operator, wanted) is None


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
