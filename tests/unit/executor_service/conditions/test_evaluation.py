"""Asking conditions: values are data, and an error never decides."""

from __future__ import annotations

import pytest

from executor_service.conditions.compile import compile_condition
from executor_service.conditions.expression import Evaluation
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType

TYPES = {
    "年龄": OutputType.NUMBER,
    "次数": OutputType.INTEGER,
    "同意": OutputType.BOOLEAN,
    "日期": OutputType.DATE,
}


def ask(text: str, **values: JsonValue) -> Evaluation:
    return compile_condition(text, TYPES).evaluate(values)


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("{选择} == 'A' && {年龄} >= 12", {"选择": "A", "年龄": 12}, True),
        ("{选择} == 'A' && {年龄} >= 12", {"选择": "A", "年龄": 11.5}, False),
        ("!({情绪} in ['平静', '愉快'])", {"情绪": "低落"}, True),
        ("{主诉}.contains('睡')", {"主诉": "睡不着"}, True),
        ("{次数} == 0", {"次数": 0}, True),
        ("{同意}", {"同意": False}, False),
        ("{主诉} == ''", {"主诉": ""}, True),
        ("{次数} / 2 == 1.5", {"次数": 3}, False),
        ("{次数} / 2.0 == 1.5", {"次数": 3}, True),
        ("{年龄} == 12", {"年龄": 12.0}, True),
        ("{次数} == 12", {"次数": 12.0}, True),
        ("{日期} < '2026-02-01'", {"日期": "2026-01-31"}, True),
        ("'{主诉}' == {主诉}", {"主诉": "{主诉}"}, True),
        ("{主诉} == 'a' // {主诉}", {"主诉": "a"}, True),
    ],
)
def test_an_answer_follows_the_values(
    text: str, values: dict[str, JsonValue], *, expected: bool
) -> None:
    """0, false and "" are values; numbers compare across types; quotes hold no variables."""
    assert ask(text, **values) == Evaluation(value=expected)


def test_a_variable_without_value_decides_nothing() -> None:
    """The verdict names the variable that is missing."""
    assert ask("{年龄} > 3") == Evaluation(value=None, reason="NO_VALUE", variable="年龄")
    assert ask("{年龄} > 3", 年龄=None) == Evaluation(
        value=None, reason="NO_VALUE", variable="年龄"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("年龄", "十二"), ("年龄", True), ("次数", 1.5), ("次数", 2**63), ("同意", "是"), ("主诉", 3)],
)
def test_a_value_of_another_type_decides_nothing(name: str, value: JsonValue) -> None:
    """Values are never converted into what a condition would like."""
    texts = {"年龄": "{年龄} > 3", "次数": "{次数} > 3", "同意": "{同意}", "主诉": "{主诉} == '3'"}

    verdict = ask(texts[name], **{name: value})

    assert verdict == Evaluation(value=None, reason="WRONG_TYPE", variable=name)


def test_whether_a_variable_has_a_value_can_be_asked() -> None:
    """has() is true of 0, false and "" and of a value of any type."""
    assert ask("has({年龄})", 年龄=0).value is True
    assert ask("has({年龄})", 年龄="x").value is True
    assert ask("has({年龄}) && {年龄} > 3").value is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{年龄} > 3 || {同意}", True),
        ("{同意} || {年龄} > 3", True),
        ("{年龄} > 3 && !{同意}", False),
        ("!{同意} && {年龄} > 3", False),
    ],
)
def test_one_side_that_decides_is_enough(text: str, *, expected: bool) -> None:
    """&& and || do not care which of their sides has no value."""
    assert ask(text, 同意=True).value is expected


def test_a_result_that_cannot_be_computed_decides_nothing() -> None:
    """A division by zero is no variable's fault."""
    assert ask("1 / {次数} == 1", 次数=0) == Evaluation(value=None, reason="NOT_COMPUTABLE")
    assert ask("1 / {年龄} == 1", 年龄=0) == Evaluation(value=None, reason="NOT_COMPUTABLE")


@pytest.mark.parametrize("said", ["' || true || '", "{同意}", "x' == 'x", "\ud800", "a\0b"])
def test_what_a_client_typed_is_never_part_of_the_condition(said: str) -> None:
    """A text that looks like CEL is compared, not read."""
    assert ask("{主诉} == 'x' && !{同意}", 主诉=said, 同意=False).value is False
