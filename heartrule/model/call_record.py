"""The record of one attempt at a model call, for the ledger."""

from __future__ import annotations

from dataclasses import replace

from heartrule.domain.ids import new_id
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.chat_events import ChatChunk
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
