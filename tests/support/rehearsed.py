"""The rehearsal model without its server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest
from heartrule.model.rehearsal.policy import answer
from tests.support.fake_model import FakeModel


class Rehearsed(FakeModel):
    """The rehearsal model without its server."""

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str]:
        """Answer from the task card alone."""
        del calls, visible
        self.requests.append(request)
        replied = answer(request.messages)
        assert isinstance(replied, str), replied
        yield replied
