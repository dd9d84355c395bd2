"""`heartrule show ID`: prints a session's transcript, variables, decisions and advice."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from executor_service.settings import StoreSettings
from heartrule.chassis.settings import read
from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    PlanEdited,
    SessionEvent,
    StrategyDecided,
    TurnEnded,
)
from heartrule.domain.monitoring import Advice
from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.variables import VariableScope, VariableValue
from heartrule_cli.executor_client import ExecutorClient, executor_at
from heartrule_cli.failure import Unreachable
from heartrule_cli.invocation import DEFAULT_ADDRESS
from heartrule_cli.model_choice import choose_model
from heartrule_cli.narration import (
    degradation_text,
    edit_text,
    exit_text,
    incompleteness,
    position_text,
    problem_text,
    scope_text,
    skipped_text,
    strategy_text,
    support_text,
    value_text,
)
from heartrule_cli.services import ServicePlan, running_services
from heartrule_cli.stopping import stopping_on_signals
from heartrule_cli.style import Style, style_for
from heartrule_cli.text import clean, one_line


def show(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the page of one session."""
    return asyncio.run(_show(args.session, args.address, environ))


async def _show(session_id: str, address: str | None, environ: Mapping[str, str]) -> int:
    style = style_for(sys.stdout, environ)
    try:
        async with executor_at(address or DEFAULT_ADDRESS, environ) as executor:
            await _print(executor, session_id, style)
    except Unreachable:
        if address is not None or not _database_is_here(environ):
            raise
        await _show_from_database(session_id, environ, style)
    return 0


def _database_is_here(environ: Mapping[str, str]) -> bool:
    """Return whether this folder has a SQLite database, which needs no server."""
    return Path(read(StoreSettings, environ).database_url).is_file()


async def _show_from_database(session_id: str, environ: Mapping[str, str], style: Style) -> None:
    """Start the services of this folder for as long as it takes."""
    print("no executor runs; starting one for a moment …", file=sys.stderr, flush=True)
    with stopping_on_signals() as stop:
        plan = ServicePlan(model=choose_model(environ), environ=environ, stop=stop, gateway=False)
        async with (
            running_services(plan) as services,
            executor_at(services.address, environ) as executor,
        ):
            await _print(executor, session_id, style)


async def _print(executor: ExecutorClient, session_id: str, style: Style) -> None:
    session = await executor.session(session_id)
    state = await executor.state(session_id)
    record = Record()
    async for event in executor.history(session_id, state.sequence):
        record.add(event)
    variables = await executor.variables(session_id)
    heading = Heading(
        session_id=session.session_id,
        title=session.title,
        started=session.create_time.ToDatetime(tzinfo=UTC),
    )
    for line in transcript_lines(heading, state, record, variables, style=style):
        print(line)


_SPEAKER_WIDTH = 11
_CLOCK_WIDTH = 10
_SCOPES = tuple(VariableScope)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Note:
    """A decision in one line of a section."""

    section: str
    at: datetime | None
    turn_id: str
    text: str


@dataclass(slots=True, kw_only=True)
class Record:
    """What a session's events leave behind."""

    messages: list[Message] = field(default_factory=list)
    notes: list[_Note] = field(default_factory=list)
    edits: dict[str, _Note] = field(default_factory=dict)
    """Each edit of the plan in its last state."""
    advice: dict[str, Advice] = field(default_factory=dict)
    """Each advice in its last state."""
    analyses: Counter[str] = field(default_factory=Counter)
    """How many analyses ended in which way."""

    def add(self, event: SessionEvent) -> None:
        """Apply the next event; kinds that the page does not show are ignored."""
        match event.body:
            case InputAccepted(messages=messages):
                self.messages += messages
            case MessageCommitted(message=message):
                self.messages.append(message)
            case HistoryRewound(removed_message_ids=removed, turn_ids=turns):
                self.messages = [each for each in self.messages if each.message_id not in removed]
                self.notes = [each for each in self.notes if each.turn_id not in turns]
            case PlanEdited(edit=edit):
                self.edits[edit.edit_id] = _note(event, "Plan", edit_text(edit))
            case AdviceChanged(advice=advice):
                self.advice[advice.advice_id] = advice
            case AnalysisEnded(result=result):
                self.analyses[result] += 1
            case _:
                self.notes += _notes_of(event)


def _notes_of(event: SessionEvent) -> list[_Note]:
    match event.body:
        case StepSkipped() as skipped:
            return [_note(event, "Skipped", skipped_text(skipped))]
        case StrategyDecided(strategy_decision=decision):
            return [_note(event, "Strategy", strategy_text(decision))]
        case ActionResultRecorded(action_result=result) if result.exit_decision is not None:
            verdict = exit_text(result.exit_decision, result.exit_reason)
            text = f"{one_line(result.action_id)} round {result.round} {verdict}"
            return [_note(event, "Exits", text)]
        case TurnEnded(problem=None, degradations=degradations):
            return [_note(event, "Troubles", degradation_text(each)) for each in degradations]
        case TurnEnded(problem=problem):
            # The degradations of a failed attempt are reported again when its turn ends.
            return [_note(event, "Troubles", f"failed: {problem_text(problem)}")]
        case _:
            return []


