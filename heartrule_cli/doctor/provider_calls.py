"""Calls that try a model: how long it takes, whether it streams, what it says when it refuses."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.openai_chat import OpenAIChunks
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
    error: HeartRuleError | None = None

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
        source = OpenAIChunks(name, own, api_key=api_key, timing=Timing())
        self._model = ProviderChatModel(name, own, source, Timing())

    async def call(self, request: ChatRequest) -> TriedCall:
        """Return how a call ended; none is an error of ours."""
        calls: list[LLMDebugInfo] = []
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
            error=error,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._model.aclose()
