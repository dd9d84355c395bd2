"""Spans and metrics of runs: how they went, and nobody's words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from executor_service.workflows.engine.run_telemetry import MOST_SPANS, count_ends
from executor_service.workflows.recovery_plan import RecoveryPlan
from heartrule.chassis.telemetry import use_tracer
from heartrule.domain.runs import NodeFailure, RunErrorCode
from tests.support.driven_runs import RunWorld
from tests.support.meters import counted, counting
from tests.support.workflow_builders import a_loop, a_node, a_plan

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
BUSY = NodeFailure(code=RunErrorCode.TIMEOUT, message="late, says 小明", is_retryable=True)


@pytest.fixture
def memory() -> Iterator[InMemorySpanExporter]:
    """Keep the spans of a test."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    use_tracer(provider.get_tracer("test"))
    yield exporter
    use_tracer(None)
    provider.shutdown()


async def test_a_run_is_a_span_below_what_began_it(
    world: RunWorld, memory: InMemorySpanExporter
) -> None:
    """Each attempt of a node is a span below the run's; a failed one tells its code alone."""
    world.recoverer.default = RecoveryPlan(action="RETRY", max_attempts=1, delay=0)
    world.nodes.does = lambda at, _: BUSY if at.attempt == 1 else {}
    run_id = await world.queue(a_plan(a_node("小明")), traceparent=PARENT)
    await world.drive(run_id)
    *nodes, run = memory.get_finished_spans()
    assert (run.name, run.attributes and run.attributes["heartrule.outcome"]) == ("run", "ended")
    assert run.parent is not None
    assert f"{run.parent.span_id:x}" == PARENT.split("-")[2]
    assert [each.name for each in nodes] == ["node", "node"]
    assert {each.parent and each.parent.span_id for each in nodes} == {run.context.span_id}
    assert [each.status.description for each in nodes] == ["TIMEOUT", None]
    assert "小明" not in "".join(each.to_json(indent=None) for each in (*nodes, run))


async def test_a_long_run_has_few_spans(world: RunWorld, memory: InMemorySpanExporter) -> None:
    """What is left out is counted on the run's own."""
    loop = a_loop("l", a_node("x"), items=list(range(70)), max_iterations=70)
    await world.run(a_plan(loop))
    *nodes, run = memory.get_finished_spans()
    assert len(nodes) == MOST_SPANS
    assert run.attributes is not None
    assert run.attributes["heartrule.spans_left_out"] == 71 - MOST_SPANS


async def test_runs_are_counted_by_their_ends(world: RunWorld) -> None:
    """Runs by state and code, attempts by type and outcome, and how long runs waited."""
    world.nodes.does = lambda at, _: BUSY if at.path == "bad" else {}
    with counting() as reader:
        for each in ("good", "bad"):
            await world.run(a_plan(a_node(each)))
        count_ends(world.events)
        assert counted(reader, "heartrule.runs") == {
            ("workflow", "completed", "none"): 1,
            ("workflow", "failed", "ABORTED"): 1,
        }
        assert counted(reader, "heartrule.runs.nodes") == {
            ("LLM", "completed"): 1,
            ("LLM", "TIMEOUT"): 1,
        }
        assert counted(reader, "heartrule.runs.wait") == {("workflow",): 2}
