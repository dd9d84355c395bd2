"""A model that says something random where nothing is laid before it, and keeps what it said."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from random import Random

from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.ports import ChatRequest, ModelRestarted
from tests.support.fake_model import FakeModel, ask_reply

NAMES = ("称呼", "心情", "睡眠", "看法")


class DiceModel(FakeModel):
    """Answers in the form that is asked for; `said` has its answers so far."""

    def __init__(self, seed: int) -> None:
        """Throw the dice of this seed."""
        super().__init__()
        self.dice = Random(seed)
        self.said: list[str] = []

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the next answer."""
        if not self.replies:
            self.will_say(self._answer(request))
        self.said.append("".join(self.replies[0].pieces))
        async for piece in super().stream(request, calls=calls, visible=visible):
            yield piece

    def _answer(self, request: ChatRequest) -> str:
        found = {name: self._value() for name in NAMES if self.dice.random() < 0.4}
        if request.purpose is Purpose.THINK:
            return json.dumps({"variables": found, "BRIEF": "想过"}, ensure_ascii=False)
        return ask_reply(
            f"第{len(self.said)}句",
            exit_=self.dice.choice(["YES", "NO", "NO"]),
            variables=found,
        )

    def _value(self) -> object:
        return self.dice.choice(["小明", 7, False, "", None])
