"""One round from report to answer."""

from __future__ import annotations

import json

import pytest

from heartrule.chassis.system_files import system_dir
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from heartrule.model.template_store import TemplateStore
from monitor_service.handlers.handler_registry import standard_handlers
from monitor_service.json_call import Tools
from monitor_service.judge import judge_round
from tests.support.fake_model import FakeModel
from tests.support.reports import ASK_ROUND, SAY_ROUND, ask_round


async def judge(report: AnalysisReport, reply: dict[str, JsonValue] | str) -> AnalysisAnswer:
    """Judge a round with a model that answers this."""
    text = reply if isinstance(reply, str) else json.dumps(reply)
    tools = Tools(model=FakeModel([text]), templates=TemplateStore(system_dir() / "config"))
    return await judge_round(standard_handlers(tools).get(report.action_type), report, seconds=10)


async def test_ask() -> None:
    """An ai_ask round gets its own block of advice, and its call is recorded."""
    answer = await judge(ASK_ROUND, {"intervention_needed": True, "feedback_for_action": "慢"})
    assert answer.feedback_text.startswith("【Topic层策略建议】\n慢")
    assert (answer.parse_failed, len(answer.calls)) == (False, 1)


async def test_say() -> None:
    """An ai_say round gets its own block, and its issue counts as an intervention (C17)."""
    answer = await judge(SAY_ROUND, {"understanding_issue": "true", "feedback_for_action": "举例"})
    assert answer.feedback_text.startswith("【表达优化建议】\n举例")
    assert answer.analysis.intervention_needed


async def test_nothing_to_say() -> None:
    """A round that went well gives no advice."""
    answer = await judge(ASK_ROUND, {"intervention_needed": False, "feedback_for_action": ""})
    assert (answer.feedback_text, answer.should_trigger_orchestration) == ("", False)


async def test_unreadable() -> None:
    """A reply nobody can read gives no advice, and says so."""
    answer = await judge(ASK_ROUND, "???")
    assert (answer.parse_failed, answer.feedback_text) == (True, "")


@pytest.mark.parametrize("completed", [False, True])
async def test_an_ended_action(completed: bool) -> None:  # noqa: FBT001 - a table
    """An action that ended gets no advice any more, but may still be orchestrated around (C13)."""
    reply: dict[str, JsonValue] = {
        "intervention_needed": True,
        "feedback_for_action": "安抚",
        "orchestration_needed": True,
    }
    answer = await judge(ask_round(completed=completed), reply)
    assert (answer.feedback_text == "") is completed
    assert answer.should_trigger_orchestration
