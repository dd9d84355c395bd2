"""The conversation as a prompt needs it: plain text, roles alternating."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from heartrule.domain.conversation import Role
from heartrule.domain.monitoring import DialogueLine
from heartrule.model.ports import ChatMessage

_RECENT = 3
Speaker: TypeAlias = Literal["user", "assistant"]


class Transcript:
    """The messages of the window, and what this turn adds."""

    def __init__(self, window: Iterable[DialogueLine]) -> None:
        """Begin with the committed messages of the window."""
        self._messages: list[ChatMessage] = []
        self._texts: list[str] = []
        last: Speaker | None = None
        for line in window:  # forty lines a turn: no call for each
            role: Speaker = "user" if line.role is Role.CLIENT else "assistant"
            if role == last:
                self._add(ChatMessage(role=role, content=line.text))
            else:
                self._messages.append(ChatMessage(role=role, content=line.text))
                last = role
            if role == "assistant":
                self._texts.append(line.text)

    def add_client(self, text: str) -> None:
        """Add words of the client."""
        self._add(ChatMessage(role="user", content=text))

    def add_assistant(self, text: str) -> None:
        """Add words of the assistant."""
        self._texts.append(text)
        self._add(ChatMessage(role="assistant", content=text))

    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the conversation; neighbours of one role are one message, as servers demand."""
        return tuple(self._messages)

    def recent_texts(self) -> tuple[str, ...]:
        """Return the assistant's latest messages, oldest first."""
        return tuple(self._texts[-_RECENT:])

    def _add(self, message: ChatMessage) -> None:
        last = self._messages[-1] if self._messages else None
        if last is not None and last.role == message.role:
            joined = f"{last.content}\n{message.content}"
            self._messages[-1] = ChatMessage(role=last.role, content=joined)
        else:
            self._messages.append(message)
