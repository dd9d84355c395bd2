"""A source of chunks that tests write, in the place of a provider."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.json_value import JsonValue
from heartrule.model.chat_events import ChatChunk
from heartrule.model.request_json import Messages

Script = Sequence[ChatChunk | HeartRuleError]


class FakeSource:
    """Plays scripts of chunks and errors, one script a call."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.asked: list[Mapping[str, JsonValue]] = []
        self.closed = 0
        self.prepared = False

    async def chunks(
        self,
        parameters: Mapping[str, JsonValue],
        messages: Messages,
        *,
        visible: Callable[[], bool],
    ) -> AsyncGenerator[ChatChunk, None]:
        self.asked.append({**parameters, "messages": messages})
        self.visible = visible
        try:
            for item in self.scripts.pop(0):
                if isinstance(item, HeartRuleError):
                    raise item
                yield item
        finally:
            self.closed += 1

    async def prepare(self) -> None:
        self.prepared = True

    async def aclose(self) -> None:
        self.closed = -1
