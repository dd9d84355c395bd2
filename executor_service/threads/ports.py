"""What threads stand on: somebody who writes their changes, and a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal, Protocol

from heartrule.domain.errors import ModelStreamCut
from heartrule.domain.thread_changes import ThreadWrite


class ReplyCut(ModelStreamCut):
    """A streamed answer was stopped, or broke off; what the client has read of it stays."""

    def __init__(self, shown: str, reason: str) -> None:
        """`shown` is what was read, `reason` why nothing more came."""
        super().__init__("the answer ended before its end", reason=reason)
        self.shown = shown


class ThreadWriter(Protocol):
    """Writes what changed of a thread."""

    async def write(self, changes: tuple[ThreadWrite, ...]) -> None:
        """Write all of these in one transaction, or none of them.

        Each call is a checkpoint: a message, a suggestion, a phase move, and what belongs to it.
        LeaseLost where another worker has the run, or it was ended; the aggregate is useless then.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMessage:
    """One message of a prompt."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPrompt:
    """What a part of an agent asks of a model."""

    system_message: str
    messages: tuple[PromptMessage, ...]
    """Oldest first; neighbours are of different roles. The oldest are the first to give way where
    the model's budget is too small."""


class ThreadModel(Protocol):
    """The model as threads see it: purpose THREAD, a row of the ledger for each call."""

    async def answer(self, prompt: ThreadPrompt) -> str:
        """Return the whole answer.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
        """

    def stream(self, prompt: ThreadPrompt) -> AsyncIterator[str]:
        """Yield an answer as it is written, for a main thread alone (RESOLUTIONS T14).

        Raises:
            ReplyCut: It was stopped or broke off, and what was yielded stays.
            ModelUnavailable, ModelRateLimited, ModelStreamCut: Nothing of it stays.
        """
        ...
