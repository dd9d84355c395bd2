"""`heartrule show ID`: prints a session's transcript, variables, decisions and advice."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import groupby

from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule.domain.variables import VariableScope, VariableValue
from heartrule.v1 import history_pb2
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.executor_client import ExecutorClient
from heartrule_cli.narration.session_json import session_json, session_markdown
from heartrule_cli.narration.session_record import Record
from heartrule_cli.narration.session_texts import (
    incompleteness,
    position_text,
    problem_text,
    scope_text,
    support_text,
    value_text,
)
from heartrule_cli.services.own_executor import ask_executor
from heartrule_cli.style import Style, style_for
from heartrule_cli.text import clean, json_text, one_line, padded, table_lines


def show(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the page of a session, its JSON or transcript, or it as a conversation to rehearse."""
    if args.format == "json":
        whole = asyncio.run(
            ask_executor(args.address, environ, partial(session_json, session_id=args.session))
        )
        print(json_text(whole))
        return 0
    if args.format in {"markdown", "rehearsal"}:
        read = session_markdown if args.format == "markdown" else _rehearsal
        reading = partial(read, session_id=args.session)
        text = asyncio.run(ask_executor(args.address, environ, reading))
        # A file is written as it is; what people read at a terminal moves nothing there.
        is_file = args.format == "rehearsal" and not sys.stdout.isatty()
        print(text if is_file else clean(text), end="")
        return 0
    style = style_for(sys.stdout, environ)
    printing = partial(_print, session_id=args.session, style=style)
    asyncio.run(ask_executor(args.address, environ, printing))
    return 0


async def _rehearsal(executor: ExecutorClient, session_id: str) -> str:
    request = history_pb2.GetRehearsalRequest(session_id=session_id)
    return (await executor.call(executor.stubs.history.GetRehearsal, request)).content


async def _print(executor: ExecutorClient, session_id: str, style: Style) -> None:
    session = await executor.session(session_id, with_notes=True)
    state = await executor.state(session_id)
    record = Record(language=executor.language)
    async for event in executor.history(session_id, state.sequence):
        record.add(event)
    variables = await executor.variables(session_id)
    heading = Heading(
        session_id=session.session_id,
        title=session.title,
        started=session.create_time.ToDatetime(tzinfo=UTC),
        notes=dict(session.notes),
    )
    for line in transcript_lines(heading, state, record, variables, style=style):
        print(line)


_SPEAKER_WIDTH = 11
_CLOCK_WIDTH = 10
_SCOPES = tuple(VariableScope)
_WHERE_ANY = ("Skipped", "Strategy", "Plan", "Decisions", "Workflows", "Runs", "Troubles")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The heading of a transcript."""

    session_id: str
    title: str
    started: datetime
    notes: Mapping[str, str] = field(default_factory=dict)
    """What operators noted, by turn."""


def transcript_lines(
    heading: Heading,
    state: ExecutionState,
    record: Record,
    variables: Iterable[VariableValue],
    *,
    style: Style,
) -> Iterator[str]:
    """Yield the whole page: heading, transcript, variables, exits, advice.

    Skipped steps, recommendations, edits of the plan, decisions, workflows, runs, and degradations
    with failures have a section where there are any.
    """
    language = record.language
    yield from _heading_lines(heading, state, style, language)
    sections = {
        "Transcript": _message_lines(record, heading.notes, style),
        "Variables": _variable_lines(variables, style, language),
    }
    for title in ("Exits", *_WHERE_ANY):
        found = record.notes_of(title)
        if found or title == "Exits":
            sections[title] = (
                f"{_local(each.at, '%H:%M:%S'):<{_CLOCK_WIDTH}}{each.text}" for each in found
            )
    sections["Advice"] = _advice_lines(record, style)
    for title, lines in sections.items():
        yield ""
        yield style.bold(say(f"cli.show.{title.lower()}").told(language))
        shown = False
        for line in lines:
            shown = True
            yield f"  {line}" if line else ""
        if not shown:
            yield style.dim(f"  {say('cli.show.none').told(language)}")


def _heading_lines(
    heading: Heading, state: ExecutionState, style: Style, language: ReaderLanguage
) -> Iterator[str]:
    title = say("cli.show.session", id=one_line(heading.session_id))
    yield style.bold(title.told(language))
    yield from table_lines(list(_facts(heading, state, language)))


def _facts(
    heading: Heading, state: ExecutionState, language: ReaderLanguage
) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the heading's lines."""
    version = say("cli.show.version", hash=one_line(state.script_version)[:12]).told(language)
    title = f"{one_line(heading.title)} " if heading.title else ""
    script = f"{title}({one_line(state.script_id)}, {version})"
    yield say("cli.show.script").told(language), script
    yield say("cli.show.started").told(language), _local(heading.started, "%Y-%m-%d %H:%M:%S")
    yield say("cli.show.status").told(language), say(f"cli.status.{state.status}").told(language)
    place = position_text(state.position, language)
    if state.status is not ExecutionStatus.COMPLETED and place:
        yield say("cli.show.stands").told(language), place
    if state.error is not None:
        yield say("cli.show.error").told(language), problem_text(state.error, language)


