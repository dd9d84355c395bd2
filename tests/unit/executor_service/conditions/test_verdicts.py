"""A property of all conditions: what has no value, or a wrong one, never decides by accident."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from executor_service.conditions.compile import ConditionError, compile_condition
from executor_service.conditions.expression import Evaluation
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType

TYPES = {"a": OutputType.NUMBER, "b": OutputType.INTEGER, "c": OutputType.BOOLEAN}
GOOD: dict[str, tuple[JsonValue, ...]] = {
    "a": (0, 0.5, 1, 2.0),
    "b": (0, 1, 2),
    "c": (True, False),
    "d": ("x", "y", ""),
}
BAD: tuple[JsonValue, ...] = (None, [], {"x": 1})

PIECES = (
    *("{a}", "{b}", "{c}", "{d}", "has({a})", "'x", "'", "1", "2.5", "in", "[", "]", "(", ")"),
    *("&&", "||", "!", "==", ">", "+", "/", "?", ":", ",", ".contains(", ".matches('", "//"),
)
ATOMS = st.sampled_from(
    ["{a} > 1", "{a} == {b}", "{b} in [1, 2]", "{c}", "{d} == 'x'", "{d}.contains('x')", "has({a})"]
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!({})".format, inner),
    ),
    max_leaves=6,
)
VALUES = st.fixed_dictionaries(
    {name: st.sampled_from((*good, *BAD)) for name, good in GOOD.items()}
)


@given(text=st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_any_text_is_compiled_or_refused_where_it_is_wrong(text: str) -> None:
    """Whatever somebody writes: a condition that can be asked, or a message at an offset inside."""
    verdict, offset = Evaluation(value=True), 0
    try:
        verdict = compile_condition(text, TYPES).evaluate({"a": 1, "b": 2, "c": True, "d": "x"})
    except ConditionError as refused:
        offset = refused.offset

    assert verdict.value is not None or verdict.reason
    assert 0 <= offset <= len(text)


@given(condition=CONDITIONS, values=VALUES, data=st.data())
def test_a_decision_never_rests_on_a_value_that_is_not_there(
    condition: str, values: dict[str, JsonValue], data: st.DataObject
) -> None:
    """A decided verdict stays the same whatever the missing and wrong values really were.

    has() is asked of the real values: only a wrong one, which is there, may be exchanged for it.
    """
    expression = compile_condition(condition, TYPES)
    verdict = expression.evaluate(values)
    keep_absent = "has(" in condition
    other = {
        name: data.draw(st.sampled_from(GOOD[name]))
        if value in BAD and not (keep_absent and value is None)
        else value
        for name, value in values.items()
    }

    if verdict.value is None:
        assert verdict.variable in TYPES.keys() | {"d"}
        assert values[verdict.variable] in BAD
    else:
        assert expression.evaluate(other) == verdict
