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
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, Words, say
from heartrule_cli.narration.debug_narration import debug_lines
from heartrule_cli.narration.decision_narration import decision_lines
from heartrule_cli.narration.run_narration import run_lines
from heartrule_cli.narration.session_texts import (
    incompleteness,
    position_text,
    problem_text,
    value_text,
)
from heartrule_cli.text import clean, one_line, padded

if TYPE_CHECKING:
    from heartrule_cli.rehearsal.outcome import Played, Rehearsal
    from heartrule_cli.style import Style

_SPEAKER = 11
_DELETE = VariableOperationKind.DELETE
_INDENT = "  "


def transcript(
    rehearsal: Rehearsal, style: Style, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> Iterator[str]:
    """Yield the lines of a whole rehearsal, below a heading."""
    conversation = rehearsal.conversation
    title = f" · {one_line(conversation.title)}" if conversation.title else ""
    yield style.bold(f"{one_line(conversation.file)}{title}")
    for played in rehearsal.played:
        yield style.bold(turn_name(played).told(language))
        yield from turn_lines(played, style, language)


def turn_name(played: Played) -> Words:
    """Return `turn 2`, and what is special about it."""
    if not played.turn.opens:
        return say("cli.rehearse.turn", number=played.number)
    code = "cli.rehearse.opening" if played.number == 1 else "cli.rehearse.connects_again"
    return say(code, number=played.number)


def turn_lines(
    played: Played, style: Style, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> Iterator[str]:
    """Yield a turn: its messages, and lines about its other events."""
    for event in played.events:
        yield from _lines(event.body, style, language)
    yield from _refused(played, style, language)
    yield from _position_lines(played, style, language)


def _refused(played: Played, style: Style, language: ReaderLanguage) -> Iterator[str]:
    """Yield an input that was refused, and why; no event holds it."""
    rejected = played.seen.get("rejected")
    for reason in rejected if isinstance(rejected, list) else []:
        form = played.turn.form
        words = form_text(form, language) if form is not None else ""
        words = f"{words} {one_line(played.turn.client or '')}".strip()
        yield f"{_INDENT}{_speaker(Role.CLIENT, language)}{words}"
        refused = say("cli.rehearse.refused_line", reason=str(reason)).told(language)
        yield f"{_INDENT}{style.warn(refused)}"


def _speaker(role: Role, language: ReaderLanguage) -> str:
    return padded(say(f"cli.speaker.{role}").told(language), _SPEAKER)


def message_lines(
    message: Message, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> Iterator[str]:
    """Yield a message, its parts one below the other behind the speaker."""
    lines = [line for part in message.parts for line in _part_lines(part, language)]
    if message.role is Role.COUNSELLOR:
        lines[:1] = [f"{say('cli.message.counsellor').told(language)} {lines[0]}"]
    speaker = _speaker(message.role, language)
    for line in lines:
        yield f"{_INDENT}{speaker}{line}"
        speaker = " " * _SPEAKER
    if note := incompleteness(message, language):
        yield f"{_INDENT}{' ' * _SPEAKER}({note})"


def _part_lines(part: Part, language: ReaderLanguage) -> Iterator[str]:
    """Yield a text as it is, a form with its values, a picture with its words."""
    if part.form is not None:
        yield form_text(part.form.values, language)
        return
    yield from clean(part.plain_text()).split("\n")
    if part.media is not None:
        uri = part.media.uri or ""
        is_own = not uri or uri.startswith(ASSET_SCHEME)
        own = say("cli.rehearse.own_picture", kind=one_line(part.media.mime_type))
        picture = own if is_own else say("cli.rehearse.picture", address=one_line(uri))
        yield picture.told(language)


def form_text(
    values: Mapping[str, JsonValue], language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return the values a client filled in, on one line."""
    filled = tuple(f"{one_line(name)} = {value_text(value)}" for name, value in values.items())
    return say("cli.rehearse.form", values=filled).told(language)


def _lines(body: EventBody, style: Style, language: ReaderLanguage) -> Iterator[str]:
    match body:
        case InputAccepted(messages=messages):
            for message in messages:
                yield from message_lines(message, language)
        case MessageCommitted(message=message):
            yield from message_lines(message, language)
        case InputRequested():
            asks = say("cli.rehearse.asks_form", fields=_fields(body))
            yield _aside(asks.told(language), style)
        case TurnEnded(outcome=outcome, problem=problem) if outcome is Outcome.FAILED:
            failed = say("cli.chat.turn_failed", why=problem_text(problem, language))
            yield f"{_INDENT}{style.warn(failed.told(language))}"
        case VariableChanged(variable_operation=done) if done.operation is _DELETE:
            return  # its scope was left, which the position shows
        case _:
            of_runs = (*decision_lines(body, language), *run_lines(body, language))
            for line in (*debug_lines(body, language), *of_runs):
                yield _aside(line, style)


def _aside(line: str, style: Style) -> str:
    return f"{_INDENT}{style.dim(f'· {line}')}"


def _fields(request: InputRequested) -> Said:
    """Return the names of a form's fields, and which have a value already."""
    properties = request.schema.get("properties")
    if not isinstance(properties, dict):
        return one_line(request.fallback_text)
    return say("cli.list", items=tuple(_field(each) for each in properties.items()))


def _field(named: tuple[str, JsonValue]) -> Said:
    name, field = named
    is_filled = isinstance(field, dict) and "default" in field
    return say("cli.rehearse.filled", field=one_line(name)) if is_filled else one_line(name)


def _position_lines(played: Played, style: Style, language: ReaderLanguage) -> Iterator[str]:
    """Yield the session's position after the turn."""
    if played.seen.get("status") == ExecutionStatus.COMPLETED:
        yield f"{_INDENT}{style.dim(say('cli.rehearse.at_end').told(language))}"
        return
    position = played.seen.get("position")
    if isinstance(position, dict):
        place = position_text(ExecutionPosition(**cast("dict[str, Any]", position)), language)
        if place:
            yield f"{_INDENT}{style.dim(place)}"
