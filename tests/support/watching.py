"""A WatchSession stream that a test reads as an operator does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from heartrule.domain.events import AdviceChanged, PlanEdited, SessionEvent
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.orchestration import PlanEditState
from heartrule.v1 import conversation_pb2
from heartrule.wire.event_messages import event_from_message
from tests.support.conversing import ALL, WAIT_S
from tests.support.executors import Running


class Watching:
    """What WatchSession has told so far."""

    def __init__(self, responses: AsyncIterator[conversation_pb2.WatchSessionResponse]) -> None:
        """Read from an open stream."""
        self._responses = responses
        self.told: list[SessionEvent] = []

    async def until(self, count: int, kind: type[object]) -> None:
        """Return when so many events of a kind were told in all."""
        async with asyncio.timeout(WAIT_S):
            while sum(isinstance(each.body, kind) for each in self.told) < count:
                event = event_from_message((await anext(self._responses)).event)
                if event is not None:
                    self.told.append(event)

    def advice(self) -> list[tuple[int, AdviceState]]:
        """Return the rounds that advice was about, with each state it took on."""
        bodies = [each.body for each in self.told if isinstance(each.body, AdviceChanged)]
        return [(each.advice.about_round, each.advice.state) for each in bodies]

    def edits(self) -> list[PlanEditState]:
        """Return each state that an edit took on."""
        return [each.body.edit.state for each in self.told if isinstance(each.body, PlanEdited)]


@asynccontextmanager
async def watching(running: Running, session_id: str) -> AsyncIterator[Watching]:
    """Watch a session from its beginning, as an operator does."""
    request = conversation_pb2.WatchSessionRequest(
        session_id=session_id, after_sequence=0, audiences=ALL
    )
    call = running.client.stubs.conversation.WatchSession(request)
    try:
        yield Watching(aiter(call))
    finally:
        call.cancel()