def _message_lines(record: Record, notes: Mapping[str, str], style: Style) -> Iterator[str]:
    day, waiting = "", dict(notes)
    for message in record.messages:
        today = _local(message.create_time, "%Y-%m-%d")
        if today != day and day:
            yield style.dim(today)
        day = today or day
        first, *more = clean(message.plain_text()).split("\n")
        clock = _local(message.create_time, "%H:%M:%S")
        speaker = padded(say(f"cli.speaker.{message.role}").told(record.language), _SPEAKER_WIDTH)
        if noted := clean(waiting.pop(message.turn_id, "")):
            told = say("cli.show.note", text=noted).told(record.language)
            yield from (style.dim(line) for line in told.split("\n"))
        yield f"{clock:<{_CLOCK_WIDTH}}{speaker}{first}"
        indent = " " * (_CLOCK_WIDTH + _SPEAKER_WIDTH)
        yield from (indent + line for line in more)
        if note := incompleteness(message, record.language):
            yield indent + style.dim(f"({note})")
        nested = record.threads.lines(message.message_id, replaces=message.replaces_message_id)
        yield from (indent + style.dim(line) for line in nested)


def _variable_lines(
    variables: Iterable[VariableValue], style: Style, language: ReaderLanguage
) -> Iterator[str]:
    ordered = sorted(variables, key=_place)
    for (archived, scope, scope_id), values in groupby(ordered, key=_scope_key):
        where = scope_text(scope, scope_id, language)
        yield say("cli.show.archived", scope=where).told(language) if archived else where
        for value in values:
            by = say("cli.show.from", source=one_line(value.source)).told(language)
            source = style.dim(f"  {by}") if value.source else ""
            told = f"{one_line(value.name)} = {value_text(value.value)}"
            yield f"  {told}{support_text(value, language)}{source}"


def _scope_key(value: VariableValue) -> tuple[bool, VariableScope, str]:
    return value.archived, value.scope, value.scope_id


def _place(value: VariableValue) -> tuple[bool, int, str, str]:
    """Sort archived variables last, and the widest scope first."""
    return value.archived, _SCOPES.index(value.scope), value.scope_id, value.name


def _advice_lines(record: Record, style: Style) -> Iterator[str]:
    language = record.language
    for advice in record.advice.values():
        about = say("cli.show.about", action=one_line(advice.action_id), round=advice.about_round)
        severity, state = say(f"cli.severity.{advice.severity}"), say(f"cli.advice.{advice.state}")
        told = say("cli.show.advised", about=about, severity=severity, state=state)
        yield told.told(language)
        for line in clean(advice.feedback_text).strip().split("\n"):
            yield f"  {line}" if line else ""
    if record.analyses:
        ends = tuple(
            say("cli.show.analysis", number=count, result=say(f"cli.analysis.{how}"))
            for how, count in sorted(record.analyses.items())
        )
        yield style.dim(say("cli.show.analyses", ends=ends).told(language))


def _local(when: datetime | None, form: str) -> str:
    return when.astimezone().strftime(form) if when else ""
