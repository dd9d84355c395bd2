"""The model behind the port: one manner, and a record of what each call was sent and wrote."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from random import Random

from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest, ModelRestarted
from tests.conversations import inner_replies
from tests.conversations.fact_sheet import Facts
from tests.conversations.manners import MANNERS
from tests.conversations.obedient_talker import Talker
from tests.conversations.prompt_reading import ReadPrompt, read_prompt
from tests.conversations.recorded_calls import Call, RecordingModel

# Characters streamed at once; fewer cost more of the bench's time and change no figure.
_PIECE = 48


@lru_cache(maxsize=4096)
def tokens(text: str) -> int:
    """Return about how many tokens a text has: 0.8 for a wide character, 0.28 for others."""
    wide = sum(1 for char in text if char > "\u2e7f")
    return round(0.8 * wide + 0.28 * (len(text) - wide))


class ScriptedTalker(RecordingModel):
    """Answers in one manner at a time; whoever plays a conversation begins it here."""

    def __init__(self) -> None:
        """Begin without a conversation."""
        self.calls: list[Call] = []
        self._facts: Facts = {}
        self._random = Random(0)
        self._talker = Talker({}, self._random)

    def begin(self, manner: str, facts: Facts, random: Random) -> None:
        """Forget the conversation before, and answer in this manner from now on."""
        self.calls = []
        self._facts, self._random = facts, random
        self._talker = MANNERS[manner](facts, random)

    def reply(self, prompt: ReadPrompt) -> str:
        """Return the reply to a prompt of any template."""
        manner = self._talker.name
        if prompt.kind.endswith("_monitor"):
            judged = inner_replies.judgement(prompt, manner, self._facts, self._random)
            return inner_replies.as_json(judged)
        if prompt.kind == "ai_think":
            return inner_replies.as_json(inner_replies.thought(prompt))
        if prompt.kind == "strategy_generation":
            return inner_replies.as_json(inner_replies.recommendation())
        if prompt.kind == "topic_orchestrator":
            return inner_replies.as_json(inner_replies.plan(prompt, manner))
        return self._talker.reply(prompt)

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the reply in pieces."""
        del visible
        prompt = read_prompt(request)
        text = self.reply(prompt)
        for start in range(0, len(text), _PIECE):
            yield text[start : start + _PIECE]
        sent = sum(tokens(each.content) for each in request.messages)
        call = Call(
            purpose=request.purpose,
            kind=prompt.kind,
            opening=prompt.opening,
            prompt_tokens=sent,
            reply_tokens=tokens(text),
            reply=text,
            content=self._talker.said,
            shown_advice=str(prompt.example.get("feedback_for_action", "")),
        )
        self.calls.append(call)
        calls.append(_record(request, call))

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""


def _record(request: ChatRequest, call: Call) -> LLMDebugInfo:
    return LLMDebugInfo(
        call_id=f"call_{request.purpose}",
        purpose=request.purpose,
        prompt_type=request.prompt_type,
        provider="scripted",
        model="scripted",
        input="",
        output=call.reply,
        prompt_tokens=call.prompt_tokens,
        completion_tokens=call.reply_tokens,
        finish_reason="stop",
    )
