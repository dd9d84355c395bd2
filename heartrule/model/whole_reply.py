"""A reply nobody watches while it is written."""

from __future__ import annotations

from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.call_span import model_call_span
from heartrule.model.ports import ChatModel, ChatRequest, ModelRestarted


async def whole_reply(model: ChatModel, request: ChatRequest, *, calls: list[LLMDebugInfo]) -> str:
    """Return the whole text of a reply that no client sees; `calls` gets every attempt.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
    """
    pieces: list[str] = []
    with model_call_span(request, calls):
        async for piece in model.stream(request, calls=calls, visible=_nothing_is_visible):
            if isinstance(piece, ModelRestarted):
                pieces.clear()
            else:
                pieces.append(piece)
    return "".join(pieces)


def _nothing_is_visible() -> bool:
    """Say that no client sees any of it, so a broken call may be repeated."""
    return False
