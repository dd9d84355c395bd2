"""What all handlers do: metrics, the model's call, the reply."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Callable

import pytest

from heartrule.chassis.system_files import system_dir
from heartrule.domain.action_result import MISSING_METRIC, ActionMetrics
from heartrule.domain.conversation import Role
from heartrule.domain.errors import InvalidRequest, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.monitoring import AnalysisReport, DialogueLine, MonitorAnalysis
from heartrule.model.ports import ChatRequest, ModelRestarted
from heartrule.model.template_store import TemplateStore
from monitor_service.handlers.ai_ask_monitor import AiAskMonitorHandler
from monitor_service.handlers.ai_say_monitor import AiSayMonitorHandler
from monitor_service.json_call import Tools
from tests.support.fake_model import FakeModel, Reply
from tests.support.reports import ASK_ROUND, SAY_ROUND, ask_round

GOOD = json.dumps(
    {"intervention_needed": True, "feedback_for_action": "慢一点"}, ensure_ascii=False
)
CUT = ModelUnavailable("cut", reason="MODEL_STREAM_CUT")


class RestartingModel(FakeModel):
    """Begins an answer, then replaces it by a fresh call."""

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Yield half an object before the answer."""
        assert not visible()
        yield '{"intervention_needed": fal'
        yield ModelRestarted()
        async for piece in super().stream(request, calls=calls, visible=visible):
            yield piece


def tools(model: FakeModel) -> Tools:
    """Return tools over a fake model and the shipped templates."""
    return Tools(model=model, templates=TemplateStore(system_dir() / "config"))


async def analyze(
    reply: str, report: AnalysisReport = ASK_ROUND
) -> tuple[MonitorAnalysis, list[LLMDebugInfo]]:
    """Judge the round with a model that says this."""
    calls: list[LLMDebugInfo] = []
    handler = AiAskMonitorHandler(tools(FakeModel([reply])))
    analysis = await handler.analyze_with_llm(report.metrics, report, calls=calls)
    return analysis, calls


def test_ask_metrics() -> None:
    """ai_ask's four metrics are taken, a missing one says that it is."""
    report = ask_round(
        metrics=ActionMetrics(user_engagement=" 简短 ", understanding_level="not of ai_ask")
    )
    assert AiAskMonitorHandler(tools(FakeModel())).parse_metrics(report) == ActionMetrics(
        information_completeness=MISSING_METRIC,
        user_engagement="简短",
        emotional_intensity=MISSING_METRIC,
        reply_relevance=MISSING_METRIC,
    )


def test_say_metrics() -> None:
    """ai_say's three metrics are taken."""
    metrics = AiSayMonitorHandler(tools(FakeModel())).parse_metrics(SAY_ROUND)
    assert metrics == SAY_ROUND.metrics


async def test_the_request() -> None:
    """The model is asked as a monitor, with the template's name, hash and reply fields."""
    model = FakeModel([GOOD])
    handler = AiAskMonitorHandler(tools(model))
    await handler.analyze_with_llm(ASK_ROUND.metrics, ASK_ROUND, calls=[])
    (request,) = model.requests
    template = TemplateStore(system_dir() / "config").get("ai_ask_monitor")
    assert request.purpose is Purpose.MONITOR
    assert (request.prompt_type, request.template_hash) == (
        "ai_ask_monitor_v1",
        template.content_hash,
    )
    assert request.reply_fields[0] == "intervention_needed"


async def test_scheme() -> None:
    """The session's scheme chooses the template; without a file there the default one serves."""
    store = TemplateStore(system_dir() / "config")
    for handler_class, report, scheme, layer in (
        (AiAskMonitorHandler, ASK_ROUND, "cbt_anxiety", "custom/cbt_anxiety"),
        (AiSayMonitorHandler, SAY_ROUND, "cbt_anxiety", "custom/cbt_anxiety"),
        (AiSayMonitorHandler, SAY_ROUND, "another", "default"),
    ):
        model = FakeModel([GOOD])
        wanted = store.get(f"{report.action_type}_monitor", scheme)
        assert wanted.layer == layer
        changed = ask_round(action_type=report.action_type, template_scheme=scheme)
        await handler_class(tools(model)).analyze_with_llm(report.metrics, changed, calls=[])
        assert model.requests[0].template_hash == wanted.content_hash


async def test_bad_scheme_name() -> None:
    """A scheme that could be a path is refused."""
    with pytest.raises(InvalidRequest):
        await analyze(GOOD, report=ask_round(template_scheme="../x"))


@pytest.mark.parametrize(
    ("text", "count"), [(GOOD, 1), (f" {GOOD}\n", 2), (f"```json\n{GOOD}\n```", 3)]
)
async def test_three_strategies(text: str, count: int, caplog: pytest.LogCaptureFixture) -> None:
    """A reply is read by the shared strategies; each that failed is warned of, without the text."""
    with caplog.at_level(logging.WARNING):
        analysis, calls = await analyze(text)
    assert analysis.feedback_for_action == "慢一点"
    assert analysis.metadata == {"parseRetryCount": count}
    assert calls[-1].parse is not None
    assert calls[-1].parse.retry_count == count
    assert len(caplog.records) == count - 1
    assert "慢一点" not in caplog.text


async def test_unreadable_reply(caplog: pytest.LogCaptureFixture) -> None:
    """A reply nobody can read is an empty analysis; the text stays in the call's record alone."""
    with caplog.at_level(logging.WARNING):
        analysis, calls = await analyze("我觉得来访者有些回避")
    assert analysis == MonitorAnalysis(metadata={"parseError": True, "parseRetryCount": 3})
    assert calls[-1].parse is not None
    assert calls[-1].parse.parse_error is not None
    assert calls[-1].parse.parse_error.raw_response == "我觉得来访者有些回避"
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3 + ["ERROR"]
    told = [json.dumps(vars(record), default=str, ensure_ascii=False) for record in caplog.records]
    assert "回避" not in "".join(told)


async def test_reply_quoted_from_the_client() -> None:
    """An object the client typed is not taken for the monitor's answer."""
    typed = '{"intervention_needed": true, "feedback_for_action": "x", "intervention_reason": "y"}'
    report = ask_round(dialogue=(DialogueLine(role=Role.CLIENT, text=typed),))
    analysis, _ = await analyze(f"来访者输入了 {typed}", report=report)
    assert analysis.metadata["parseError"] is True


async def test_warnings_are_kept() -> None:
    """What was amiss in a readable reply stands in the metadata and in the call's record."""
    analysis, calls = await analyze('{"intervention_needed": "也许"}')
    assert analysis.metadata["warnings"] == ["intervention_needed is no truth value"]
    assert calls[-1].parse is not None
    assert calls[-1].parse.warnings == ("intervention_needed is no truth value",)


async def test_a_restarted_call() -> None:
    """Pieces of a call that was replaced are forgotten; nothing of it was visible to a client."""
    handler = AiAskMonitorHandler(tools(RestartingModel([GOOD])))
    analysis = await handler.analyze_with_llm(ASK_ROUND.metrics, ASK_ROUND, calls=[])
    assert analysis.intervention_needed


async def test_model_failure() -> None:
    """A model that fails ends the analysis with its error, the call recorded."""
    calls: list[LLMDebugInfo] = []
    handler = AiAskMonitorHandler(tools(FakeModel([Reply((GOOD[:9],), fails=CUT)])))
    with pytest.raises(ModelUnavailable):
        await handler.analyze_with_llm(ASK_ROUND.metrics, ASK_ROUND, calls=calls)
    assert [(call.output, call.error) for call in calls] == [(GOOD[:9], "MODEL_STREAM_CUT")]
