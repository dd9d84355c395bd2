"""How the rehearsal model fills a form: in order, several at once, within each field's bounds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.answering import answer
from heartrule.model.task_card import task_card

SCALE: dict[str, JsonValue] = {
    "type": "scale",
    "min": 0,
    "max": 3,
    "options": ["没有", "几天", "过半", "每天"],
}
FIELDS: list[JsonValue] = [
    {"name": "q1", "label": "没劲", **SCALE},
    {"name": "q2", "label": "低落", **SCALE},
    {"name": "where", "label": "住在", "type": "choice", "options": ["城市", "乡村"]},
    {"name": "note", "label": "备注", "type": "text", "required": False},
]


def reply(words: str, fields: list[JsonValue] | None = None, **card: Any) -> dict[str, Any]:
    """Return the reply to a form's card."""
    whole: dict[str, JsonValue] = {
        "kind": "fill_form",
        "stage": "turn",
        "task": "填一张表。",
        "user_input": words,
        "form": {"title": "近况", "fields": fields or FIELDS},
        **card,
    }
    text = answer([ChatMessage(role="user", content=task_card(whole))])
    assert isinstance(text, str)
    told: dict[str, Any] = json.loads(text)
    return told


def with_state(number: int, state: str) -> list[JsonValue]:
    fields = [dict(field) for field in FIELDS if isinstance(field, dict)]
    fields[number]["state"] = state
    return [*fields]


def test_the_opening_introduces_and_asks_the_first_field() -> None:
    """With its place in the form and what may be answered."""
    content = reply("", stage="opening")["content"]
    assert content == "填一张表。（1/4）没劲：0 没有，1 几天，2 过半，3 每天"


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("2", {"q1": 2}),
        ("几天", {"q1": 1}),
        ("我觉得是每天", {"q1": 3}),
        ("5", {}),
        ("还行吧", {}),
        ("1 2", {"q1": 1, "q2": 2}),
        ("1，2，乡村", {"q1": 1, "q2": 2, "where": "乡村"}),
        ("1 9", {"q1": 1}),
    ],
)
def test_values_are_taken_in_order(words: str, values: dict[str, JsonValue]) -> None:
    """One for the field that was asked, or one for each piece where all of them fit."""
    assert reply(words)["variables"] == values


def test_the_next_open_field_is_asked() -> None:
    """A field that is filled is not asked again."""
    told = reply("2", with_state(1, "filled"))
    assert "（3/4）住在：城市，乡村" in told["content"]
    assert told["EXIT"] == "NO"


def test_a_field_whose_answer_did_not_fit_is_asked_again() -> None:
    """The card says so, whatever the rehearsal model thought before."""
    told = reply("什么意思", with_state(0, "range"))
    assert "（1/4）没劲" in told["content"]


def test_the_last_required_field_ends_it() -> None:
    """Optional ones are not waited for."""
    told = reply("乡村", [*with_state(0, "filled")[:1], FIELDS[2], FIELDS[3]])
    assert (told["EXIT"], told["progress_suggestion"]) == ("YES", "completed")


def test_who_will_not_fill_it_need_not() -> None:
    """The form is left, as blocked."""
    told = reply("我不想填了")
    assert (told["EXIT"], told["progress_suggestion"]) == ("YES", "blocked")


def test_an_english_form_is_asked_in_english() -> None:
    """The task's language decides."""
    field: JsonValue = {"name": "age", "label": "Your age", "type": "integer", "min": 0, "max": 120}
    told = reply("", [field], stage="opening", task="A short form.")
    assert told["content"] == "A short form. (1/1) Your age: 0–120"


def test_a_sum_is_added_and_one_with_a_gap_is_not() -> None:
    """ai_think adds what it is told to add."""
    card: dict[str, Any] = {"kind": "ai_think", "task": "把分数相加", "form": {}}
    card["outputs"] = [{"name": "总分", "type": "integer"}]
    assert reply("", inputs={"a": 1, "b": 2}, **card)["variables"] == {"总分": 3}
    assert reply("", inputs={"a": 1, "b": None}, **card)["variables"] == {}
