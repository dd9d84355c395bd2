"""Replies that no client watches while they are written: one, or a batch of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from heartrule.domain.errors import HeartRuleError, ModelRateLimited, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.call_record import model_call_span
from heartrule.model.ports import ChatModel, ChatRequest, ModelRestarted

# Providers limit concurrent requests of one key; more would be answered by 429 and retried.
AT_ONCE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchItem:
    """What one request of a batch came to."""

    text: str = ""
    """The whole reply; empty where there is an error."""
    error: HeartRuleError | None = None
    """Why there is no whole reply."""
    calls: tuple[LLMDebugInfo, ...] = ()
    """One record for each HTTP attempt."""


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


async def batch(
    model: ChatModel, requests: Sequence[ChatRequest], *, at_once: int = AT_ONCE
) -> tuple[BatchItem, ...]:
    """Return the replies to several requests, in their order (document 001, section 4.1).

    At most `at_once` requests run at one time. A request without a whole reply is an item with its
    error, and does not disturb the others.
    """
    places = asyncio.Semaphore(at_once)

    async def item(request: ChatRequest) -> BatchItem:
        calls: list[LLMDebugInfo] = []
        async with places:
            try:
                text = await whole_reply(model, request, calls=calls)
            except (ModelUnavailable, ModelRateLimited) as error:
                return BatchItem(error=error, calls=tuple(calls))
        return BatchItem(text=text, calls=tuple(calls))

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(item(request)) for request in requests]
    return tuple(task.result() for task in tasks)


def _nothing_is_visible() -> bool:
    """Return that no client sees any of it, so a broken call may be repeated."""
    return False
