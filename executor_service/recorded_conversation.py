"""Writes a session as a conversation file for `heartrule rehearse`. Pure: records in, YAML out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from heartrule.chassis.yaml_text import yaml_text
from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    ActionResultRecorded,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    Outcome,
    SessionEvent,
    TurnEnded,
    TurnStarted,
    VariableChanged,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, ModelCall, Purpose
from heartrule.domain.monitoring import MonitorFeedbackEntry
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.sensitive import SensitiveVariables
from heartrule.domain.time_zones import zone_of
from heartrule.domain.variables import VariableOperationKind
from session_store.records import SessionRecord

_CUT = "MODEL_STREAM_CUT"
# Calls whose answer is any text; all others answer with an object.
_FREE = frozenset({Purpose.WORKFLOW, Purpose.THREAD})
_REQUESTED = "requested"  # the mark of a round that the monitor was asked about


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSession:
    """What is kept of a session that is to be rehearsed."""

    session: SessionRecord
    events: Sequence[SessionEvent]
    """All durable ones, in order."""
    calls: Sequence[ModelCall]
    """The ledger, oldest first."""
    feedback: Sequence[MonitorFeedbackEntry]
    hidden: SensitiveVariables
    """Their values are expected nowhere."""


@dataclass(slots=True, kw_only=True)
class _Turn:
    inputs: list[Message] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    results: list[ActionResultRecorded] = field(default_factory=list)
    variables: dict[str, JsonValue] = field(default_factory=dict)
    end: TurnEnded | None = None


def conversation_text(recorded: RecordedSession, title: str) -> str:
    """Return the file: what the client did, what the models answered, what then held.

    Where the ledger no longer has an answer, none is written, and nothing that rests on them is
    expected; empty where no turn has ended.
    """
    ended = {name: turn for name, turn in _turns(recorded).items() if turn.end is not None}
    turns = list(ended.values())
    if not turns:
        return ""
    session = recorded.session
    calls = _asked([each for each in recorded.calls if not each.turn_id or each.turn_id in ended])
    is_whole = all(call.output or call.error for call in calls)
    written: dict[str, Any] = {"title": title}
    zone = zone_of(session.time_zone)
    written["now"] = session.create_time.astimezone(zone or UTC).isoformat(" ", "minutes")
    if zone is not None:
        written["time_zone"] = session.time_zone
    if spoken := _spoken(session):
        written["locale"] = spoken
    if session.strategy_engine is not None:
        written["strategy_engine"] = session.strategy_engine
    if is_whole:
        written["model"] = [_answer(call) for call in calls]
        written["monitor"] = list(_advice(turns, recorded.feedback))
    written["turns"] = [_written(turn, is_whole=is_whole) for turn in turns]
    return yaml_text(written)


def _spoken(session: SessionRecord) -> str:
    """Return the locale; the language alone where script or client decided on another one."""
    own, decided = (re.split("[-_.@]", each)[0] for each in (session.locale, session.language))
    return session.language if decided.lower() not in {"", own.lower()} else session.locale


def _turns(recorded: RecordedSession) -> dict[str, _Turn]:
    """Return the turns that stand, in the order in which they began."""
    turns: dict[str, _Turn] = {}
    inputs: dict[str, Message] = {}
    for event in recorded.events:
        match event.body:
            case InputAccepted(messages=messages):
                inputs |= {each.client_message_id: each for each in messages}
            case TurnStarted(client_message_ids=names):
                turn = turns.setdefault(event.turn_id, _Turn())
                turn.inputs = [inputs[name] for name in names if name in inputs]
            case HistoryRewound(turn_ids=gone):
                turns = {name: turn for name, turn in turns.items() if name not in gone}
            case _ if event.turn_id in turns:
                _add(turns[event.turn_id], event, recorded.hidden)
            case _:
                pass
    return turns


def _add(turn: _Turn, event: SessionEvent, hidden: SensitiveVariables) -> None:
    match event.body:
        case MessageCommitted(message=message):
            turn.said.append(message.plain_text())
        case ActionResultRecorded() as result:
            turn.results.append(result)
        case VariableChanged(variable_operation=done) if not hidden.hides(done.variable_name):
            if done.operation is VariableOperationKind.DELETE:
                turn.variables.pop(done.variable_name, None)
            else:
                turn.variables[done.variable_name] = done.value
        case TurnEnded() as end:
            turn.end = end
        case _:
            pass


def _written(turn: _Turn, *, is_whole: bool) -> dict[str, Any]:
    """Return a turn as the file has it."""
    written: dict[str, Any] = {}
    parts = [part for message in turn.inputs for part in message.parts]
    form = next((part.form for part in parts if part.form is not None), None)
    words = "\n".join(part.plain_text() for part in parts if part.form is None)
    if words or (turn.inputs and form is None):
        written["client"] = words
    if form is not None:
        written["form"] = dict(form.values)
    expected = dict(_expected(turn)) if is_whole else {}
    return written | ({"expect": expected} if expected else {})


def _expected(turn: _Turn) -> Iterator[tuple[str, Any]]:
    end = turn.end
    assert end is not None
    if end.outcome is Outcome.FAILED:
        yield "outcome", end.outcome.value
        return
    if turn.said:
        yield "said", turn.said
    results = [each.action_result for each in turn.results]
    judged = [
        {"action": each.action_id, "ends": each.exit_decision.should_exit}
        for each in results
        if each.exit_decision is not None
    ]
    if judged:
        yield "judged", judged
    if turn.variables:
        yield "variables", turn.variables
    if end.state is not None and end.state.status is ExecutionStatus.COMPLETED:
        yield "status", end.state.status.value
    elif end.state is not None and end.state.position.action_id:
        yield "position", {"action_id": end.state.position.action_id}


def _asked(calls: Sequence[ModelCall]) -> list[LLMDebugInfo]:
    """Return the call that counts of each request but the monitor's: tries have the same input."""
    found: list[LLMDebugInfo] = []
    for call in (each.call for each in calls if each.call.purpose is not Purpose.MONITOR):
        if found and found[-1].error and found[-1].input == call.input:
            found.pop()
        found.append(call)
    return found


def _answer(call: LLMDebugInfo) -> JsonValue:
    """Return a call's answer as the file has it, letter by letter in what counts."""
    if call.error:
        return {"cut": call.output} if call.error == _CUT else {"fails": call.error}
    try:
        read = json.loads(call.output)
    except ValueError:
        is_text = call.purpose in _FREE or "{" in call.output
        return call.output if is_text else {"object": call.output}
    return call.output if call.purpose in _FREE else {"object": read}


def _advice(
    turns: Sequence[_Turn], feedback: Sequence[MonitorFeedbackEntry]
) -> Iterator[JsonValue]:
    """Yield the monitor's answer to each round that it was asked about."""
    known: Mapping[tuple[str, int], MonitorFeedbackEntry] = {
        (each.action_instance_id, each.round): each for each in feedback
    }
    for result in (each.action_result for turn in turns for each in turn.results):
        if result.metadata.get("analysis") != _REQUESTED:
            continue
        entry = known.get((result.action_instance_id, result.round))
        if entry is None or entry.advice is None:
            yield "silent"
        else:
            yield {"advice": entry.advice.feedback_text}
