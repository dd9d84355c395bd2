"""The rehearsal model answers exactly what the shipped templates ask for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from executor_service.scripts.checking.lint import TEMPLATES
from heartrule.domain.json_value import JsonValue
from heartrule.model.prompts import build_messages
from heartrule.model.rehearsal.answering import answer
from heartrule.model.reply.agent_reply import read_agent_reply
from heartrule.model.reply.contract import (
    ASK_METRICS,
    SAY_METRICS,
    agent_contract,
    talk_contract,
)
from heartrule.model.reply.typed_replies import read_talk_reply
from heartrule.model.task_card import with_task_card
from heartrule.model.template_store import TemplateStore

STORE = TemplateStore(Path(__file__).parents[3] / "_system" / "config")
KINDS = (
    *(name for names in TEMPLATES.values() for name in names),
    *("generic_monitor", "strategy_generation", "topic_orchestrator"),
)


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
    reply = answer(with_task_card(prompt.messages, prompt.card))
    assert isinstance(reply, str)
    found = leaves("", json.loads(reply))
    assert set(found) - set(template.on_exit) == set(template.fields) - set(template.on_exit)
    assert not [name for name, text in template.fields.items() if text in str(found[name])]


@pytest.mark.parametrize("section", ["opening", "turn"])
def test_decisions_are_read_without_a_warning(section: str) -> None:
    """An agent's reply is taken as it is, its texts too."""
    template = STORE.get("ai_agent")
    card: dict[str, JsonValue] = {"kind": "ai_agent", "stage": section, "task": "陪来访者谈谈"}
    card |= {"user_input": "还好", "outputs": [{"name": "近况"}], "asks": list(template.asks)}
    prompt = build_messages(template, section, system={}, script={}, card=card)
    reply = read_agent_reply(
        str(answer(with_task_card(prompt.messages, prompt.card))),
        contract=agent_contract(metrics=ASK_METRICS, outputs=("近况",)),
        own_words=template.own_words,
        client_text="还好",
    )
    assert (len(reply.decisions), reply.diagnosis.retry_count) == (1, 1)
    assert reply.diagnosis.warnings == ()


@pytest.mark.parametrize("section", ["opening", "turn"])
@pytest.mark.parametrize(
    ("kind", "metrics"),
    [("ai_ask", ASK_METRICS), ("ai_say", SAY_METRICS), ("fill_form", ASK_METRICS)],
)
def test_replies_are_read_without_a_warning(
    kind: str, metrics: tuple[str, ...], section: str
) -> None:
    """The parser takes a reply of the rehearsal model as it is, opening or judging."""
    template = STORE.get(kind)
    card: dict[str, JsonValue] = {"kind": kind, "stage": section, "task": "你好吗？"}
    card |= {"user_input": "还好", "outputs": [{"name": "近况"}]}
    prompt = build_messages(template, section, system={}, script={}, card=card)
    reply = read_talk_reply(
        str(answer(with_task_card(prompt.messages, prompt.card))),
        contract=talk_contract(metrics=metrics, outputs=("近况",)),
        own_words=template.own_words,
        client_text="还好",
        finish_reason="stop",
    )
    assert (reply.readable, reply.diagnosis.retry_count) == (True, 1)
    assert reply.diagnosis.warnings == ()
