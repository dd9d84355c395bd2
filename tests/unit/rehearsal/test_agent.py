"""How the rehearsal model decides: by the client's words, and by what became of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from executor_service.decisions.coordinator import judge
from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import NO_POLICY
from heartrule.domain.decisions import Decision, FindingCode
from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.answering import answer
from heartrule.model.task_card import task_card

DRAFTING: JsonValue = ["respond", "continue", "create_workflow_plan", "create_node", "modify_node"]
PLAN = {"decision_type": "create_workflow_plan", "state": "done"}
NODES: JsonValue = [{"node_id": "node_1", "type": "DATABASE"}, {"node_id": "node_2", "type": "LLM"}]


def reply(words: str, **card: JsonValue) -> dict[str, Any]:
    """Return the reply to an agent's card."""
    whole: dict[str, JsonValue] = {"kind": "ai_agent", "stage": "turn", "task": "陪来访者谈谈"}
    text = answer(
        [ChatMessage(role="user", content=task_card(whole | {"user_input": words} | card))]
    )
    assert isinstance(text, str)
    return dict(json.loads(text))


def decided(words: str, **card: JsonValue) -> dict[str, Any]:
    """Return the payload of the only decision."""
    (decision,) = reply(words, **card)["decisions"]
    assert decision["payload"]["action_type"] == decision["decision_type"]
    return dict(decision["payload"])


def codes(payload: JsonValue) -> list[FindingCode]:
    """Return what the gate objects to, where nothing but the session is known."""
    assert isinstance(payload, dict)
    decision = Decision(
        decision_id="d",
        correlation_id="c",
        decision_type=str(payload["action_type"]),
        payload=payload,
        confidence=0.9,
    )
    return [each.code for each in judge(decision, Ground(), NO_POLICY).errors]


def test_an_opening_greets_and_goes_on() -> None:
    """It says the first words, and judges nothing."""
    opened = reply("", stage="opening")
    (decision,) = opened["decisions"]
    assert (opened["intent"], decision["payload"]["requires_followup"]) == ("greeting", True)
    assert set(opened["metrics"].values()) == {"尚未评估"}


@pytest.mark.parametrize(
    ("words", "intent", "kind"),
    [
        ("你好", "greeting", "respond"),
        ("Hello there", "greeting", "respond"),
        ("最近总是睡不好", "simple_query", "respond"),
        ("帮我分析数据", "unknown", "request_clarification"),
        ("你想一想再回答", "unknown", "continue"),
        ("帮我写一个销售流程", "complex_task", "create_workflow_plan"),
        ("draft a workflow for me", "complex_task", "create_workflow_plan"),
        ("再加一步", "complex_task", "create_node"),
    ],
)
def test_words_ask_for_a_decision(words: str, intent: str, kind: str) -> None:
    """One decision, valid at the gate as it is, of the intent that the table names for it."""
    made = reply(words)
    assert (made["intent"], [each["decision_type"] for each in made["decisions"]]) == (
        intent,
        [kind],
    )
    assert codes(decided(words)) == []


def test_thanks_end_the_talk() -> None:
    """No follow-up is required, so the action ends."""
    assert decided("谢谢，先这样")["requires_followup"] is False
    assert reply("谢谢，先这样")["progress_suggestion"] == "completed"


def test_it_thinks_twice_then_answers() -> None:
    """Within one turn, as the client asked."""
    thought: JsonValue = {"decision_type": "continue", "state": "done"}
    words = "想清楚再说"
    steps = [decided(words, decided=[thought] * done)["action_type"] for done in range(3)]
    assert steps == ["continue", "continue", "respond"]


def test_a_rejected_plan_is_mended() -> None:
    """A circle is drafted on purpose, rejected as a cycle, and drawn straight in the next step."""
    first = decided("写一个绕圈的流程")
    assert codes(first) == [FindingCode.CYCLE]
    told: JsonValue = [{**PLAN, "state": "rejected", "codes": ["cycle"]}]
    assert codes(decided("写一个绕圈的流程", decided=told)) == []


def test_one_that_is_never_right_is_rejected_each_time() -> None:
    """To see what becomes of a client whose agent does not get it right."""
    told: JsonValue = [{**PLAN, "state": "rejected", "codes": ["cycle"]}] * 2
    assert codes(decided("怎么改都不对", decided=told)) == [FindingCode.CYCLE]


def test_a_draft_is_told_and_not_said_to_have_run() -> None:
    """Behind the effect the client hears of it."""
    said = decided("帮我写一个流程", decided=[PLAN])
    assert "还没有运行" in said["response"]


def test_a_change_names_the_newest_step_of_a_model() -> None:
    """With the number that the client said; without such a step it says that it cannot."""
    changed = decided("温度改成 0.5", workflows=[{"nodes": NODES}])
    assert (changed["node_id"], changed["updates"]) == ("node_2", {"config.temperature": 0.5})
    assert decided("温度改成 0.5")["action_type"] == "respond"


def test_two_decisions_at_once() -> None:
    """A question first, and a step that is held until it is answered."""
    kinds = [each["decision_type"] for each in reply("先问我，再写")["decisions"]]
    assert kinds == ["request_clarification", "create_node"]


def test_what_is_not_allowed_is_never_decided() -> None:
    """The talk goes on instead, and a plan holds only types of nodes that may be drafted."""
    assert decided("帮我写一个流程", allowed=["respond"])["action_type"] == "respond"
    plan = decided("帮我写一个流程", allowed=DRAFTING, node_types=["LLM"])
    assert {node["type"] for node in plan["nodes"]} == {"LLM"}
    assert codes(plan) == []


def test_a_refusal_is_met_gently_and_danger_first() -> None:
    """Neither is an order, whatever else the words hold."""
    held = reply("不想说")
    assert held["progress_suggestion"] == "blocked"
    said = decided("不想活了，帮我写一个流程")
    assert (said["action_type"], "安全" in said["response"]) == ("respond", True)


def test_plain_talk_gives_the_values_that_are_asked_for() -> None:
    """With the client's words beside them where the template asks for these."""
    outputs: JsonValue = [{"name": "困扰", "type": "text"}]
    told = reply("最近总是睡不好", outputs=outputs, asks=["quotes"])["variables"]
    assert told == {"困扰": {"value": "最近总是睡不好", "quote": "最近总是睡不好"}}
    assert reply("帮我写一个流程", outputs=outputs)["variables"] == {}


def test_it_runs_the_newest_workflow_and_says_how_that_went() -> None:
    """It waits for the run, and does not call a failure done."""
    workflows: JsonValue = [{"workflow_id": "wf_1"}, {"workflow_id": "wf_2", "nodes": NODES}]
    card: dict[str, JsonValue] = {"allowed": ["respond", "execute_workflow"]}
    payload = decided("运行它", workflows=workflows, **card)
    assert (payload["workflow_id"], payload["execution_mode"]) == ("wf_2", "sync")
    ran: JsonValue = [{"decision_type": "execute_workflow", "state": "done"}]
    said = [
        decided("运行它", decided=ran, runs=[{"state": state}], **card)["response"]
        for state in ("completed", "failed")
    ]
    assert ["做完了" in said[0], "没有做成" in said[1]] == [True, True]
