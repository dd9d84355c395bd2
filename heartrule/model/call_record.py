"""What is recorded of model calls: a row of the ledger for each attempt, one span for a request.

The span has OpenTelemetry's names for generative AI: the model, the time and the tokens; no text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from heartrule.chassis import telemetry
from heartrule.domain.ids import new_id
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.chat_events import ChatChunk
from heartrule.model.ports import ChatRequest
from heartrule.model.timing import Timing


class CallRecord:
    """One attempt from its beginning to its end, however it ends."""

    def __init__(self, start: LLMDebugInfo, timing: Timing) -> None:
        """Start the clock; `start` holds what is known before the answer."""
        self.error = ""
        self.finish_reason = ""
        self.size = 0
        self._start = start
        self._timing = timing
        self._began = timing.monotonic()
        self._first_text_ms = 0
        self._text: list[str] = []
        self._prompt_tokens = 0
        self._completion_tokens = 0
        self._reasoning_chars = 0
        self._reasoning_tokens = 0

    @property
    def model(self) -> str:
        """The model that was asked."""
        return self._start.model

    def take(self, chunk: ChatChunk, text: str) -> None:
        """Add a chunk; `text` is what of it goes on to the reader."""
        self._reasoning_chars += chunk.reasoning_chars
        self._reasoning_tokens = chunk.reasoning_tokens or self._reasoning_tokens
        if text and not self._text:
            self._first_text_ms = max(1, self._elapsed_ms())
        if text:
            self._text.append(text)
            self.size += len(text) if text.isascii() else len(text.encode())
        self.finish_reason = chunk.finish_reason or self.finish_reason
        self._prompt_tokens = chunk.prompt_tokens or self._prompt_tokens
        self._completion_tokens = chunk.completion_tokens or self._completion_tokens

    def info(self, *, thought_chars: int = 0) -> LLMDebugInfo:
        """Return the ledger's row; call it once, at the end.

        `thought_chars` are those of thoughts that stood in the text, and were dropped.
        """
        return replace(
            self._start,
            call_id=new_id("call"),
            output="".join(self._text),
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            reasoning_chars=self._reasoning_chars + thought_chars,
            reasoning_tokens=self._reasoning_tokens,
            latency_ms=self._elapsed_ms(),
            first_token_ms=self._first_text_ms,
            finish_reason=self.finish_reason,
            error=self.error,
        )

    def _elapsed_ms(self) -> int:
        return round((self._timing.monotonic() - self._began) * 1000)


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
