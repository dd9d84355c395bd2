"""Outputs in the types a script asks for."""

from __future__ import annotations

import pytest

from executor_service.scripts.model.fields import Output
from executor_service.variables.outputs import convert_outputs
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType


def output(kind: OutputType, *options: str, get: str = "x") -> Output:
    """Return an output of a type."""
    return Output(get=get, type=kind, options=options)


@pytest.mark.parametrize(
    ("kind", "said", "value"),
    [
        (OutputType.TEXT, "我叫“小明”, {{task}}", "我叫“小明”, {{task}}"),
        (OutputType.TEXT, ["头痛", "失眠"], "头痛、失眠"),
        (OutputType.NUMBER, "3.50", 3.5),
        (OutputType.INTEGER, "２５", 25),
        (OutputType.BOOLEAN, "是", True),
        (OutputType.CHOICE, "Ａ", "a"),
        (OutputType.DATE, "2026年3月5日", "2026-03-05"),
    ],
)
def test_every_type(kind: OutputType, said: JsonValue, value: JsonValue) -> None:
    """Each type a script may name is converted to."""
    converted = convert_outputs({"x": said}, (output(kind, "a", "b"),)).values["x"]
    assert (converted, type(converted)) == (value, type(value))


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
