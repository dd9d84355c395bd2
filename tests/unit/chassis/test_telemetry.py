"""Spans and traceparents: who is whose parent, what spans bear, and what never enters them."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from heartrule.chassis import telemetry
from heartrule.chassis.log_context import bind
from heartrule.chassis.telemetry import SpanLink, child, normal, span, trace_id_of
from heartrule.chassis.telemetry_setup import setup_telemetry

REMOTE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def only(memory: InMemorySpanExporter) -> ReadableSpan:
    (finished,) = memory.get_finished_spans()
    return finished


def test_a_stored_traceparent_is_continued(memory: InMemorySpanExporter) -> None:
    """A span begun from a row's traceparent belongs to that trace, below that span."""
    with span("turn", parent=REMOTE):
        pass
    finished = only(memory)
    assert finished.parent is not None
    assert f"{finished.context.trace_id:032x}-{finished.parent.span_id:016x}" in REMOTE


@pytest.mark.parametrize("broken", ["", "nonsense", REMOTE.replace("b7ad6b7169203331", "0" * 16)])
def test_a_broken_traceparent_begins_a_new_trace(memory: InMemorySpanExporter, broken: str) -> None:
    """A client cannot fail a turn by what it sends, nor join the span around it."""
    with span("stream"), span("turn", parent=broken):
        pass
    turn = memory.get_finished_spans()[0]
    assert turn.parent is None


def test_a_span_inside_another_is_its_child(memory: InMemorySpanExporter) -> None:
    """Without a parent named, the current span is the parent."""
    with span("turn") as turn, span("model_call"):
        pass
    child = memory.get_finished_spans()[0]
    assert child.parent is not None
    assert f"{child.parent.span_id:016x}" in turn.traceparent


def test_every_span_bears_the_conversation(memory: InMemorySpanExporter) -> None:
    """The session bound to the task is on each span without being passed."""
    with bind(session_id="s-1"), span("turn"):
        pass
    assert (only(memory).attributes or {})["gen_ai.conversation.id"] == "s-1"


def test_a_link_says_what_it_points_to_and_why(memory: InMemorySpanExporter) -> None:
    """The turn that uses an advice is linked to its analysis; broken links are left out."""
    advice = SpanLink(traceparent=REMOTE, relation="advice")
    with span("turn", links=[advice, SpanLink(traceparent="?", relation="advice")]):
        pass
    (link,) = only(memory).links
    assert f"{link.context.span_id:016x}" in REMOTE
    assert (link.attributes or {})["heartrule.link.relation"] == "advice"


def test_a_failed_span_names_the_class_and_not_the_text(memory: InMemorySpanExporter) -> None:
    """An exception's text may be a client's words; it enters neither status nor events."""
    with pytest.raises(ValueError), span("turn"):
        raise ValueError("我叫小明")
    finished = only(memory)
    assert (finished.attributes or {})["error.type"] == "ValueError"
    assert "小明" not in finished.to_json()


def test_nothing_recorded_still_passes_the_ids_on() -> None:
    """With tracing off, a callee and the logs learn the caller's trace all the same."""
    with span("rpc", parent=REMOTE), span("turn"):
        ((key, value),) = telemetry.outgoing_metadata()
    assert (key, value[:35]) == ("traceparent", REMOTE[:35])
    assert value != REMOTE


def test_outside_of_any_span_nothing_is_sent() -> None:
    """No span, no header."""
    assert telemetry.outgoing_metadata() == ()


def test_the_callers_traceparent_is_read_from_its_metadata() -> None:
    """Only a readable one counts."""
    sent = [("traceparent", "nonsense"), ("other", "x"), ("traceparent", REMOTE)]
    assert telemetry.traceparent_in(sent) == REMOTE
    assert telemetry.traceparent_in(None) == ""


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
        {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
        {"OTEL_TRACES_EXPORTER": "abacus"},
    ],
)
def test_tracing_is_off_unless_an_exporter_is_named(environ: dict[str, str]) -> None:
    """Off by default, and by each standard way of saying so."""
    assert not setup_telemetry(service="executor", version="1", environ=environ).enabled


async def test_close_sends_what_waits() -> None:
    """A span still in the batch when the process leaves is exported."""
    exporter = InMemorySpanExporter()
    tracing = setup_telemetry(service="executor", version="1", environ={}, exporter=exporter)
    tracing.use()
    with span("turn"):
        pass
    await tracing.close()
    assert only(exporter).resource.attributes["service.name"] == "executor"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (REMOTE, REMOTE),
        (f" {REMOTE}\n", REMOTE),
        (REMOTE[:-2] + "ff", REMOTE),
        (REMOTE[:-2] + "02", REMOTE[:-2] + "00"),
        ("01" + REMOTE[2:] + "-later", REMOTE),
        ("ff" + REMOTE[2:], ""),
        (REMOTE.upper(), ""),
        (REMOTE.replace("b7ad6b7169203331", "0" * 16), ""),
        (REMOTE.replace("0af7651916cd43dd8448eb211c80319c", "0" * 32), ""),
        (REMOTE[:-1], ""),
        ("", ""),
    ],
)
def test_what_is_a_traceparent(text: str, read: str) -> None:
    """Later versions are read as this one; ids of zero and anything else are none."""
    assert normal(text) == read


def test_a_child_stays_in_its_trace() -> None:
    """Trace and flags are the parent's, the span is new."""
    below = child(REMOTE)
    assert (below[:36], below[52:]) == (REMOTE[:36], REMOTE[52:])
    assert normal(below) == below != REMOTE


def test_without_a_parent_a_trace_begins() -> None:
    """It is nobody's, and not sampled."""
    one, other = child(""), child("")
    assert (normal(one), one[-3:]) == (one, "-00")
    assert trace_id_of(one) != trace_id_of(other)


def test_the_trace_of_nothing_is_nothing() -> None:
    """Outside of any span there is no id to log."""
    assert (trace_id_of(""), trace_id_of(REMOTE)) == ("", REMOTE[3:35])
