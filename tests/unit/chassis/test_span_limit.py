"""A piece of work records a bounded number of spans, however long it gets."""

from __future__ import annotations

from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from heartrule.chassis import telemetry
from heartrule.chassis.telemetry import limited, span

REMOTE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_what_exceeds_the_limit_is_counted(memory: InMemorySpanExporter) -> None:
    """The first spans are recorded, the rest only counted."""
    with limited(2) as limit:
        for name in ("a", "b", "c", "d"):
            with span(name):
                pass
    assert [each.name for each in memory.get_finished_spans()] == ["a", "b"]
    assert limit.left_out == 2


def test_below_a_span_left_out_the_trace_goes_on() -> None:
    """What runs in it is a child of the nearest span that was recorded."""
    with span("turn") as turn, limited(0), span("action") as action:
        assert action.traceparent == turn.traceparent == telemetry.traceparent()


def test_what_a_left_out_span_is_told_is_dropped(memory: InMemorySpanExporter) -> None:
    """Its attributes and its failure must not be taken for its parent's."""
    with span("turn"), limited(0), span("action") as action:
        action.set(round=3)
        action.fail("MODEL_TIMEOUT")
    (turn,) = memory.get_finished_spans()
    assert (dict(turn.attributes or {}), turn.status.status_code.name) == ({}, "UNSET")


def test_work_with_a_parent_of_its_own_is_free() -> None:
    """An analysis begun inside a turn is not the turn's."""
    with limited(0) as limit, span("monitor.analysis", parent=REMOTE) as analysis:
        assert analysis.traceparent[:35] == REMOTE[:35]
    assert limit.left_out == 0


def test_a_limit_ends_with_its_block() -> None:
    """The next turn of the same task has its own."""
    with limited(0) as first:
        pass
    with span("turn"):
        pass
    assert first.left_out == 0
