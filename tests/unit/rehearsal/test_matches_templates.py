"""The rehearsal model answers exactly what the shipped templates ask for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.prompts import build_messages
from heartrule.model.rehearsal.policy import answer
from heartrule.model.template_store import TemplateStore

STORE = TemplateStore(Path(__file__).parents[3] / "_system" / "config")
KINDS = ("ai_ask", "ai_say", "ai_think", "ai_ask_monitor", "ai_say_monitor")


def leaves(name: str, value: JsonValue) -> dict[str, JsonValue]:
    """Return a reply's values under the dotted names of the front matter."""
    if not isinstance(value, dict) or name == "variables":
        return {name: value}
    inner = [leaves(f"{name}.{key}" if name else str(key), item) for key, item in value.items()]
    return {key: item for found in inner for key, item in found.items()}


@pytest.mark.parametrize("scheme", ["", "cbt_anxiety"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", ["小明", "不想说", "没听懂"])
def test_fields_of_the_template(kind: str, scheme: str, words: str) -> None:
    """Every asked field is there, in order, and none repeats its own description."""
    template = STORE.get(kind, scheme)
    card: dict[str, JsonValue] = {
        "kind": kind,
        "task": "我该怎么称呼你？",
        "user_input": words,
        "asks": list(template.asks),
    }
    prompt = build_messages(template, "turn", system={}, script={}, card=card)
    reply = answer(prompt.messages)
    assert isinstance(reply, str)
    found = leaves("", json.loads(reply))
    assert list(found) == list(template.fields)
    assert not [name for name, text in template.fields.items() if text in str(found[name])]
