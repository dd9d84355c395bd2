"""A rehearsal as text: its messages, and what was stored and decided beside them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from heartrule.domain.conversation import Message, Part, Role
from heartrule.domain.events import (
    EventBody,
    InputAccepted,
    MessageCommitted,
    Outcome,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.json_value import JsonValue
from heartrule.domain.pictures import ASSET_SCHEME
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from heartrule.domain.variables import VariableOperationKind
from heartrule_cli.decision_narration import decision_lines
from heartrule_cli.narration import (
    debug_lines,
    incompleteness,
    position_text,
    problem_text,
    value_text,
)
from heartrule_cli.run_narration import run_lines
from heartrule_cli.text import clean, one_line

if TYPE_CHECKING:
    from heartrule_cli.rehearsal.outcome import Played, Rehearsal
    from heartrule_cli.style import Style

_SPEAKER = 11
_DELETE = VariableOperationKind.DELETE
_INDENT = "  "


def transcript(rehearsal: Rehearsal, style: Style) -> Iterator[str]:
    """Yield the lines of a whole rehearsal, below a heading."""
    conversation = rehearsal.conversation
    title = f" · {one_line(conversation.title)}" if conversation.title else ""
    yield style.bold(f"{one_line(conversation.file)}{title}")
    for played in rehearsal.played:
        yield style.bold(turn_name(played))
        yield from turn_lines(played, style)


def turn_name(played: Played) -> str:
    """Return `turn 2`, and what is special about it."""
    if not played.turn.opens:
        return f"turn {played.number}"
    return f"turn {played.number} · {'the opening' if played.number == 1 else 'connects again'}"


def turn_lines(played: Played, style: Style) -> Iterator[str]:
    """Yield a turn: its messages, and lines about its other events."""
    for event in played.events:
        yield from _lines(event.body, style)
    yield from _refused(played, style)
    yield from _position_lines(played, style)


def _refused(played: Played, style: Style) -> Iterator[str]:
    """Yield an input that was refused, and why; no event holds it."""
    rejected = played.seen.get("rejected")
    for reason in rejected if isinstance(rejected, list) else []:
        words = form_text(played.turn.form) if played.turn.form is not None else ""
        words = f"{words} {one_line(played.turn.client or '')}".strip()
        yield f"{_INDENT}{'client':<{_SPEAKER}}{words}"
        yield f"{_INDENT}{style.warn(f'refused: {reason}')}"


def message_lines(message: Message) -> Iterator[str]:
    """Yield a message, its parts one below the other behind the speaker."""
    lines = [line for part in message.parts for line in _part_lines(part)]
    if message.role is Role.COUNSELLOR:
        lines[:1] = [f"[counsellor] {lines[0]}"]
    speaker = f"{message.role:<{_SPEAKER}}"
    for line in lines:
        yield f"{_INDENT}{speaker}{line}"
        speaker = " " * _SPEAKER
    if note := incompleteness(message):
        yield f"{_INDENT}{' ' * _SPEAKER}({note})"


def _part_lines(part: Part) -> Iterator[str]:
    """Yield a text as it is, a form with its values, a picture with its words."""
    if part.form is not None:
        yield form_text(part.form.values)
        return
    yield from clean(part.plain_text()).split("\n")
    if part.media is not None:
        uri = part.media.uri or ""
        is_own = not uri or uri.startswith(ASSET_SCHEME)
        shown = f"{part.media.mime_type} from the script" if is_own else uri
        yield f"(picture {one_line(shown)})"


def form_text(values: Mapping[str, JsonValue]) -> str:
    """Return the values a client filled in, on one line."""
    filled = (f"{one_line(name)} = {value_text(value)}" for name, value in values.items())
    return f"(form) {', '.join(filled)}"


def _lines(body: EventBody, style: Style) -> Iterator[str]:
    match body:
        case InputAccepted(messages=messages):
            for message in messages:
                yield from message_lines(message)
        case MessageCommitted(message=message):
            yield from message_lines(message)
        case InputRequested():
            yield _aside(f"asks for a form: {_fields(body)}", style)
        case TurnEnded(outcome=outcome, problem=problem) if outcome is Outcome.FAILED:
            yield f"{_INDENT}{style.warn(f'the turn failed: {problem_text(problem)}')}"
        case VariableChanged(variable_operation=done) if done.operation is _DELETE:
            return  # its scope was left, which the position shows
        case _:
            for line in (*debug_lines(body), *decision_lines(body), *run_lines(body)):
                yield _aside(line, style)


def _aside(line: str, style: Style) -> str:
    return f"{_INDENT}{style.dim(f'· {line}')}"


def _fields(request: InputRequested) -> str:
    """Return the names of a form's fields, and which have a value already."""
    properties = request.schema.get("properties")
    if not isinstance(properties, dict):
        return one_line(request.fallback_text)
    named = [
        f"{one_line(name)} (filled)" if isinstance(field, dict) and "default" in field else name
        for name, field in properties.items()
    ]
    return ", ".join(map(one_line, named))


def _position_lines(played: Played, style: Style) -> Iterator[str]:
    """Yield the session's position after the turn."""
    if played.seen.get("status") == ExecutionStatus.COMPLETED:
        yield f"{_INDENT}{style.dim('the script is at its end')}"
        return
    position = played.seen.get("position")
    if isinstance(position, dict):
        place = position_text(ExecutionPosition(**cast("dict[str, Any]", position)))
        if place:
            yield f"{_INDENT}{style.dim(place)}"
