"""What each type of field takes: strict where a form is submitted, lenient where one talks."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.forms.values import Checked, Trouble, check_submission, check_talked
from executor_service.scripts.model.fields import FieldType, FormField
from heartrule.domain.json_value import JsonValue


def one(kind: str, **more: Any) -> FormField:
    return FormField(name="x", type=FieldType(kind), **more)


AGE = one("integer", min=0, max=120)
SCALE = one("scale", min=0, max=3, options=("没有", "几天", "过半", "每天"))
CHOICE = one("choice", options=("城市", "乡村"))


def submitted(field: FormField, value: JsonValue) -> JsonValue | Trouble:
    return outcome(check_submission((field,), {"x": value}))


def spoken(field: FormField, value: JsonValue) -> JsonValue | Trouble:
    return outcome(check_talked((field,), {"x": value}))


def outcome(checked: Checked) -> JsonValue | Trouble:
    return {**checked.values, **checked.wrong}.get("x")


@pytest.mark.parametrize(
    ("field", "value", "taken"),
    [
        (one("text"), " 小明 ", "小明"),
        (one("text"), 5, Trouble.TYPE),
        (one("number"), 1.5, 1.5),
        (one("number"), "1.50", 1.5),
        (one("number"), "25岁", Trouble.TYPE),
        (one("number"), True, Trouble.TYPE),
        (one("number"), [1], Trouble.TYPE),
        (AGE, 25, 25),
        (AGE, "25", 25),
        (AGE, 25.0, 25),
        (AGE, 25.5, Trouble.TYPE),
        (AGE, 121, Trouble.RANGE),
        (AGE, -1, Trouble.RANGE),
        (AGE, 0, 0),
        (one("boolean"), False, False),
        (one("boolean"), "true", True),
        (one("boolean"), 1, Trouble.TYPE),
        (one("boolean"), "也许", Trouble.TYPE),
        (CHOICE, "乡村", "乡村"),
        (CHOICE, "郊区", Trouble.OPTION),
        (CHOICE, ["乡村"], Trouble.OPTION),
        (SCALE, 3, 3),
        (SCALE, 4, Trouble.RANGE),
        (SCALE, "几天", Trouble.TYPE),
        (one("date"), "2020-02-29", "2020-02-29"),
        (one("date"), "2021-02-29", Trouble.TYPE),
        (one("date"), "2020年2月29日", Trouble.TYPE),
    ],
)
def test_a_submitted_value(field: FormField, value: JsonValue, taken: JsonValue | Trouble) -> None:
    """A form is typed: nothing is read out of a sentence."""
    told = submitted(field, value)
    assert (told, type(told)) == (taken, type(taken))


@pytest.mark.parametrize(
    ("field", "value", "taken"),
    [
        (AGE, "25岁", 25),
        (AGE, "二十五", Trouble.TYPE),
        (AGE, "300岁", Trouble.RANGE),
        (AGE, "25到30", Trouble.TYPE),
        (one("number"), "约80%", 80),
        (SCALE, "几天", 1),
        (SCALE, "2分", 2),
        (SCALE, "5", Trouble.RANGE),
        (SCALE, "偶尔", Trouble.TYPE),
        (CHOICE, " 城市 ", "城市"),
        (CHOICE, "山里", Trouble.OPTION),
        (one("boolean"), "没有", False),
        (one("date"), "2020年2月29日", "2020-02-29"),
        (one("text"), "  ", None),
    ],
)
def test_a_spoken_value(field: FormField, value: JsonValue, taken: JsonValue | Trouble) -> None:
    """Talk is converted as an output is, and then held against the field's bounds."""
    told = spoken(field, value)
    assert (told, type(told)) == (taken, type(taken))


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_an_empty_value_says_nothing(nothing: JsonValue) -> None:
    """It neither fills a field nor is it wrong."""
    assert check_submission((AGE,), {"x": nothing}) == Checked()


def test_values_of_no_field_are_counted_and_dropped() -> None:
    """A front end that knows another version of the form does no harm."""
    checked = check_submission((AGE,), {"x": 1, "y": 2, "z": None})
    assert checked == Checked(values={"x": 1}, unknown=2)
