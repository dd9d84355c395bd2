"""How a chat ended, and the lines that say so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, say
from heartrule_cli.narration.session_texts import position_text
from heartrule_cli.text import one_line

if TYPE_CHECKING:
    from heartrule.domain.position import ExecutionState
    from heartrule_cli.arguments.invocation import Invocation

_MOST_LISTED = 20


class ChatOutcome(StrEnum):
    """Why a chat ended."""

    COMPLETED = "completed"
    """The script is at its end."""
    LINES_ENDED = "lines_ended"
    """The client has no further lines."""
    LEFT = "left"
    """The client was asked to leave: Ctrl-C."""
    FAILED = "failed"
    """A turn failed and waiting does not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEnd:
    """How a chat ended."""

    how: ChatOutcome
    unsent: tuple[str, ...] = ()
    """Lines that were read and not sent: the script had ended, a turn failed, or the
    client left."""
    refused: int = 0
    """Lines the executor did not accept."""


def closing_lines(
    end: ChatEnd,
    state: ExecutionState | None,
    session_id: str,
    invocation: Invocation,
    *,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> Iterator[Said]:
    """Yield the last lines of a chat: what was not sent, the position, how to go on."""
    completed = end.how is ChatOutcome.COMPLETED
    if completed:
        yield say("cli.chat.completed", command=invocation.show(session_id))
    if end.unsent:
        yield say(
            "cli.chat.unsent_after_end" if completed else "cli.chat.unsent", count=len(end.unsent)
        )
        yield from (f"  {one_line(line)}" for line in end.unsent[:_MOST_LISTED])
    if len(end.unsent) > _MOST_LISTED:
        yield "  …"
    if completed:
        return
    place = position_text(state.position, language) if state is not None else ""
    waits = say("cli.chat.waits_at", place=place) if place else say("cli.chat.waits")
    is_end = end.how is ChatOutcome.LINES_ENDED
    yield say("cli.chat.input_ended", waits=waits) if is_end else waits
    yield say("cli.chat.go_on", command=invocation.resume(session_id))
