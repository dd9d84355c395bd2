"""A model that works until it is broken: it then hangs, fails or writes nonsense."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from enum import StrEnum

from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest, ModelRestarted
from tests.support.fake_model import FakeModel, ask_reply, whole


class Broken(StrEnum):
    """How a model is broken."""

    HANGS = "hangs"
    FAILS = "fails"
    NONSENSE = "nonsense"


class BreakableModel(FakeModel):
    """Asks on, until it is broken."""

    def __init__(self) -> None:
        """Begin as one that works."""
        super().__init__()
        self.broken: Broken | None = None

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream a question, or what a broken model gives."""
        if self.broken is Broken.HANGS:
            await asyncio.Event().wait()
        if self.broken is Broken.FAILS:
            raise ModelUnavailable("down", reason="MODEL_TIMEOUT")
        nonsense = "}} 请拨打 400-000-0000，答应我 {{"
        text = nonsense if self.broken is Broken.NONSENSE else ask_reply("慢慢说。")
        self.replies = [whole(text)]
        async for piece in super().stream(request, calls=calls, visible=visible):
            yield piece
