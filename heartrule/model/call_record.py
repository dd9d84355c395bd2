"""Collects what one HTTP attempt was and gave, for the ledger (RESOLUTIONS C33)."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.chat_chunk import ChatChunk
from heartrule.model.ports import ChatRequest
from heartrule.model.request_json import Messages
from heartrule.model.timing import Timing


class CallRecord:
    """One attempt from its beginning to its end, however it ends."""

    def __init__(
        self,
        request: ChatRequest,
        *,
        provider: str,
        model: str,
        config: Mapping[str, JsonValue],
        messages: Messages,
        timing: Timing,
    ) -> None:
        """Start the clock; `config` holds the parameters sent besides the messages."""
        self.error = ""
        self.finish_reason = ""
        self.size = 0
        self._request = request
        self._provider = provider
        self._model = model
        self._config = config
        self._messages = messages
        self._timing = timing
        self._create_time = timing.now()
        self._began = timing.monotonic()
        self._first_text_ms = 0
        self._text: list[str] = []
        self._prompt_tokens = 0
        self._completion_tokens = 0

    def take(self, chunk: ChatChunk, text: str) -> None:
        """Add a chunk; `text` is what of it goes on to the reader."""
        if text and not self._text:
            self._first_text_ms = max(1, self._elapsed_ms())
        if text:
            self._text.append(text)
            self.size += len(text) if text.isascii() else len(text.encode())
        self.finish_reason = chunk.finish_reason or self.finish_reason
        self._prompt_tokens = chunk.prompt_tokens or self._prompt_tokens
        self._completion_tokens = chunk.completion_tokens or self._completion_tokens

    def info(self) -> LLMDebugInfo:
        """Return the ledger's row; call it once, at the end."""
        return LLMDebugInfo(
            call_id=new_id("call"),
            purpose=self._request.purpose,
            prompt_type=self._request.prompt_type,
            provider=self._provider,
            model=self._model,
            input=self._messages.json.decode(),
            output="".join(self._text),
            config=self._config,
            template_hash=self._request.template_hash,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            latency_ms=self._elapsed_ms(),
            first_token_ms=self._first_text_ms,
            finish_reason=self.finish_reason,
            error=self.error,
            create_time=self._create_time,
        )

    def _elapsed_ms(self) -> int:
        return round((self._timing.monotonic() - self._began) * 1000)
