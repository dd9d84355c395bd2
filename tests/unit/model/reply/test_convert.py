"""Values become what a script's output declares, or stay unset with a reason."""

from __future__ import annotations

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.convert import Unconvertible, convert, read_number


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (" 小明 ", "text", "小明"),
        (25, "text", "25"),
        (["早", "晚"], "text", "早、晚"),
        (False, "text", "false"),
        ("25岁", "integer", 25),
        ("２５", "integer", 25),
        ("约 1,200 元", "integer", 1200),
        ("25.0", "integer", 25),
        (25.0, "integer", 25),
        ("-3", "integer", -3),
        (2.5, "number", 2.5),
        ("2.5 小时", "number", 2.5),
        ("80%", "number", 80),
        (0, "number", 0),
        ("是", "boolean", True),
        ("没有", "boolean", False),
        (True, "boolean", True),
        ("false", "boolean", False),
        ("2026年11月21日", "date", "2026-11-21"),
        ("2026/1/2", "date", "2026-01-02"),
        ("2026-11-21", "date", "2026-11-21"),
    ],
)
def test_converted(value: JsonValue, kind: str, expected: JsonValue) -> None:
    """What names one value of the type is that value."""
    converted = convert(value, kind)
    assert converted == expected
    assert type(converted) is type(expected)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("", "text"),
        ("  ", "text"),
        (None, "text"),
        ({"a": 1}, "text"),
        ([], "text"),
        ("二十七岁", "integer"),
        ("3到5次", "integer"),
        ("25.5", "integer"),
        ("不知道", "number"),
        ("1" * 19, "number"),
        (True, "number"),
        ([5], "integer"),
        ("也许", "boolean"),
        ("上周二", "date"),
        ("2026-02-30", "date"),
        ("2026-11-21 10:00", "date"),
    ],
)
def test_unset(value: JsonValue, kind: str) -> None:
    """Everything else stays unset and says why, without repeating the client's words."""
    converted = convert(value, kind)
    assert isinstance(converted, Unconvertible)
    assert converted.reason.isascii()


def test_choice() -> None:
    """A choice is the option as the script spells it."""
    assert convert(" ａ ", "choice", ["A", "B"]) == "A"
    assert isinstance(convert("不是A", "choice", ["A", "B"]), Unconvertible)


def test_unknown_type() -> None:
    """A type no output may have is the caller's mistake."""
    with pytest.raises(ValueError):
        convert("x", "colour")


@pytest.mark.parametrize(
    ("text", "number"), [("约80%", 80), ("7.5", 7.5), ("", None), ("1/2", None)]
)
def test_one_number(text: str, number: float | None) -> None:
    """Exactly one number is read out of a text."""
    assert read_number(text) == number
