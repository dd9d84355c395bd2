"""The analysis in the traces."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from heartrule.chassis.telemetry_setup import setup_telemetry
from tests.support.fake_model import FakeModel
from tests.support.monitors import running_monitor
from tests.support.reports import ASK_ROUND

CALLER = f"00-{'a' * 32}-{'b' * 16}-01"
JUDGED = f"00-{'c' * 32}-{'d' * 16}-01"
REPLY = '{"intervention_needed": true, "feedback_for_action": "慢一点"}'


async def traced(**ids: str) -> tuple[str, dict[str, ReadableSpan]]:
    """Analyse one round and return the answer's traceparent and the spans by name."""
    metadata = {name.replace("_", "-"): value for name, value in ids.items()}
    exporter = InMemorySpanExporter()
    telemetry = setup_telemetry(service="monitor", version="0", environ={}, exporter=exporter)
    telemetry.use()
    async with running_monitor(FakeModel([REPLY])) as monitor:
        answer = await monitor.analyze(ASK_ROUND, metadata=metadata)
    await telemetry.close()
    return answer.traceparent, {span.name: span for span in exporter.get_finished_spans()}


async def test_the_callers_trace_goes_on() -> None:
    """The analysis is a span in the caller's trace, and the answer bears its context."""
    traceparent, spans = await traced(traceparent=CALLER)
    analysis = spans["analysis"]
    assert analysis.context is not None
    assert traceparent == f"00-{'a' * 32}-{analysis.context.span_id:016x}-01"
    server = spans["heartrule.v1.MonitorService/AnalyzeAction"]
    assert server.parent is not None
    assert f"{server.parent.span_id:016x}" == "b" * 16
    assert analysis.parent == server.context


async def test_the_judged_turn_is_linked() -> None:
    """The analysis links to the turn it judges, where the caller names it."""
    _, spans = await traced(traceparent=CALLER, judged_traceparent=JUDGED)
    (link,) = spans["analysis"].links
    assert f"{link.context.trace_id:032x}" == "c" * 32
    assert link.attributes == {"heartrule.link.relation": "judged_turn"}


@pytest.mark.parametrize("judged", ["", "nonsense"])
async def test_no_judged_turn(judged: str) -> None:
    """Without a readable context there is no link, and no failure."""
    _, spans = await traced(judged_traceparent=judged)
    assert spans["analysis"].links == ()


async def test_what_the_span_tells() -> None:
    """The span tells session, action type, round and outcome, and nobody's words."""
    _, spans = await traced()
    told = spans["analysis"].attributes
    assert told == {
        "gen_ai.conversation.id": "s1",
        "heartrule.action_type": "ai_ask",
        "heartrule.round": 2,
        "heartrule.parse_failed": False,
        "heartrule.intervention_needed": True,
        "heartrule.advice": True,
        "heartrule.cached": False,
    }


async def test_without_an_exporter() -> None:
    """With tracing off the answer still continues the caller's trace."""
    async with running_monitor(FakeModel([REPLY])) as monitor:
        answer = await monitor.analyze(ASK_ROUND, metadata={"traceparent": CALLER})
    assert answer.traceparent.startswith(f"00-{'a' * 32}-")
    assert answer.traceparent != CALLER
