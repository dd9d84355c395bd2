"""Placeholders are filled in one pass, longest form first, from two layers."""

from __future__ import annotations

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.template_filling import (
    fill,
    fill_lines,
    placeholders,
    render_value,
)


@pytest.mark.parametrize("written", ["${名字}", "{{名字}}", "{名字}"])
def test_script_forms(written: str) -> None:
    """Three forms take a script variable, in Chinese too."""
    assert fill(f"你好，{written}！", {}, {"名字": "小明"}).text == "你好，小明！"


def test_system_form_ignores_script() -> None:
    """`{%x%}` is the system's even where a script variable has that name."""
    filled = fill("{%task%}|{task}", {"task": "系统"}, {"task": "脚本"})
    assert filled.text == "系统|脚本"


def test_script_variables_win() -> None:
    """In the other forms a script variable hides the system variable of its name."""
    assert fill("${time} {{time}} {time}", {"time": "S"}, {"time": "x"}).text == "x x x"


def test_system_fills_what_script_lacks() -> None:
    """A name no script variable has is taken from the system variables."""
    assert fill("{time}", {"time": "12:00"}, {}).text == "12:00"


@pytest.mark.parametrize("typed", ["{{task}}", "${x}", "{%chat%}", "{secret}", "\\g<0>"])
def test_values_are_never_scanned(typed: str) -> None:
    """What a client typed arrives as typed."""
    filled = fill("说：{%user_input%}。", {"user_input": typed, "task": "秘密"}, {"x": 1})
    assert filled.text == f"说：{typed}。"


def test_missing_names_are_empty_and_reported() -> None:
    """A name nothing fills becomes empty and is named once."""
    filled = fill("[{a}][{{b}}][${a}]", {}, {})
    assert (filled.text, filled.missing) == ("[][][]", ("a", "b"))


def test_known_empty_value_is_not_missing() -> None:
    """An empty string and null are values."""
    assert fill("[{a}{b}]", {"a": ""}, {"b": None}).missing == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{{x}}}", "{1}"),
        ("$${x}", "$1"),
        ("{% x %}", "{% x %}"),
        ('{"EXIT": "NO"}', '{"EXIT": "NO"}'),
        ("{1a} {} { x } {x-y}", "{1a} {} { x } {x-y}"),
        ("{x}{x}", "11"),
    ],
)
def test_longest_form_first(text: str, expected: str) -> None:
    """Brackets that are no placeholder stay as they are."""
    assert fill(text, {}, {"x": 1}).text == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (0, "0"),
        (25.0, "25"),
        (2.5, "2.5"),
        (["早上", 2, False], "早上、2、false"),
        ({"a": "甲", "b": [1]}, '{"a":"甲","b":[1]}'),
    ],
)
def test_values_as_text(value: JsonValue, text: str) -> None:
    """Each kind of value has one rendering."""
    assert render_value(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([{"谁": "妈妈", "次数": 2.0}, {"谁": "哥哥"}], "谁：妈妈，次数：2；谁：哥哥"),
        ([{"who": "my mother", "times": 2}, {"who": "a"}], "who: my mother, times: 2; who: a"),
        ({"谁": "妈妈"}, "谁：妈妈"),
        (["早上", {"谁": "妈妈"}], '早上、{"谁":"妈妈"}'),
        ([], ""),
        ([{}], ""),
    ],
)
def test_records_are_read_by_people(value: JsonValue, text: str) -> None:
    """A list that was collected stands in a text without the signs of JSON."""
    assert fill("{x}", {}, {"x": value}).text == text


def test_listing() -> None:
    """Placeholders are listed from left to right as they are written."""
    found = placeholders("a{x}${y}{{z}}{%w%}")
    assert [(p.name, p.written, p.system_only) for p in found] == [
        ("x", "{x}", False),
        ("y", "${y}", False),
        ("z", "{{z}}", False),
        ("w", "{%w%}", True),
    ]


SECTION = """【话题】{%topic%}
【已知】
{%known%}
【规则】
- 甲 {%first%}
- 乙 {%second%}
结尾"""


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, "结尾"),
        ({"topic": "睡眠"}, "【话题】睡眠\n结尾"),
        ({"known": "- 名字：小明"}, "【已知】\n- 名字：小明\n结尾"),
        ({"second": "二"}, "【规则】\n- 乙 二\n结尾"),
    ],
)
def test_empty_lines_and_their_labels_are_left_out(values: dict[str, str], expected: str) -> None:
    """A line whose placeholders are all empty is not written, nor a label without lines."""
    assert fill_lines(SECTION, values, {}).text == expected


def test_what_nothing_fills_is_named_though_its_line_is_left_out() -> None:
    """A placeholder that nothing fills is missing; one that is filled with nothing is not."""
    assert fill_lines("{%a%}\n{%b%}", {"a": ""}, {}).missing == ("b",)


def test_a_label_above_plain_text_stays() -> None:
    """A label is left out for empty lines alone."""
    assert fill_lines("规则：\n照写\n{%a%}\n完：", {}, {}).text == "规则：\n照写\n完："


def test_a_label_does_not_stand_for_a_line_with_words_of_its_own() -> None:
    """The client's words may be missing above the last line, which shows the reply's shape."""
    section = "【刚才说的】\n{%user_input%}\n请只输出：{%shape%}"
    assert fill_lines(section, {"shape": "{}"}, {}).text == "请只输出：{}"
