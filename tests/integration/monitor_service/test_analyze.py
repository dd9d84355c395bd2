"""AnalyzeAction over gRPC."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc import aio
from grpc_status import rpc_status

from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.errors import HeartRuleError, ModelRateLimited, ModelUnavailable
from heartrule.domain.model_call import Purpose
from heartrule.domain.monitoring import AnalysisReport, StrategySuggestion
from tests.support.fake_model import FakeModel, Reply, whole
from tests.support.monitors import running_monitor
from tests.support.reports import ASK_ROUND, SAY_ROUND, ask_round

ASK_REPLY = json.dumps(
    {
        "intervention_needed": True,
        "intervention_reason": "blocked",
        "intervention_level": "action_feedback",
        "strategy_suggestion": "rephrase",
        "feedback_for_action": "降低提问直接性",
        "modified_approach": "先询问家庭氛围",
        "orchestration_needed": False,
        "suggested_orchestration": {"action": "insert", "new_action_type": "ai_say"},
    },
    ensure_ascii=False,
)
SAY_REPLY = json.dumps(
    {
        "understanding_issue": True,
        "issue_type": "too_abstract",
        "feedback_for_action": "用生活化的例子",
        "example_suggestion": "换个角度看问题",
    },
    ensure_ascii=False,
)


async def test_an_ask_round() -> None:
    """The answer holds the whole analysis, the block for the next prompt and the call."""
    async with running_monitor(FakeModel([ASK_REPLY])) as monitor:
        answer = await monitor.analyze(ASK_ROUND)
    analysis = answer.analysis
    assert analysis.strategy_suggestion is StrategySuggestion.REPHRASE
    assert analysis.suggested_orchestration == {"action": "insert", "new_action_type": "ai_say"}
    assert analysis.metadata == {"parseRetryCount": 1}
    assert answer.feedback_text == (
        "【Topic层策略建议】\n降低提问直接性\n\n【建议调整方式】\n先询问家庭氛围\n\n"
        "请根据以上建议调整你的提问方式。"
    )
    assert not answer.should_trigger_orchestration
    (call,) = answer.calls
    assert (call.purpose, call.prompt_type) == (Purpose.MONITOR, "ai_ask_monitor_v1")
    assert call.output == ASK_REPLY
    assert call.parse is not None
    assert call.parse.strategy == "direct_parse"


async def test_a_say_round() -> None:
    """An ai_say round gets its own kind of advice, and its issue is an intervention."""
    async with running_monitor(FakeModel([SAY_REPLY])) as monitor:
        answer = await monitor.analyze(SAY_ROUND)
    assert answer.analysis.intervention_needed
    assert answer.feedback_text.startswith("【表达优化建议】\n用生活化的例子\n\n【具体例子】\n")


async def test_orchestration_is_asked_for() -> None:
    """An analysis that wants the topic's queue changed says so in the answer (C18)."""
    reply = '{"intervention_needed": true, "intervention_level": "topic_orchestration"}'
    async with running_monitor(FakeModel([reply])) as monitor:
        answer = await monitor.analyze(ASK_ROUND)
    assert answer.should_trigger_orchestration


async def test_an_unreadable_reply() -> None:
    """A reply nobody can read is an answer without advice; its text travels in the call alone."""
    async with running_monitor(FakeModel(["来访者似乎在回避"])) as monitor:
        answer = await monitor.analyze(ASK_ROUND)
    assert (answer.parse_failed, answer.feedback_text) == (True, "")
    assert answer.analysis.metadata == {"parseError": True, "parseRetryCount": 3}
    parse = answer.calls[0].parse
    assert parse is not None
    assert parse.parse_error is not None
    assert parse.parse_error.raw_response == "来访者似乎在回避"


async def test_rounds_share_nothing() -> None:
    """Many rounds at one time get each its own answer."""
    replies = [f'{{"intervention_needed": true, "feedback_for_action": "{n}"}}' for n in range(20)]
    model = FakeModel(replies)
    reports = [ask_round(session_id=f"s{n}", action_id=f"a{n}") for n in range(20)]
    async with running_monitor(model) as monitor:
        answers = await asyncio.gather(*(monitor.analyze(report) for report in reports))
    assert sorted(a.analysis.feedback_for_action for a in answers) == sorted(map(str, range(20)))
    assert len({answer.traceparent for answer in answers}) == 20


@pytest.mark.parametrize(
    "error",
    [
        ModelUnavailable("down", reason="MODEL_UNAVAILABLE"),
        ModelRateLimited("wait", reason="RATE_LIMITED"),
    ],
)
async def test_a_model_that_fails(error: HeartRuleError) -> None:
    """A model that gives no answer is told with its call, for the ledger; the service lives on."""
    model = FakeModel([Reply((), fails=error), ASK_REPLY])
    async with running_monitor(model) as monitor:
        failed = await monitor.analyze(ASK_ROUND)
        assert (await monitor.analyze(ASK_ROUND)).feedback_text
    assert failed.failure == error.reason
    assert [call.error for call in failed.calls] == [error.reason]


@pytest.mark.parametrize(
    ("report", "field"),
    [
        (replace(ASK_ROUND, action_type="ai_think", metrics=ActionMetrics()), "report.action_type"),
        (replace(ASK_ROUND, session_id=""), "report.session_id"),
        (replace(ASK_ROUND, round=0), "report.round"),
    ],
)
async def test_a_report_that_cannot_be_judged(report: AnalysisReport, field: str) -> None:
    """A wrong report is INVALID_ARGUMENT with the field named, and no model is asked."""
    model = FakeModel([ASK_REPLY])
    async with running_monitor(model) as monitor:
        with pytest.raises(aio.AioRpcError) as refused:
            await monitor.analyze(report)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    status = rpc_status.from_call(refused.value)  # type: ignore[arg-type]  # it takes aio's too
    bad = error_details_pb2.BadRequest()
    assert status is not None
    assert any(detail.Unpack(bad) for detail in status.details)
    assert [violation.field for violation in bad.field_violations] == [field]
    assert model.requests == []


async def test_an_unsafe_scheme() -> None:
    """A scheme's name that could be a path is refused."""
    async with running_monitor(FakeModel([ASK_REPLY])) as monitor:
        with pytest.raises(aio.AioRpcError) as refused:
            await monitor.analyze(ask_round(template_scheme="../../etc"))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_own_time_limit() -> None:
    """A model that does not answer ends the analysis after the monitor's own limit."""
    held = Reply((ASK_REPLY,), gate=asyncio.Event())
    limit = {"HEARTRULE_MONITOR_ANALYSIS_TIMEOUT": "0.05"}
    async with running_monitor(FakeModel([held]), **limit) as monitor:
        assert (await monitor.analyze(ASK_ROUND)).failure == "MONITOR_DEADLINE"


async def test_callers_time_limit() -> None:
    """A caller that waits less long still gets the monitor's own answer, with its reason."""
    held = Reply((ASK_REPLY,), gate=asyncio.Event())
    async with running_monitor(FakeModel([held])) as monitor:
        assert (await monitor.analyze(ASK_ROUND, timeout_s=1)).failure == "MONITOR_DEADLINE"


async def test_a_caller_that_leaves() -> None:
    """A caller that gives up ends the model's call too, and the next caller is served."""
    held = Reply((ASK_REPLY,), gate=asyncio.Event())
    async with running_monitor(FakeModel([held, whole(ASK_REPLY)])) as monitor:
        call = asyncio.ensure_future(monitor.analyze(ASK_ROUND))
        await held.started.wait()
        call.cancel()
        assert (await monitor.analyze(ASK_ROUND)).feedback_text
        assert call.cancelled()
