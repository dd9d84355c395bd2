"""What an agent gets from a reply: intent and decisions, as they were written."""

from __future__ import annotations

import json

import pytest

from heartrule.domain.action_result import UNREADABLE_METRIC, ActionMetrics
from heartrule.domain.decisions import Intent
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.agent_reply import AgentReply, WrittenDecision, read_agent_reply
from heartrule.model.reply.contract import ASK_METRICS, agent_contract
from heartrule.model.reply.prose import Skeleton

CONTRACT = agent_contract(metrics=ASK_METRICS, outputs=("目标", "intent"))
RESPOND: dict[str, JsonValue] = {
    "decision_type": "respond",
    "confidence": 0.8,
    "payload": {"action_type": "respond", "response": "你好。", "intent": "greeting"},
}
GOOD: dict[str, JsonValue] = {
    "intent": "greeting",
    "decisions": [RESPOND],
    "variables": {"目标": {"value": "睡好", "quote": "想睡好"}},
    "metrics": dict.fromkeys(ASK_METRICS, "好"),
    "progress_suggestion": "continue_needed",
}
OWN = Skeleton({"decisions": "接下来做什么，至少一个"}, frozenset({"回答来访者的一到三句话"}))


def read(**changes: JsonValue) -> AgentReply:
    reply = {key: value for key, value in (GOOD | changes).items() if value is not None}
    return read_agent_reply(json.dumps(reply), contract=CONTRACT, own_words=OWN)


def test_a_good_reply_is_taken_as_it_is() -> None:
    """Intent, decisions, values with their quotes, metrics; and no text of its own."""
    reply = read()
    assert (reply.intent, reply.content, reply.exit) == (Intent.GREETING, "", False)
    assert reply.decisions == (
        WrittenDecision(decision_type="respond", payload=RESPOND["payload"], confidence=0.8),
    )
    assert (reply.variables, reply.quotes) == ({"目标": "睡好"}, {"目标": "想睡好"})
    assert reply.metrics == ActionMetrics(**dict.fromkeys(ASK_METRICS, "好"))
    assert reply.diagnosis.warnings == ()


def test_decisions_keep_the_order_in_which_they_were_written() -> None:
    """Ten at once are ten: what becomes of them is the gate's and the budget's to say."""
    ten: list[JsonValue] = [{**RESPOND, "decision_type": f"type_{n}"} for n in range(10)]
    found = [each.decision_type for each in read(decisions=ten).decisions]
    assert found == [f"type_{n}" for n in range(10)]


@pytest.mark.parametrize("decisions", [None, [], "respond", ["respond", 3], 7, [[]]])
def test_a_reply_without_a_decision_is_unreadable(decisions: JsonValue) -> None:
    """The field that it needs is `decisions`; the metrics say that nothing could be read."""
    reply = read(decisions=decisions)
    assert (reply.readable, reply.decisions, reply.intent) == (False, (), Intent.UNKNOWN)
    assert reply.metrics == ActionMetrics(**dict.fromkeys(ASK_METRICS, UNREADABLE_METRIC))


@pytest.mark.parametrize(
    "text", ["好的，我们慢慢来。", "", '{"content": "你好"}', "[]", "{", "null"]
)
def test_what_is_no_object_with_decisions_is_unreadable(text: str) -> None:
    """Prose of an agent is no answer: nothing is said that no verdict let pass."""
    reply = read_agent_reply(text, contract=CONTRACT, own_words=OWN)
    assert (reply.readable, reply.content, reply.decisions) == (False, "", ())


def test_one_decision_may_stand_without_a_list() -> None:
    """It is a list of one, with a warning; what else stood in a list and is no object goes."""
    assert read(decisions=RESPOND).decisions == read().decisions
    assert len(read(decisions=RESPOND).diagnosis.warnings) == 1
    assert read(decisions=["x", RESPOND]).decisions == read().decisions


