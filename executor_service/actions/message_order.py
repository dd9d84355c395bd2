"""The order of a prompt's messages: roles alternate, and the client's newest words come last. Pure.

The words stand in the last message, which is the engine's; they are quoted there, so that no part
of them can pass for the engine's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter, eq

from heartrule.model.ports import ChatMessage, GivesWay, PromptText
from heartrule.model.quoting import quoted

_role = attrgetter("role")


def unanswered(history: Sequence[ChatMessage]) -> tuple[tuple[ChatMessage, ...], str]:
    """Return a history without the client's words that nothing answered, and these words."""
    end = len(history)
    while end and history[end - 1].role == "user" and not history[end - 1].pinned:
        end -= 1
    words = "\n".join(message.content for message in history[end:])
    return tuple(history[:end]), words


def alternating(
    messages: Sequence[ChatMessage],
) -> tuple[tuple[ChatMessage, ...], tuple[PromptText, ...]]:
    """Join neighbours of one role: an action that opens behind the client's words may have two.

    The client's words in the last message are quoted, and returned besides, as they may give way.
    """
    roles = tuple(map(_role, messages))
    if not any(map(eq, roles, roles[1:])):
        return tuple(messages), ()
    joined: list[ChatMessage] = []
    quotation: tuple[PromptText, ...] = ()
    for message in messages:
        if joined and joined[-1].role == message.role:
            before = joined[-1].content
            if message is messages[-1]:
                before = quoted(before)
                quotation = (PromptText(kind=GivesWay.REPLY, text=before),)
            joined[-1] = replace(joined[-1], content=f"{before}\n{message.content}")
        else:
            joined.append(message)
    return tuple(joined), quotation
