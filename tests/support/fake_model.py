"""A chat model that tests write: replies in order, pauses by event, failures where wanted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.ids import new_id
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest, ModelRestarted


def ask_reply(content: str, *, exit_: str = "NO", **fields: object) -> str:
    """Return a whole reply of ai_ask in the order the templates ask for."""
    reply = {
        "EXIT": exit_,
        "content": content,
        "BRIEF": "说了一些",
        "variables": {},
        "metrics": {
            "information_completeness": "还缺一些",
            "user_engagement": "愿意谈",
            "emotional_intensity": "平静",
            "reply_relevance": "切题",
        },
        "progress_suggestion": "continue_needed",
    }
    return json.dumps({**reply, **fields}, ensure_ascii=False)


@dataclass(slots=True)
class Reply:
    """One scripted answer: pieces as they are streamed, then an end or a failure."""

    pieces: tuple[str, ...]
    fails: HeartRuleError | None = None
    gate: asyncio.Event | None = None
    """Waited for before the last piece."""
    started: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the model is asked."""
    finish_reason: str = "stop"


def whole(text: str, *, chunk: int = 7) -> Reply:
    """Return an answer streamed in pieces of `chunk` characters."""
    return Reply(tuple(text[i : i + chunk] for i in range(0, len(text), chunk)))


class FakeModel:
    """Answers from a list; the last answer repeats when the list is empty."""

    def __init__(self, replies: Iterable[Reply | str] = ()) -> None:
        """Answer with `replies` in order."""
        self.replies = [whole(r) if isinstance(r, str) else r for r in replies]
        self.requests: list[ChatRequest] = []
        self.tokens = 0
        """What each call is said to take."""

    def will_say(self, *replies: Reply | str) -> None:
        """Answer with these next."""
        self.replies += [whole(r) if isinstance(r, str) else r for r in replies]

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the next answer."""
        self.requests.append(request)
        reply = self.replies.pop(0)
        reply.started.set()
        said: list[str] = []
        for number, piece in enumerate(reply.pieces, start=1):
            if reply.gate is not None and number == len(reply.pieces):
                await reply.gate.wait()
            said.append(piece)
            yield piece
        calls.append(self._record(request, "".join(said), reply))
        if reply.fails is not None:
            raise reply.fails

    async def aclose(self) -> None:
        """Do nothing."""

    def last_prompt(self) -> str:
        """Return the last message of the latest request."""
        return self.requests[-1].messages[-1].content

    def _record(self, request: ChatRequest, output: str, reply: Reply) -> LLMDebugInfo:
        return LLMDebugInfo(
            call_id=new_id("call"),
            purpose=request.purpose,
            prompt_type=request.prompt_type,
            provider="fake",
            model="fake",
            input=json.dumps(
                [{"role": m.role, "content": m.content} for m in request.messages],
                ensure_ascii=False,
            ),
            output=output,
            completion_tokens=self.tokens,
            finish_reason="" if reply.fails else reply.finish_reason,
            error=reply.fails.reason if reply.fails else "",
        )
