"""Models without a network: one that answers what is written, and the rehearsal model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence

from executor_service.scripts.model.findings import At
from heartrule.domain.errors import ModelStreamCut, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatModel, ChatRequest, ModelRestarted
from heartrule.model.rehearsal.answering import answer
from heartrule.model.rehearsal.task import Refusal
from heartrule_cli.rehearsal.written_conversation import ModelAnswer

_PIECE = 7
"""Characters streamed at once: few, so that texts are cut at odd places as they are in earnest."""
_NO_ANSWER = "MODEL_CONNECTION"
"""Reason of the failure where a list of answers is at its end."""


class PlayedModel(ChatModel):
    """Remembers what it was asked; subclasses know the answer."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.requests: list[ChatRequest] = []

    def reply(self, request: ChatRequest) -> ModelAnswer:
        """Return the answer to a request."""
        raise NotImplementedError

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the answer, or raise what it says."""
        del visible
        self.requests.append(request)
        reply = self.reply(request)
        for start in range(0, len(reply.text), _PIECE):
            yield reply.text[start : start + _PIECE]
        reason = "MODEL_STREAM_CUT" if reply.cut else reply.fails
        calls.append(_record(request, reply, reason, len(self.requests)))
        if reply.cut:
            raise ModelStreamCut("the answer breaks off here, as it is written", reason=reason)
        if reply.fails:
            raise ModelUnavailable("no answer is written here", reason=reason)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""


class WrittenModel(PlayedModel):
    """Answers from a list, in order; at its end it fails, and notes what it was asked."""

    def __init__(self, answers: Sequence[ModelAnswer]) -> None:
        """Answer these."""
        super().__init__()
        self.left = list(answers)
        self.unanswered: list[ChatRequest] = []

    def reply(self, request: ChatRequest) -> ModelAnswer:
        """Return the next answer."""
        if self.left:
            return self.left.pop(0)
        self.unanswered.append(request)
        return ModelAnswer(spot=At(), text="", fails=_NO_ANSWER)


class HeardModel(PlayedModel):
    """Lets another model answer, which outlives it."""

    def __init__(self, model: ChatModel) -> None:
        """Listen to this one."""
        super().__init__()
        self._model = model

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream what the other one answers."""
        self.requests.append(request)
        async for piece in self._model.stream(request, calls=calls, visible=visible):
            yield piece


class RehearsalModel(PlayedModel):
    """The shipped rehearsal model, without its server."""

    def reply(self, request: ChatRequest) -> ModelAnswer:
        """Return what it answers to the task card; a prompt without one fails."""
        found = answer(request.messages)
        if isinstance(found, Refusal):
            return ModelAnswer(spot=At(), text="", fails=found.code.upper())
        return ModelAnswer(spot=At(), text=found)


def _record(request: ChatRequest, reply: ModelAnswer, reason: str, number: int) -> LLMDebugInfo:
    """Return the call as it stands in the ledger; characters stand in for tokens."""
    return LLMDebugInfo(
        call_id=f"call_{request.purpose}_{number}",
        purpose=request.purpose,
        prompt_type=request.prompt_type,
        provider="written",
        model="written",
        input=json.dumps([message.content for message in request.messages], ensure_ascii=False),
        output=reply.text,
        prompt_tokens=sum(len(message.content) for message in request.messages),
        completion_tokens=len(reply.text),
        finish_reason="" if reason else "stop",
        error=reason,
    )
