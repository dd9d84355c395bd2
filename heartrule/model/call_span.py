"""One span around the calls that answer one request (OpenTelemetry's names for generative AI).

It records the model, the time and the tokens; never a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from heartrule.chassis import telemetry
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest


@contextmanager
def model_call_span(request: ChatRequest, calls: Sequence[LLMDebugInfo]) -> Iterator[None]:
    """Open a span for one request; `calls` is the list that gets a record of every attempt.

    Attempts share the span: which of them failed, and why, is an attribute.
    """
    before = len(calls)
    asked = {
        "gen_ai.operation.name": "chat",
        "heartrule.purpose": request.purpose.value,
        "heartrule.prompt_type": request.prompt_type,
        "heartrule.template_hash": request.template_hash[:12],
    }
    with telemetry.span("model_call", attributes=asked, kind="client") as span:
        try:
            yield
        finally:
            if span.recording and (made := calls[before:]):
                span.set_all(_facts(made))


def _facts(made: Sequence[LLMDebugInfo]) -> dict[str, telemetry.Attribute]:
    last = made[-1]
    facts: dict[str, telemetry.Attribute] = {
        "gen_ai.provider.name": last.provider,
        "gen_ai.request.model": last.model,
        "gen_ai.usage.input_tokens": sum(call.prompt_tokens for call in made),
        "gen_ai.usage.output_tokens": sum(call.completion_tokens for call in made),
        "heartrule.attempts": len(made),
        "heartrule.first_token_ms": last.first_token_ms,
    }
    if last.finish_reason:
        facts["gen_ai.response.finish_reasons"] = [last.finish_reason]
    # The record's own sentence may quote a provider; its first word is one of our reasons.
    if failed := [call.error.split(" ", 1)[0] for call in made if call.error]:
        facts["heartrule.failed_attempts"] = failed
    return facts
