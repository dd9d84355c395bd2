"""Outputs converted to the types a script asks for."""

from __future__ import annotations

import pytest

from executor_service.scripts.configs import Output, OutputType
from executor_service.variables.outputs import convert, convert_outputs
from heartrule.domain.json_value import JsonValue


def output(kind: OutputType, *options: str, get: str = "x") -> Output:
    """Return an output of a type."""
    return Output(get=get, type=kind, options=options)


@pytest.mark.parametrize(
    ("kind", "said", "value"),
    [
        (OutputType.TEXT, " 我叫“小明”, {{task}} ", " 我叫“小明”, {{task}} "),
        (OutputType.TEXT, 25, "25"),
        (OutputType.TEXT, ["头痛", "失眠"], "头痛、失眠"),
        (OutputType.NUMBER, "3.50", 3.5),
        (OutputType.NUMBER, "0", 0),
        (OutputType.NUMBER, 4.0, 4),
        (OutputType.INTEGER, "２５", 25),
        (OutputType.INTEGER, 25.0, 25),
        (OutputType.BOOLEAN, "是", True),
        (OutputType.BOOLEAN, False, False),
        (OutputType.DATE, "2026年3月5日", "2026-03-05"),
    ],
)
def test_converts(kind: OutputType, said: JsonValue, value: JsonValue) -> None:
    """Each type takes what plainly is of it; text stays exactly as it was said."""
    converted = convert(said, output(kind))
    assert (converted, type(converted)) == (value, type(value))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (OutputType.NUMBER, "二十五"),
        (OutputType.NUMBER, [3]),
        (OutputType.INTEGER, "2.5"),
        (OutputType.INTEGER, 2**53),
        (OutputType.NUMBER, "110105194912310021"),
        (OutputType.BOOLEAN, "也许"),
        (OutputType.DATE, "上周二"),
        (OutputType.CHOICE, "丙"),
    ],
)
def test_does_not_convert(kind: OutputType, said: JsonValue) -> None:
    """What is not plainly of the type is never guessed."""
    assert convert(said, output(kind, "甲", "乙")) is None


@pytest.mark.parametrize(("said", "option"), [("a ", "A"), ("Ｂ", "B"), (3, "3")])
def test_choice(said: JsonValue, option: str) -> None:
    """A choice gives the option as its script writes it."""
    assert convert(said, output(OutputType.CHOICE, "A", "B", "3")) == option


@pytest.mark.parametrize("said", [None, "", " \n"])
def test_nothing_said(said: JsonValue) -> None:
    """Null and blank text leave a variable alone, without a degradation."""
    converted = convert_outputs({"x": said}, (output(OutputType.NUMBER),))
    assert (converted.values, converted.degradations) == ({}, ())


def test_failure_is_recorded() -> None:
    """A value that does not convert stays unset and is recorded, without the value itself."""
    converted = convert_outputs(
        {"年龄": "不想说", "姓名": "小明", "别的": "?"},
        (output(OutputType.INTEGER, get="年龄"), output(OutputType.TEXT, get="姓名")),
    )
    (failed,) = converted.degradations
    assert converted.values == {"姓名": "小明"}
    assert (failed.stage, failed.reason) == ("variables", "OUTPUT_NOT_CONVERTED")
    assert failed.metadata == {"variable": "年龄", "type": "integer"}


def test_false_and_zero_are_kept() -> None:
    """0 and false are values."""
    outputs = (output(OutputType.NUMBER, get="n"), output(OutputType.BOOLEAN, get="b"))
    assert convert_outputs({"n": 0, "b": False}, outputs).values == {"n": 0, "b": False}
