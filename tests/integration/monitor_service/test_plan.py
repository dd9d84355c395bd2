"""PlanOrchestration over gRPC (RESOLUTIONS C18, C30)."""

from __future__ import annotations

import json
from dataclasses import replace

import grpc
import pytest
from grpc import aio

from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.monitoring import InterventionLevel, MonitorAnalysis
from heartrule.domain.orchestration import (
    OrchestrationAction,
    OrchestrationReport,
    QueuedAction,
    RelativePosition,
)
from tests.support.fake_model import FakeModel, Reply
from tests.support.monitors import running_monitor
from tests.support.reports import ASK_ROUND

REPORT = OrchestrationReport(
    report=ASK_ROUND,
    analysis=MonitorAnalysis(
        intervention_level=InterventionLevel.TOPIC_ORCHESTRATION,
        orchestration_needed=True,
        orchestration_reason="持续抗拒3轮",
    ),
    queue=(
        QueuedAction(
            action_instance_id="act_2",
            action_id="job",
            action_type="ai_ask",
            mandatory=True,
            config={"content": "父亲做什么工作"},
        ),
    ),
    action_types=("ai_ask", "ai_say"),
)
REPLY = json.dumps(
    {
        "action": "insert",
        "target_position": "before_next",
        "new_action": {"type": "ai_say", "content": "我们不着急"},
        "reason": "先安抚",
    },
    ensure_ascii=False,
)


async def test_a_plan() -> None:
    """The answer holds the plan; the prompt holds the reason and the queue, the kept one marked."""
    model = FakeModel([REPLY])
    async with running_monitor(model) as monitor:
        answer = await monitor.plan(REPORT)
    assert answer.plan is not None
    assert (answer.plan.action, answer.plan.relative, answer.plan.reason) == (
        OrchestrationAction.INSERT,
        RelativePosition.BEFORE_NEXT,
        "先安抚",
    )
    (call,) = answer.calls
    assert call.prompt_type == "topic_orchestrator_v1"
    asked = model.requests[0].messages[-1].content
    assert "持续抗拒3轮" in asked
    assert "act_2：job（ai_ask）（必须保留" in asked


async def test_nothing_is_asked_without_a_wish_or_a_budget() -> None:
    """An analysis that wants no change, and a topic that takes none, cost no model call."""
    model = FakeModel([])
    async with running_monitor(model) as monitor:
        calm = await monitor.plan(replace(REPORT, analysis=MonitorAnalysis()))
        spent = await monitor.plan(replace(REPORT, budget_left=0))
    assert (calm.plan, spent.plan, model.requests) == (None, None, [])


async def test_an_unreadable_reply_and_a_failing_model() -> None:
    """Both are answers without a plan that say so."""
    error = ModelUnavailable("down", reason="MODEL_UNAVAILABLE")
    model = FakeModel(["不是 JSON", Reply((), fails=error)])
    async with running_monitor(model) as monitor:
        unread = await monitor.plan(REPORT)
        failed = await monitor.plan(REPORT)
    assert (unread.plan, unread.parse_failed) == (None, True)
    assert (failed.plan, failed.failure) == (None, "MODEL_UNAVAILABLE")


async def test_a_report_without_a_round_is_refused() -> None:
    """What is amiss in the judged round is named."""
    async with running_monitor(FakeModel([])) as monitor:
        with pytest.raises(aio.AioRpcError) as caught:
            await monitor.plan(replace(REPORT, report=replace(ASK_ROUND, round=0)))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "report.round" in str(caught.value.details())
