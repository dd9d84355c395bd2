"""Durable events: kinds, bodies, and an event before its transaction gives it a number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from heartrule.domain import events as domain
from heartrule.domain.conversation import Audience
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
from heartrule.domain.position import ExecutionState
from heartrule.domain.run_events import Activity, NodeChanged, NodeExecutionFailed, RunChanged
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.variables import ScopeSnapshot

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
        ThreadMessageAdded: Audience.OPERATOR,
        ThreadChanged: Audience.OPERATOR,
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
    place: int = 0
    """Of a message that takes a placeholder's place: the placeholder's number."""

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
