"""Calls that try a model: how long it takes, whether it streams, what it says when it refuses."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.chat_events import ChatChunk
from heartrule.model.openai_chat import OpenAIChunks
from heartrule.model.openai_client import ModelResponse
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import Provider
from heartrule.model.timing import Timing

_TINY = "Reply with the word: ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedCall:
    """One call, however it ended."""

    pieces: int = 0
    """In how many parts its text came."""
    text: str = ""
    first_text_s: float = 0.0
    whole_s: float = 0.0
    error: HeartRuleError | None = None
    status: int = 0
    """Of the HTTP answer, where there was one."""
    said: str = ""
    """What the provider said of its refusal, in its own words."""
    content_type: str = ""

    @property
    def is_json(self) -> bool:
        """Whether the text is one JSON object and nothing else."""
        try:
            return isinstance(json.loads(self.text), dict)
        except ValueError:
            return False


def tiny_request(purpose: Purpose) -> ChatRequest:
    """Return the request that costs least."""
    message = ChatMessage(role="user", content=_TINY)
    return ChatRequest(
        purpose=purpose, messages=(message,), prompt_type="doctor", template_hash="", is_free=True
    )


class ModelTrier:
    """Calls one provider, once for each try: nothing is repeated."""

    def __init__(self, name: str, provider: Provider, api_key: str, wait_s: float) -> None:
        """No call lasts longer than `wait_s`, whatever the provider's own limits are."""
        limits = provider.timeouts
        shorter = limits.model_copy(
            update={
                "connect": min(limits.connect, wait_s),
                "first_token": min(limits.first_token, wait_s),
                "between_tokens": min(limits.between_tokens, wait_s),
                "total": min(limits.total, wait_s),
            }
        )
        own = provider.model_copy(update={"timeouts": shorter})
        self._source = _HeardChunks(name, own, api_key=api_key, timing=Timing())
        self._model = ProviderChatModel(name, own, self._source, Timing())

    async def call(self, request: ChatRequest) -> TriedCall:
        """Return how a call ended; none is an error of ours."""
        calls: list[LLMDebugInfo] = []
        self._source.forget()
        await self._model.prepare()
        began, first_s, pieces = time.monotonic(), 0.0, []
        error: HeartRuleError | None = None
        try:
            async for piece in self._model.stream(request, calls=calls, visible=lambda: False):
                first_s = first_s or time.monotonic() - began
                pieces.append(piece)
        except HeartRuleError as raised:
            error = raised
        return TriedCall(
            pieces=len(pieces),
            text="".join(pieces),
            first_text_s=first_s,
            whole_s=time.monotonic() - began,
            error=error,
            status=self._source.status,
            said=self._source.said,
            content_type=self._source.content_type,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._model.aclose()


class _HeardChunks(OpenAIChunks):
    """Keeps what the HTTP answer said, which the error of the domain leaves out."""

    status = 0
    said = ""
    content_type = ""

    def forget(self) -> None:
        """Begin anew, before a call."""
        self.status, self.said, self.content_type = 0, "", ""

    def _refused(
        self, status: int, headers: Mapping[str, str], body: bytes | JsonValue
    ) -> HeartRuleError:
        self.status, self.said = status, own_words(body)
        self.content_type = headers.get("content-type", "")
        return super()._refused(status, headers, body)

    def _read(
        self, response: ModelResponse, visible: Callable[[], bool], by: object
    ) -> AsyncGenerator[ChatChunk, None]:
        self.status = response.status
        self.content_type = response.headers.get("content-type", "")
        return super()._read(response, visible, by)  # type: ignore[arg-type]  # its own class


def own_words(body: bytes | JsonValue) -> str:
    """Return the message in the body of a refusal; "" where it holds none."""
    found: object = body
    if isinstance(body, bytes):
        try:
            found = json.loads(body)
        except ValueError:
            return ""
    if isinstance(found, list) and found:
        found = found[0]
    if isinstance(found, dict):
        found = found.get("error", found)
    if isinstance(found, dict):
        found = found.get("message") or found.get("detail") or ""
    return found if isinstance(found, str) else ""
