"""The monitor with the real client of a model, over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from heartrule.chassis.settings import read
from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.monitoring import AnalysisReport
from heartrule.model.build import build_chat_model
from heartrule.model.rehearsal.rehearsal_server import serve
from heartrule.model.settings import ModelSettings
from heartrule.model.timing import Timing
from tests.support.monitors import MonitorClient, running_monitor
from tests.support.reports import ASK_ROUND, SAY_ROUND, ask_round
from tests.support.scripted_model import Reply, ScriptedModel

GOOD = '{"intervention_needed": true, "feedback_for_action": "慢一点"}'
TALK = '{"EXIT": "NO", "content": "你好", "variables": {}}'


async def at_once(_seconds: float) -> None:
    """Wait for nothing between attempts."""


@asynccontextmanager
async def monitor_over(base_url: str, kind: str = "openai") -> AsyncIterator[MonitorClient]:
    """Start a monitor that asks the model `second` at an address."""
    environ = {
        "OPENAI_BASE_URL": base_url,
        "HEARTRULE_PROVIDER_KIND": kind,
        "HEARTRULE_MODEL": "first",
        "HEARTRULE_MODEL_MONITOR": "second",
    }
    settings = read(ModelSettings, environ)
    model = build_chat_model(settings, environ={}, timing=Timing(sleep=at_once))
    async with running_monitor(model) as monitor:
        yield monitor


@asynccontextmanager
async def rehearsing_monitor() -> AsyncIterator[MonitorClient]:
    """Start a monitor that asks the rehearsal model."""
    server = await serve()
    try:
        async with monitor_over(server.base_url, "rehearsal") as monitor:
            yield monitor
    finally:
        await server.aclose()


async def test_the_monitors_own_model() -> None:
    """The monitor's model is asked, and its call comes back with tokens and times."""
    async with ScriptedModel() as server, monitor_over(server.base_url) as monitor:
        server.say(Reply(GOOD, usage=(900, 30)), model="second")
        answer = await monitor.analyze(ASK_ROUND)
    assert answer.feedback_text.startswith("【Topic层策略建议】\n慢一点")
    (call,) = answer.calls
    assert (call.model, call.prompt_tokens, call.completion_tokens) == ("second", 900, 30)
    assert call.finish_reason == "stop"
    assert "来访者：不想说" in server.requests[0].messages[-1]["content"]


async def test_failed_calls_come_back_too() -> None:
    """A call that failed before one that answered stands in the answer for the ledger."""
    async with ScriptedModel() as server, monitor_over(server.base_url) as monitor:
        server.say(Reply(status=500), Reply(GOOD, drop_after=5), Reply(GOOD))
        answer = await monitor.analyze(ASK_ROUND)
    assert answer.feedback_text
    assert [bool(call.error) for call in answer.calls] == [True, True, False]
    assert [call.parse is not None for call in answer.calls] == [False, False, True]


@pytest.mark.parametrize(
    "text", ["", "好", "[1, 2]", "null", GOOD[:20], "{" * 30_000, TALK, f"{GOOD}{GOOD[:-1]}"]
)
async def test_odd_answers(text: str) -> None:
    """Whatever ends as an answer but holds no analysis gives none; the next round is served."""
    async with ScriptedModel() as server, monitor_over(server.base_url) as monitor:
        server.say(Reply(text, size=50_000), GOOD)
        odd = await monitor.analyze(ASK_ROUND)
        good = await monitor.analyze(ASK_ROUND)
    if text.startswith(GOOD):
        assert odd.analysis.feedback_for_action == "慢一点"
    else:
        assert odd.parse_failed
        assert odd.feedback_text == ""
    assert good.feedback_text


@pytest.mark.parametrize("report", [ASK_ROUND, SAY_ROUND], ids=["ai_ask", "ai_say"])
async def test_rehearsal_advises(report: AnalysisReport) -> None:
    """The rehearsal model advises on a round that stalled, through the shipped templates."""
    async with rehearsing_monitor() as monitor:
        answer = await monitor.analyze(report)
    assert answer.analysis.intervention_needed
    assert answer.feedback_text
    assert not answer.should_trigger_orchestration
    assert "warnings" not in answer.analysis.metadata


async def test_rehearsal_keeps_still() -> None:
    """The rehearsal model says nothing about a round that went well."""
    fine = ask_round(
        metrics=replace(ASK_ROUND.metrics, user_engagement="愿意谈，说得具体"),
        progress_suggestion=ProgressSuggestion.CONTINUE_NEEDED,
    )
    async with rehearsing_monitor() as monitor:
        answer = await monitor.analyze(fine)
    assert (answer.parse_failed, answer.feedback_text) == (False, "")