def _note(event: SessionEvent, section: str, text: str) -> _Note:
    return _Note(section=section, at=event.create_time, turn_id=event.turn_id, text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The heading of a transcript."""

    session_id: str
    title: str
    started: datetime


def transcript_lines(
    heading: Heading,
    state: ExecutionState,
    record: Record,
    variables: Iterable[VariableValue],
    *,
    style: Style,
) -> Iterator[str]:
    """Yield the whole page: heading, transcript, variables, exits, advice.

    Skipped steps, recommendations, edits of the plan, and degradations with failures have a
    section where there are any.
    """
    yield from _heading_lines(heading, state, style)
    sections = {
        "Transcript": _message_lines(record.messages, style),
        "Variables": _variable_lines(variables, style),
    }
    notes = [*record.notes, *record.edits.values()]
    for title in ("Exits", "Skipped", "Strategy", "Plan", "Troubles"):
        found = [each for each in notes if each.section == title]
        if found or title == "Exits":
            sections[title] = (
                f"{_local(each.at, '%H:%M:%S'):<{_CLOCK_WIDTH}}{each.text}" for each in found
            )
    sections["Advice"] = _advice_lines(record, style)
    for title, lines in sections.items():
        yield ""
        yield style.bold(title)
        shown = False
        for line in lines:
            shown = True
            yield f"  {line}" if line else ""
        if not shown:
            yield style.dim("  none")


def _heading_lines(heading: Heading, state: ExecutionState, style: Style) -> Iterator[str]:
    yield style.bold(f"Session {one_line(heading.session_id)}")
    version = one_line(state.script_version)[:12]
    title = f"{one_line(heading.title)} " if heading.title else ""
    yield f"  script   {title}({one_line(state.script_id)}, version {version})"
    yield f"  started  {_local(heading.started, '%Y-%m-%d %H:%M:%S')}"
    yield f"  status   {state.status.replace('_', ' ')}"
    if state.status is not ExecutionStatus.COMPLETED and (place := position_text(state.position)):
        yield f"  stands   {place}"
    if state.error is not None:
        yield f"  error    {problem_text(state.error)}"


def _message_lines(messages: Iterable[Message], style: Style) -> Iterator[str]:
    day = ""
    for message in messages:
        today = _local(message.create_time, "%Y-%m-%d")
        if today != day and day:
            yield style.dim(today)
        day = today or day
        first, *more = clean(message.plain_text()).split("\n")
        clock = _local(message.create_time, "%H:%M:%S")
        yield f"{clock:<{_CLOCK_WIDTH}}{message.role:<{_SPEAKER_WIDTH}}{first}"
        indent = " " * (_CLOCK_WIDTH + _SPEAKER_WIDTH)
        yield from (indent + line for line in more)
        if note := incompleteness(message):
            yield indent + style.dim(f"({note})")


def _variable_lines(variables: Iterable[VariableValue], style: Style) -> Iterator[str]:
    ordered = sorted(variables, key=_place)
    for (archived, scope, scope_id), values in groupby(ordered, key=_scope_key):
        yield scope_text(scope, scope_id) + (" (archived)" if archived else "")
        for value in values:
            source = style.dim(f"  from {one_line(value.source)}") if value.source else ""
            told = f"{one_line(value.name)} = {value_text(value.value)}"
            yield f"  {told}{support_text(value)}{source}"


def _scope_key(value: VariableValue) -> tuple[bool, VariableScope, str]:
    return value.archived, value.scope, value.scope_id


def _place(value: VariableValue) -> tuple[bool, int, str, str]:
    """Sort archived variables last, and the widest scope first."""
    return value.archived, _SCOPES.index(value.scope), value.scope_id, value.name


def _advice_lines(record: Record, style: Style) -> Iterator[str]:
    for advice in record.advice.values():
        about = f"{one_line(advice.action_id)} round {advice.about_round}"
        yield f"{about}: {advice.severity}, {advice.state}"
        for line in clean(advice.feedback_text).strip().split("\n"):
            yield f"  {line}" if line else ""
    if record.analyses:
        counted = ", ".join(
            f"{count} {how.replace('_', ' ')}" for how, count in sorted(record.analyses.items())
        )
        yield style.dim(f"analyses: {counted}")


def _local(when: datetime | None, form: str) -> str:
    return when.astimezone().strftime(form) if when else ""
