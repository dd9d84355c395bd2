"""A chat model that says what it was told to say, call by call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeAlias

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest, ModelRestarted

Told: TypeAlias = "str | HeartRuleError | Sequence[str | ModelRestarted | HeartRuleError]"
"""One reply: whole, in pieces, broken off, or refused."""


class ToldModel:
    """Gives its replies in order and keeps what it was asked; past the last it fails."""

    def __init__(self, *replies: Told) -> None:
        self._replies = list(replies)
        self.requests: list[ChatRequest] = []
        self.closed = False

    async def stream(
        self,
        request: ChatRequest,
        *,
        calls: list[LLMDebugInfo],
        visible: Callable[[], bool],
    ) -> AsyncIterator[str | ModelRestarted]:
        """Yield the next reply's pieces and record a call for each attempt."""
        self.requests.append(request)
        reply = self._replies.pop(0)
        said = ""
        for piece in [reply] if isinstance(reply, str | HeartRuleError) else reply:
            if isinstance(piece, HeartRuleError):
                calls.append(self._call(request, said, error=piece.reason))
                raise piece
            if isinstance(piece, ModelRestarted):
                calls.append(self._call(request, said, error="MODEL_STREAM_CUT"))
                said = ""
            else:
                said += piece
            yield piece
        calls.append(self._call(request, said))

    async def aclose(self) -> None:
        """Remember that it was closed."""
        self.closed = True

    def _call(self, request: ChatRequest, output: str, *, error: str = "") -> LLMDebugInfo:
        return LLMDebugInfo(
            call_id=f"call_{len(self.requests)}",
            purpose=request.purpose,
            prompt_type=request.prompt_type,
            provider="told",
            model="told-1",
            input="[]",
            output=output,
            template_hash=request.template_hash,
            error=error,
        )
