"""Durable events: kinds, bodies, and an event before its transaction gives it a number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from heartrule.domain import events as domain
from heartrule.domain.conversation import Audience, Message
from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    EventBody,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    ScopeLeft,
    SessionEvent,
    StateChanged,
    StrategyDecided,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.position import ExecutionState
from heartrule.domain.run_events import Activity, NodeChanged, NodeExecutionFailed, RunChanged
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.variables import ScopeSnapshot
from session_store.codec import dump, load

# Every durable kind, the newest last, and who sees it unasked.
AUDIENCES: Mapping[type, Audience] = MappingProxyType(
    {
        InputAccepted: Audience.CLIENT,
        domain.TurnStarted: Audience.CLIENT,
        domain.DraftVoided: Audience.CLIENT,
        MessageCommitted: Audience.CLIENT,
        InputRequested: Audience.CLIENT,
        StateChanged: Audience.CLIENT,
        TurnEnded: Audience.CLIENT,
        domain.SafetyRaised: Audience.CLIENT,
        AdviceChanged: Audience.OPERATOR,
        ActionResultRecorded: Audience.OPERATOR,
        VariableChanged: Audience.OPERATOR,
        ScopeLeft: Audience.OPERATOR,
        AnalysisEnded: Audience.OPERATOR,
        StepSkipped: Audience.OPERATOR,
        StrategyDecided: Audience.OPERATOR,
        HistoryRewound: Audience.CLIENT,
        domain.PlanEdited: Audience.OPERATOR,
        domain.SafetyChanged: Audience.CLIENT,
        DecisionMade: Audience.OPERATOR,
        DecisionValidated: Audience.OPERATOR,
        DecisionRejected: Audience.OPERATOR,
        WorkflowChanged: Audience.OPERATOR,
        Activity: Audience.CLIENT,
        NodeExecutionFailed: Audience.OPERATOR,
        RunChanged: Audience.OPERATOR,
        NodeChanged: Audience.OPERATOR,
        ThreadChanged: Audience.OPERATOR,
        ThreadMessageAdded: Audience.OPERATOR,
    }
)
# A fork has them also where they were emitted outside its turns.
OF_FORKS = frozenset({domain.SafetyChanged})
# A fork has them outside its turns, too, where it has the decision they name.
OF_DECISIONS = frozenset({DecisionMade, DecisionValidated, DecisionRejected, WorkflowChanged})
# A fork has them where it has the run they name.
OF_RUNS = frozenset(
    {Activity, NodeExecutionFailed, RunChanged, NodeChanged, ThreadChanged, ThreadMessageAdded}
)
# What a run tells of its work: no decision is judged otherwise because of them.
OF_WORK = frozenset({Activity, NodeExecutionFailed, NodeChanged, ThreadChanged, ThreadMessageAdded})
_PENDING = "pending_client_message_ids"


def kind_of(body: type) -> str:
    """Return the name of an event's kind, as rows have it."""
    return _NAMES[body]


_NAMES = {body: re.sub(r"(?<!^)(?=[A-Z])", "_", body.__name__).lower() for body in AUDIENCES}
_BODIES: Mapping[str, type] = {name: body for body, name in _NAMES.items()}


