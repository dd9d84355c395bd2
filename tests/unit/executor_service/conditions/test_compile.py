"""Compiling conditions: what loads, what is refused, where and in which words."""

from __future__ import annotations

import pytest

from executor_service.conditions.compile import ConditionError, compile_condition
from heartrule.domain.output_type import OutputType

TYPES = {
    "年龄": OutputType.NUMBER,
    "次数": OutputType.INTEGER,
    "同意": OutputType.BOOLEAN,
    "日期": OutputType.DATE,
    "选择": OutputType.CHOICE,
}

REFUSED = [
    ("{主诉} >= 12", 5, "`type: number`"),
    ("{主诉} == 3", 5, "{主诉} is text"),
    ("3 < {主诉}", 2, "`type: number`"),
    ("{主诉} in [1, 2]", 5, "`type: number`"),
    ("{甲} == 'x' && {乙} > 3", 18, "{乙} is text"),
    ("'睡觉' == {主诉}\n&& {主诉} > 3", 21, "`type: number`"),
    ("{年龄} == '12'", 5, "without quotes"),
    ("{同意} == 'true'", 5, "true or false and text"),
    ("{主诉}", 0, "yields text"),
    ("{年龄} + 1", 0, "yields a number"),
    ("{次数}", 0, "yields an integer"),
    ("['a']", 0, "yields a list"),
    ("zork({主诉})", 0, "no function zork"),
    ("{主诉}.foo('a')", 5, "no function foo"),
    ("[1].all(y, y > 0)", 4, "no function all"),
    ("timestamp('2026-01-01') == {日期}", 0, "no function timestamp"),
    ("主诉 == 'a'", 0, "written {主诉}"),
    ("{主诉} = 'a'", 5, "=="),
    ("{主诉} == 'a' and {同意}", 12, "&&"),
    ("{主诉} == “a”", 8, "“"),
    ("{主诉} == null", 8, "has({name})"),
    ("has(主诉)", 0, "has({name})"),
    ("${主诉} == 'a'", 0, "{name}"),
    ("{{主诉}} == 'a'", 0, "{name}"),
    ("{%主诉%} == 'a'", 0, "{name}"),
    ("{主诉}.matches('(')", 12, "pattern"),
    ("{主诉}.matches({乙})", 12, "in quotes"),
    ("{主诉} ==", 7, "ends too early"),
    ("({主诉} == 'a'", 12, "ends too early"),
    ("{主诉} == 'a", 8, "does not end"),
    ("  ", 0, "empty"),
    ("{主诉} == '\ud800'", 9, "no text"),
    ("{主诉} == 'a\0'", 10, "no text"),
]
"""Conditions, where they go wrong, and words their message has."""

ACCEPTED = [
    "{选择} == 'A' && {年龄} >= 12",
    "!({情绪} in ['平静', '愉快'])",
    "{主诉}.contains('睡')",
    "has({年龄}) || has( {主诉} )",
    "{次数} > 3.5 && {年龄} > 3 && {年龄} != {次数}",
    "{次数} in [1, 2.5] || {年龄} in [1, 2]",
    "({次数} + {年龄}) * 2 / 3.0 - 1 > 0 && {次数} % 2 == 0",
    "{日期} > '2026-01-01'",
    "{同意} == true || !{同意}",
    "{同意} ? {年龄} > 1 : {年龄} < 1",
    "size({主诉}) > 3 && {主诉}.size() < 9",
    "{主诉}.matches('^睡.*') && {主诉}.startsWith('睡')",
    '{主诉} == "甲" // 后面是说明 {主诉',
]


@pytest.mark.parametrize(("text", "offset", "words"), REFUSED)
def test_what_is_wrong_is_said_where_it_stands(text: str, offset: int, words: str) -> None:
    """A refused condition names its place in code points and what would be right."""
    with pytest.raises(ConditionError) as refused:
        compile_condition(text, TYPES)

    assert refused.value.offset == offset
    assert words in refused.value.message


@pytest.mark.parametrize("text", ACCEPTED)
def test_conditions_of_the_language_compile(text: str) -> None:
    """Comparisons, arithmetic, lists, has and text functions compile for their types."""
    expression = compile_condition(text, TYPES)

    assert expression.names


def test_the_names_it_reads_are_known() -> None:
    """Each variable counts once, whether its value or its presence is asked; quoted ones do not."""
    expression = compile_condition("has({甲}) && {甲} == '{乙}' && {丙} == 'x'", {})

    assert expression.names == {"甲", "丙"}


def test_one_text_compiles_to_equal_expressions() -> None:
    """Two loads of one script are equal; another type makes another expression."""
    made = compile_condition("has({甲})", {})

    assert made == compile_condition("has({甲})", {})
    assert made != compile_condition("has({乙})", {})


@pytest.mark.parametrize(
    "text",
    [
        "'" + "x" * 2000 + "' == {甲}",
        "(" * 33 + "{同意}" + ")" * 33,
        "!" * 201 + "{同意}",
        " && ".join(f"{{v{n}}} == 'a'" for n in range(61)),
        "{同意}?{同意}:" * 150 + "{同意}",
    ],
    ids=["long", "nested", "operators", "variables", "chained"],
)
def test_a_hostile_condition_is_refused(text: str) -> None:
    """Length, nesting, operators and variables are bounded."""
    with pytest.raises(ConditionError):
        compile_condition(text, TYPES)


def test_too_many_sums_in_a_row_are_told_as_such() -> None:
    """The library's parser goes no deeper than 32."""
    types = {"a": OutputType.INTEGER}
    compile_condition(" + ".join(["{a}"] * 31) + " > 0", types)
    with pytest.raises(ConditionError, match="in a row"):
        compile_condition(" + ".join(["{a}"] * 40) + " > 0", types)
