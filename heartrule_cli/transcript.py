"""A session as `heartrule show` prints it: gathered from its events, then laid out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from heartrule.domain.action_result import ActionResult
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
    value_text,
)
from heartrule_cli.text import clean, one_line

if TYPE_CHECKING:
    from heartrule_cli.style import Style

_SPEAKER_WIDTH = 11
_CLOCK_WIDTH = 10
_SCOPES = tuple(VariableScope)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRound:
    """A round that was judged, and when."""

    at: datetime | None
    turn_id: str
    result: ActionResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A decision told in one line, and when."""

    at: datetime | None
    turn_id: str
    text: str


@dataclass(slots=True, kw_only=True)
class Record:
    """What a session's events leave behind."""

    messages: list[Message] = field(default_factory=list)
    judged: list[JudgedRound] = field(default_factory=list)
    skipped: list[Noted] = field(default_factory=list)
    """What conditions passed over."""
    recommended: list[Noted] = field(default_factory=list)
    """What the strategy engine recommended."""
    troubles: list[Noted] = field(default_factory=list)
    """Degradations of turns, unreadable replies among them, and failures."""
    edits: dict[str, Noted] = field(default_factory=dict)
    """Each edit of the plan as it was told last."""
    advice: dict[str, Advice] = field(default_factory=dict)
    """Each advice as it was told last."""
    analyses: Counter[str] = field(default_factory=Counter)
    """How many analyses ended in which way."""

    def add(self, event: SessionEvent) -> None:
        """Take the next event in; those that leave nothing behind are ignored."""
        match event.body:
            case InputAccepted() | MessageCommitted() as said:
                self.messages += (
                    said.messages if isinstance(said, InputAccepted) else [said.message]
                )
            case HistoryRewound(removed_message_ids=gone, turn_ids=turns):
                self._rewind(gone, turns)
            case StepSkipped() as skipped:
                self.skipped.append(_noted(event, skipped_text(skipped)))
            case StrategyDecided(strategy_decision=decision):
                self.recommended.append(_noted(event, strategy_text(decision)))
            case ActionResultRecorded(action_result=result) if result.exit_decision is not None:
                self.judged.append(
                    JudgedRound(at=event.create_time, turn_id=event.turn_id, result=result)
                )
            case TurnEnded() as ended:
                self.troubles += [_noted(event, text) for text in _troubles_of(ended)]
            case PlanEdited(edit=edit):
                self.edits[edit.edit_id] = _noted(event, edit_text(edit))
            case AdviceChanged(advice=advice):
                self.advice[advice.advice_id] = advice
            case AnalysisEnded(result=result):
                self.analyses[result] += 1

    def _rewind(self, message_ids: Collection[str], turn_ids: Collection[str]) -> None:
        """Forget the messages and turns that a retry removed."""
        self.messages = [each for each in self.messages if each.message_id not in message_ids]
        self.judged = [each for each in self.judged if each.turn_id not in turn_ids]
        for noted in (self.skipped, self.recommended, self.troubles):
            noted[:] = [each for each in noted if each.turn_id not in turn_ids]


def _troubles_of(ended: TurnEnded) -> list[str]:
    """Return why an attempt failed, or what its turn did less well than asked.

    The degradations of a failed attempt are reported again when its turn ends.
    """
    if ended.problem is not None:
        return [f"failed: {problem_text(ended.problem)}"]
    return [degradation_text(each) for each in ended.degradations]


def _noted(event: SessionEvent, text: str) -> Noted:
    return Noted(at=event.create_time, turn_id=event.turn_id, text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What stands above a transcript."""

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
        "Exits": _exit_lines(record.judged),
    }
    notes: dict[str, Iterable[Noted]] = {
        "Skipped": record.skipped,
        "Strategy": record.recommended,
        "Plan": record.edits.values(),
        "Troubles": record.troubles,
    }
    for title, noted in notes.items():
        if noted:
            sections[title] = _noted_lines(noted)
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
    yield f"  started  {_moment(heading.started)}"
    yield f"  status   {state.status.replace('_', ' ')}"
    if state.status is not ExecutionStatus.COMPLETED and (place := position_text(state.position)):
        yield f"  stands   {place}"
    if state.error is not None:
        yield f"  error    {problem_text(state.error)}"


def _message_lines(messages: Iterable[Message], style: Style) -> Iterator[str]:
    day = ""
    for message in messages:
        when = _local(message.create_time)
        today = when.strftime("%Y-%m-%d") if when else ""
        if today != day and day:
            yield style.dim(today)
        day = today or day
        clock = when.strftime("%H:%M:%S") if when else ""
        first, *more = clean(message.plain_text()).split("\n")
        yield f"{clock:<{_CLOCK_WIDTH}}{message.role:<{_SPEAKER_WIDTH}}{first}"
        indent = " " * (_CLOCK_WIDTH + _SPEAKER_WIDTH)
        yield from (indent + line for line in more)
        if note := incompleteness(message):
            yield indent + style.dim(f"({note})")


def _variable_lines(variables: Iterable[VariableValue], style: Style) -> Iterator[str]:
    ordered = sorted(variables, key=_place)
    for (_, scope, scope_id), group in groupby(ordered, key=_scope_key):
        values = list(group)
        archived = " (archived)" if values[0].archived else ""
        yield scope_text(scope, scope_id) + archived
        for value in values:
            source = style.dim(f"  from {one_line(value.source)}") if value.source else ""
            yield f"  {one_line(value.name)} = {value_text(value.value)}{source}"


def _scope_key(value: VariableValue) -> tuple[bool, VariableScope, str]:
    return value.archived, value.scope, value.scope_id


def _place(value: VariableValue) -> tuple[bool, int, str, str]:
    """Order living before archived, wide before narrow."""
    return value.archived, _SCOPES.index(value.scope), value.scope_id, value.name


def _exit_lines(judged: Iterable[JudgedRound]) -> Iterator[str]:
    for one in judged:
        when = _local(one.at)
        clock = when.strftime("%H:%M:%S") if when else ""
        result = one.result
        verdict = exit_text(result.exit_decision, result.exit_reason)
        yield f"{clock:<{_CLOCK_WIDTH}}{one_line(result.action_id)} round {result.round} {verdict}"


def _noted_lines(noted: Iterable[Noted]) -> Iterator[str]:
    for one in noted:
        when = _local(one.at)
        clock = when.strftime("%H:%M:%S") if when else ""
        yield f"{clock:<{_CLOCK_WIDTH}}{one.text}"


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


def _local(when: datetime | None) -> datetime | None:
    return when.astimezone() if when is not None else None


def _moment(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d %H:%M:%S")