def test_a_type_is_read_in_lower_case_or_from_its_payload() -> None:
    """Document 002 prints types in capitals, and a model may name it in the payload alone."""
    assert read(decisions=[{**RESPOND, "decision_type": " RESPOND "}]).decisions == read().decisions
    unnamed = {"confidence": 0.8, "payload": RESPOND["payload"]}
    assert read(decisions=[unnamed]).decisions == read().decisions
    assert read(decisions=[{"payload": {}}]).decisions[0].decision_type == ""


def test_a_payload_may_be_written_beside_its_type() -> None:
    """The gate judges it either way."""
    flat: JsonValue = {"decision_type": "continue", "thought": "先想想", "progress": 0.3}
    (found,) = read(decisions=[flat]).decisions
    assert found.payload == {"thought": "先想想", "progress": 0.3}


@pytest.mark.parametrize("confidence", [None, True, "0.9", -0.1, 1.1, [], 10**400])
def test_what_is_no_confidence_is_none(confidence: JsonValue) -> None:
    """It is a number from 0 to 1, or was not said."""
    assert read(decisions=[{**RESPOND, "confidence": confidence}]).decisions[0].confidence is None


@pytest.mark.parametrize("intent", [None, "帮忙", 3, "simple query"])
def test_an_intent_that_the_table_lacks_is_unknown(intent: JsonValue) -> None:
    """It rejects nothing, and a warning says so."""
    reply = read(intent=intent)
    assert (reply.intent, len(reply.diagnosis.warnings)) == (Intent.UNKNOWN, 1)
    assert read(intent=" GREETING").intent is Intent.GREETING


def test_a_copied_text_reaches_no_client() -> None:
    """It is emptied: the gate refuses it, and the model is told. A thought may say the same."""
    for copied in ("回答来访者的一到三句话", "接下来做什么，至少一个"):
        payload = {"response": copied, "options": ["好", copied], "thought": copied}
        (found,) = read(decisions=[{**RESPOND, "payload": payload}]).decisions
        assert found.payload == {"response": "", "options": ["好", ""], "thought": copied}


def test_dots_are_no_text_anywhere() -> None:
    """They stand for what the model is to write."""
    payload: JsonValue = {"thought": "…", "config": {"code": "..."}, "nodes": [{"name": "……"}]}
    (found,) = read(decisions=[{**RESPOND, "payload": payload}]).decisions
    assert found.payload == {"thought": "", "config": {"code": ""}, "nodes": [{"name": ""}]}


def test_a_decision_of_dots_is_none() -> None:
    """It is the shape that the template shows."""
    shape: JsonValue = {"decision_type": "…", "confidence": "…", "payload": {"…": "…"}}
    assert read(decisions=[shape]).decisions == ()
    assert read(decisions=[shape, RESPOND]).decisions == read().decisions


def test_a_field_of_the_reply_is_no_value_of_its_output() -> None:
    """An output named `intent` is set by `variables` alone."""
    assert "intent" not in read().variables
    assert read(variables={"intent": "睡好"}).variables == {"intent": "睡好"}


def test_an_opening_judges_nothing() -> None:
    """Without metrics or a suggestion nothing is missed."""
    contract = agent_contract(metrics=(), judges=False)
    text = json.dumps({"intent": "greeting", "decisions": [RESPOND]})
    assert read_agent_reply(text, contract=contract, own_words=OWN).diagnosis.warnings == ()


def test_a_reply_inside_prose_is_found() -> None:
    """A model that thinks aloud first still decides; one that quotes a client does not."""
    text = f"我想想。\n```json\n{json.dumps(GOOD, ensure_ascii=False)}\n```"
    found = read_agent_reply(text, contract=CONTRACT, own_words=OWN)
    assert found.decisions == read().decisions
    quoted = read_agent_reply(text, contract=CONTRACT, own_words=OWN, client_text=text)
    assert not quoted.readable
