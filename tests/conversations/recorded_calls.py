"""What the bench keeps of each model call, whoever answers it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from random import Random

from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatModel
from tests.conversations.fact_sheet import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call, as the table counts it."""

    purpose: Purpose
    kind: str
    opening: bool
    prompt_tokens: int
    reply_tokens: int
    reply: str
    content: str
    """The text for the client in a reply that has one."""
    shown_advice: str
    """The advice in the template's own example, which is nobody's."""


class RecordingModel(ChatModel):
    """A model of which one conversation at a time is recorded."""

    calls: list[Call]
    """Of this conversation."""

    @abstractmethod
    def begin(self, manner: str, facts: Facts, random: Random) -> None:
        """Forget the conversation before."""
