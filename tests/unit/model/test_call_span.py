"""The span of a model call: figures and names, nobody's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from heartrule.chassis.telemetry import use_tracer
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.call_record import model_call_span
from heartrule.model.ports import ChatMessage, ChatRequest

REQUEST = ChatRequest(
    purpose=Purpose.TALK,
    messages=(ChatMessage(role="user", content="我叫小明"),),
    prompt_type="ai_ask_v1",
    template_hash="0123456789abcdef",
)
ANSWERED = LLMDebugInfo(
    call_id="c1",
    purpose=Purpose.TALK,
    prompt_type="ai_ask_v1",
    provider="ark",
    model="doubao",
    input="我叫小明",
    output="你好小明",
    prompt_tokens=100,
    completion_tokens=20,
    first_token_ms=30,
    finish_reason="stop",
)
FAILED = replace(ANSWERED, error="MODEL_REFUSED status=500 body=小明", finish_reason="")


@pytest.fixture
def memory() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    use_tracer(provider.get_tracer("test"))
    yield exporter
    use_tracer(None)
    provider.shutdown()


def told(memory: InMemorySpanExporter) -> Mapping[str, object]:
    (span,) = memory.get_finished_spans()
    assert "小明" not in repr((span.attributes, span.events, span.status.description))
    return span.attributes or {}


def test_attempts_share_a_span(memory: InMemorySpanExporter) -> None:
    """Tokens are summed, the one that answered is named, the failed one is told by its reason."""
    calls = [ANSWERED]
    with model_call_span(REQUEST, calls):
        calls += [FAILED, ANSWERED]
    attributes = told(memory)
    assert attributes["heartrule.attempts"] == 2
    assert attributes["heartrule.failed_attempts"] == ("MODEL_REFUSED",)
    assert attributes["gen_ai.usage.input_tokens"] == 200
    assert attributes["gen_ai.provider.name"] == "ark"


def test_a_call_that_gives_nothing_fails_the_span(memory: InMemorySpanExporter) -> None:
    """The error goes on, and what is known of the call is there."""
    calls: list[LLMDebugInfo] = []

    def call() -> None:
        with model_call_span(REQUEST, calls):
            calls.append(FAILED)
            raise ModelUnavailable("小明", reason="MODEL_REFUSED")

    with pytest.raises(ModelUnavailable):
        call()
    attributes = told(memory)
    assert attributes["error.type"] == "ModelUnavailable"
    assert attributes["gen_ai.request.model"] == "doubao"


def test_a_call_nobody_recorded(memory: InMemorySpanExporter) -> None:
    """A call cancelled before its record still tells what was asked."""
    with model_call_span(REQUEST, []):
        pass
    assert told(memory)["heartrule.template_hash"] == "0123456789ab"
