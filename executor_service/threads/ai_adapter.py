"""How a part of an agent asks a model (document 003, section 8; RESOLUTIONS T14, T15)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, overload

from executor_service.threads.ports import PromptMessage, ThreadModel, ThreadPrompt
from executor_service.threads.thread_errors import ThreadFault
from heartrule.domain.threads import ThreadMessage, ThreadRole

_HIDDEN = ("virtual", "marker")
"""Keys of a message's meta that say the model does not see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerMessage:
    """The message of an answer."""

    content: str
    role: Literal["assistant"] = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChoice:
    """The one choice of an answer."""

    message: AnswerMessage
    index: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAnswer:
    """An answer as section 8 prints it: `choices[0].message.content` is the text."""

    choices: tuple[AnswerChoice, ...]


class AIAdapter:
    """The model of one agent; each agent has its own."""

    def __init__(self, model: ThreadModel, *, is_main: bool = False) -> None:
        """`is_main` says that its agent works on a main thread, which alone may stream."""
        self._model, self._is_main = model, is_main

    @overload
    async def chat(
        self,
        messages: Iterable[ThreadMessage],
        system_message: str,
        stream: Literal[False] = False,  # noqa: FBT002 - section 8 prints it by this name
    ) -> ChatAnswer: ...
    @overload
    async def chat(
        self,
        messages: Iterable[ThreadMessage],
        system_message: str,
        stream: Literal[True],
    ) -> AsyncIterator[str]: ...
    async def chat(
        self,
        messages: Iterable[ThreadMessage],
        system_message: str,
        stream: bool = False,  # noqa: FBT001, FBT002 - section 8 prints it by this name
    ) -> ChatAnswer | AsyncIterator[str]:
        """Return the answer to a thread's messages; with `stream`, its pieces as they come.

        Raises:
            ThreadFault: A sub-thread asked for a stream, reason STREAM_IN_SUB_THREAD.
            ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
        """
        prompt = ThreadPrompt(system_message=system_message, messages=seen_by_model(messages))
        if not stream:
            text = await self._model.answer(prompt)
            return ChatAnswer(choices=(AnswerChoice(message=AnswerMessage(content=text)),))
        if not self._is_main:
            problem = "in a sub-thread a model is asked for whole answers"
            raise ThreadFault("STREAM_IN_SUB_THREAD", problem)
        return self._model.stream(prompt)


def seen_by_model(messages: Iterable[ThreadMessage]) -> tuple[PromptMessage, ...]:
    """Return a thread's own messages as a prompt holds them (RESOLUTIONS T15).

    Placeholders and messages marked as virtual or as markers are left out, and what is nested in a
    message. Neighbours of one role are one message, since servers refuse two in a row.
    """
    shown = (each for each in messages if not (each.is_placeholder or _is_hidden(each)))
    return tuple(_joined(shown))


def _joined(messages: Iterable[ThreadMessage]) -> Iterator[PromptMessage]:
    for role, group in groupby(messages, key=lambda each: each.role):
        text = "\n\n".join(each.text for each in group)
        yield PromptMessage(role="user" if role is ThreadRole.USER else "assistant", content=text)


def _is_hidden(message: ThreadMessage) -> bool:
    return any(message.meta.get(key) is True for key in _HIDDEN)