def class_of(kind: str) -> type | None:
    """Return the class of the bodies of a kind; None where only a later release knows it."""
    return _BODIES.get(kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmittingAttempt:
    """The attempt of the turn that emits an event; empty outside a turn."""

    turn_id: str = ""
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event before it has a number and a time."""

    body: EventBody
    emitted_by: EmittingAttempt = EmittingAttempt()
    subject: str = ""
    """What it is looked up by, beside its number; empty: nothing."""
    snapshot: ScopeSnapshot | None = None
    """Of a ScopeLeft: the values, which the row keeps and the event leaves out."""

    @property
    def is_listed(self) -> bool:
        """Return whether it is part of a history; a result without an exit decision is not."""
        body = self.body
        return not (
            isinstance(body, ActionResultRecorded) and body.action_result.exit_decision is None
        )


def numbered(
    drafts: Sequence[EventDraft], *, session_id: str, first: int, now: datetime
) -> tuple[SessionEvent, ...]:
    """Return the events with contiguous numbers from `first`, the numbers inside them included."""
    return tuple(
        SessionEvent(
            session_id=session_id,
            body=_stamped(draft.body, sequence, now),
            sequence=sequence,
            turn_id=draft.emitted_by.turn_id,
            attempt=draft.emitted_by.attempt,
            audience=AUDIENCES[type(draft.body)],
            create_time=now,
        )
        for sequence, draft in enumerate(drafts, start=first)
    )


def _stamped(body: EventBody, sequence: int, now: datetime) -> EventBody:
    """Return the body with its own number written into it, and the time where it has none."""
    match body:
        case MessageCommitted(message=message):
            return MessageCommitted(message=replace(message, sequence=sequence, create_time=now))
        case InputAccepted(messages=messages):
            stamped = (replace(each, sequence=sequence, create_time=now) for each in messages)
            return InputAccepted(messages=tuple(stamped))
        case StateChanged(state=state):
            return StateChanged(state=replace(state, sequence=sequence))
        case TurnEnded(state=ExecutionState() as state) | HistoryRewound(state=state):
            return replace(body, state=replace(state, sequence=sequence))
        case VariableChanged(variable_operation=operation) if operation.timestamp is None:
            return VariableChanged(variable_operation=replace(operation, timestamp=now))
        case StrategyDecided(strategy_decision=decision) if decision.timestamp is None:
            return StrategyDecided(strategy_decision=replace(decision, timestamp=now))
        case _:
            return body


@dataclass(frozen=True, slots=True, kw_only=True)
class Payloads:
    """A decision's payloads, which its row holds once."""

    proposed: JsonValue
    effective: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """What the text of an event leaves out, because rows of their own have it."""

    script_id: str
    script_version: str
    message: Message | None
    """The one that the event commits, or the assistant's last message; None: none yet."""
    advice: Mapping[str, Advice]
    """The advice that events name, by id."""
    payloads: Mapping[str, Payloads]
    """Of the decisions that events name, by id."""

    @property
    def committed(self) -> Message:
        """The message of an event that commits one."""
        assert self.message is not None, "a message's row stays as long as its event's"
        return self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAdvice:
    """An advice by its id, and the state it took on."""

    advice_id: str
    state: AdviceState


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDecision:
    """The decision that the text of an event names."""

    decision_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRun:
    """The run that the text of an event names, one way or the other."""

    run_id: str = ""
    activity_id: str = ""

    @property
    def id(self) -> str:
        """Its id."""
        return self.run_id or self.activity_id


def text_of(draft: EventDraft, event: SessionEvent) -> str:
    """Return the text that the row of a numbered event keeps."""
    match event.body:
        case InputAccepted() | MessageCommitted():
            return ""
        case AdviceChanged(advice=advice):
            return dump(NamedAdvice(advice_id=advice.advice_id, state=advice.state))
        case ScopeLeft():
            return dump(draft.snapshot)
        case StateChanged(state=state):
            return dump(StateChanged(state=_slim(state)))
        case TurnEnded(state=ExecutionState() as state) | HistoryRewound(state=state):
            return dump(replace(event.body, state=_slim(state)))
        case DecisionMade() | DecisionValidated() as body:
            return dump(replace(body, payload=None))
        case body:
            return dump(body)


def body_of(kind: str, text: str, sequence: int, known: References) -> EventBody:
    """Return the body that a row of a known kind keeps, equal to what was emitted."""
    body = _BODIES[kind]
    if body is MessageCommitted:
        return MessageCommitted(message=known.committed)
    if body is InputAccepted:
        return InputAccepted(messages=(replace(known.committed, turn_id=""),))
    if body is AdviceChanged:
        named = load(NamedAdvice, text)
        return AdviceChanged(advice=replace(known.advice[named.advice_id], state=named.state))
    if body is ScopeLeft:
        left = load(ScopeSnapshot, text)
        names = tuple(left.variables)
        return ScopeLeft(scope=left.scope, scope_id=left.scope_id, cleaned_variables=names)
    found: EventBody = load(body, text)
    match found:
        case StateChanged(state=state):
            return StateChanged(state=_whole(state, sequence, known))
        case TurnEnded(state=ExecutionState() as state) | HistoryRewound(state=state):
            return replace(found, state=_whole(state, sequence, known))
        case DecisionMade(decision_id=name):
            return replace(found, payload=known.payloads[name].proposed)
        case DecisionValidated(decision_id=name):
            return replace(found, payload=known.payloads[name].effective)
        case _:
            return found


def without_others(kind: str, text: str, inputs: set[str]) -> str:
    """Return the text of a state that names no other waiting inputs than these."""
    body = class_of(kind)
    if _PENDING not in text or body not in {StateChanged, TurnEnded}:
        return text
    found = load(body, text)
    assert isinstance(found, StateChanged | TurnEnded)
    assert found.state is not None
    waiting = tuple(each for each in found.state.pending_client_message_ids if each in inputs)
    state = replace(found.state, pending_client_message_ids=waiting)
    return dump(replace(found, state=state))


def _slim(state: ExecutionState) -> ExecutionState:
    return replace(state, sequence=0, script_id="", script_version="", last_ai_message="")


def _whole(state: ExecutionState, sequence: int, known: References) -> ExecutionState:
    return replace(
        state,
        sequence=sequence,
        script_id=known.script_id,
        script_version=known.script_version,
        last_ai_message=known.message.plain_text() if known.message else "",
    )
