"""How the rehearsal model takes values from words."""

from __future__ import annotations

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.extraction import take
from heartrule.model.rehearsal.task import OutputSpec


@pytest.mark.parametrize(
    ("kind", "words", "value"),
    [
        ("text", "我叫{{task}}", "我叫{{task}}"),
        ("number", "大概7分，有时8分", 7),
        ("number", "６．５", 6.5),
        ("number", "二十五岁", 25),
        ("number", "一直睡不好，大概七分", 7),
        ("number", "十五", 15),
        ("number", "八", 8),
        ("number", "很高", None),
        ("integer", "3次", 3),
        ("integer", "3.5次", None),
        ("boolean", "是的", True),
        ("boolean", "不错", True),
        ("boolean", "没有过", False),
        ("boolean", "I don't", False),
        ("boolean", "Yes, I know", True),
        ("boolean", "香蕉", None),
        ("date", "2025年3月1日吧", "2025-03-01"),
        ("date", "2025-02-30", None),
        ("date", "上周二", None),
    ],
)
def test_value_of_each_type(kind: str, words: str, value: JsonValue) -> None:
    """Text takes the words as they are; any other type takes what is plainly there."""
    assert take(words, [OutputSpec(name="x", type=kind)]).get("x") == value


def test_choice_takes_the_first_option_that_occurs() -> None:
    """The option named first wins, and of two at one place the longer."""
    output = OutputSpec(name="x", type="choice", options=("好", "很好", "差"))
    assert take("很好，偶尔差", [output]) == {"x": "很好"}
    assert take("不知", [output]) == {}
