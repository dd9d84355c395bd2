"""An event before its transaction gives it a number, and the row it is read back from.

An event row keeps `kind`, `audience`, `turn_id`, `attempt` and `reference`; its body is read from
the row that `reference` names (ARCHITECTURE section 4.5): what is read later equals what was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from heartrule.domain.conversation import Audience
from heartrule.domain.events import (
    AnalysisEnded,
    EventBody,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    SessionEvent,
    StateChanged,
    StrategyDecided,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.monitoring import Advice
from heartrule.domain.position import ExecutionState
from session_store.codec import dump
from session_store.records import MonitorTicket


class EventKind(StrEnum):
    """The durable kinds; each says which row its body is in, and the form of `reference`."""

    INPUT_ACCEPTED = "input_accepted"
    """The message: its id."""
    TURN_STARTED = "turn_started"
    """The turn's inputs as of the event's attempt: turn id."""
    DRAFT_VOIDED = "draft_voided"
    """No row: the body is written out, `<up_to_attempt>/<reason>`."""
    MESSAGE_COMMITTED = "message_committed"
    """The message: its id."""
    INPUT_REQUESTED = "input_requested"
    """The request: its id."""
    STATE_CHANGED = "state_changed"
    """The step: `step_reference`."""
    TURN_ENDED = "turn_ended"
    """The turn's outcome in the event's attempt: turn id."""
    SAFETY_RAISED = "safety_raised"
    """The step: `step_reference`."""
    ADVICE_CHANGED = "advice_changed"
    """The advice in a state it once had: `<advice_id>/<state>`."""
    ACTION_RESULT_RECORDED = "action_result_recorded"
    """The step's result: `step_reference`."""
    VARIABLE_CHANGED = "variable_changed"
    """The step's operation: `<step_reference>/<index from 0>`."""
    SCOPE_LEFT = "scope_left"
    """The scope's snapshot: `<step_reference>/<index from 0>`."""
    ANALYSIS_ENDED = "analysis_ended"
    """The monitor request: `<action_instance_id>/<round>`; or as `written_out` says."""
    STEP_SKIPPED = "step_skipped"
    """The step's skip: `<step_reference>/<index from 0>`."""
    STRATEGY_DECIDED = "strategy_decided"
    """The step's recommendation: `step_reference`."""
    HISTORY_REWOUND = "history_rewound"
    """The rewinding: the turn taken back, its id."""
    PLAN_EDITED = "plan_edited"
    """No row: the body is written out."""


FOR_OPERATORS = frozenset(
    {
        EventKind.ADVICE_CHANGED,
        EventKind.ACTION_RESULT_RECORDED,
        EventKind.VARIABLE_CHANGED,
        EventKind.SCOPE_LEFT,
        EventKind.ANALYSIS_ENDED,
        EventKind.STEP_SKIPPED,
        EventKind.STRATEGY_DECIDED,
        EventKind.PLAN_EDITED,
    }
)
"""Kinds a client does not see unless it asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Which attempt of which turn tells an event; empty outside a turn."""

    turn_id: str = ""
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event before it has a number and a time."""

    kind: EventKind
    reference: str
    body: EventBody
    told_by: Attempt = Attempt()

    @property
    def audience(self) -> Audience:
        """Who it is meant for; the kind decides."""
        return Audience.OPERATOR if self.kind in FOR_OPERATORS else Audience.CLIENT


def step_reference(turn_id: str, step_no: int) -> str:
    """Return the name of a step's row."""
    return f"{turn_id}/{step_no}"


def advice_reference(advice: Advice) -> str:
    """Return the name of an advice in the state it has now."""
    return f"{advice.advice_id}/{advice.state.value}"


def request_reference(ticket: MonitorTicket) -> str:
    """Return the name of a monitor request within its session."""
    return f"{ticket.action_instance_id}/{ticket.round}"


def written_out(body: AnalysisEnded) -> str:
    """Return the reference of an analysis whose turn was taken back: it names no row any more."""
    return dump(body)


def numbered(
    drafts: Sequence[EventDraft], *, session_id: str, first: int, now: datetime
) -> tuple[SessionEvent, ...]:
    """Return the events with contiguous numbers from `first`, the numbers inside them included."""
    return tuple(
        SessionEvent(
            session_id=session_id,
            body=_stamped(draft.body, sequence, now),
            sequence=sequence,
            turn_id=draft.told_by.turn_id,
            attempt=draft.told_by.attempt,
            audience=draft.audience,
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
