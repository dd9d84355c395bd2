"""The bodies of events, read from the rows they name (ARCHITECTURE section 4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import sqlalchemy as sa
from sqlalchemy import Table, bindparam, select

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Audience
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    DraftVoided,
    EventBody,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    PlanEdited,
    SafetyRaised,
    ScopeLeft,
    SessionEvent,
    StateChanged,
    StrategyDecided,
    TurnEnded,
    TurnStarted,
    VariableChanged,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.monitoring import Advice, AdviceState, AnalysisOutcome
from heartrule.domain.position import ExecutionState
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import VariableOperation, VariableScope
from session_store.codec import load
from session_store.event_drafts import EventKind
from session_store.sql import messages
from session_store.sql.rows import key_of
from session_store.sql.statements import Found, at, of
from session_store.sql.tables import (
    action_results,
    attempts,
    input_requests,
    safety_records,
    scope_snapshots,
    skipped_steps,
    steps,
    variable_operations,
)
from session_store.sql.tables_going_back import rewindings
from session_store.sql.tables_mind import advice, monitor_requests, strategy_decisions


def _in(table: Table, column: str) -> sa.Select[tuple[object, ...]]:
    return select(table).where(of(table), table.c[column].in_(bindparam("names", expanding=True)))


_ROWS: Mapping[EventKind, sa.Select[tuple[object, ...]]] = {
    EventKind.TURN_STARTED: _in(attempts, "turn_id"),
    EventKind.TURN_ENDED: _in(attempts, "turn_id"),
    EventKind.STATE_CHANGED: _in(steps, "turn_id"),
    EventKind.SAFETY_RAISED: _in(safety_records, "turn_id"),
    EventKind.ACTION_RESULT_RECORDED: _in(action_results, "turn_id"),
    EventKind.VARIABLE_CHANGED: _in(variable_operations, "turn_id"),
    EventKind.STEP_SKIPPED: _in(skipped_steps, "turn_id"),
    EventKind.STRATEGY_DECIDED: _in(strategy_decisions, "turn_id"),
    EventKind.SCOPE_LEFT: _in(scope_snapshots, "turn_id"),
    EventKind.ADVICE_CHANGED: _in(advice, "advice_id"),
    EventKind.ANALYSIS_ENDED: _in(monitor_requests, "action_instance_id"),
    EventKind.INPUT_REQUESTED: _in(input_requests, "input_request_id"),
    EventKind.HISTORY_REWOUND: _in(rewindings, "turn_id"),
}
_TOLD_MESSAGES = {EventKind.INPUT_ACCEPTED, EventKind.MESSAGE_COMMITTED}
_TOLD_STATES = {EventKind.STATE_CHANGED, EventKind.TURN_ENDED, EventKind.HISTORY_REWOUND}


def slim(state: ExecutionState) -> ExecutionState:
    """Return a state without what other rows say: number, script, the message said last."""
    return replace(state, sequence=0, script_id="", script_version="", last_ai_message="")


def whole(state: ExecutionState, session: Found, *, last_ai_message: str) -> ExecutionState:
    """Return a slim state with what the session's row and a message say."""
    return replace(
        state,
        script_id=session.script_id,
        script_version=session.script_version,
        last_ai_message=last_ai_message,
    )


def events_of(db: sa.Connection, session: Found, rows: Sequence[Found]) -> tuple[SessionEvent, ...]:
    """Return the events of event rows, as they were told."""
    bodies = _Bodies(db, session, rows)
    return tuple(
        SessionEvent(
            session_id=row.session_id,
            body=bodies.of(row),
            sequence=row.sequence,
            turn_id=row.turn_id,
            attempt=row.attempt,
            audience=Audience(row.audience),
            create_time=row.create_time,
        )
        for row in rows
    )


def _name(event: Found) -> str:
    """Return what the event's row is found by, with others of its kind."""
    kind = EventKind(event.kind)
    if kind is EventKind.ADVICE_CHANGED or kind is EventKind.ANALYSIS_ENDED:
        return str(event.reference).rpartition("/")[0]
    if kind is EventKind.INPUT_REQUESTED or kind is EventKind.HISTORY_REWOUND:
        return str(event.reference)
    return str(event.turn_id)


def _is_whole(event: Found) -> bool:
    """Return whether the reference is the body itself, and no row is named; see `written_out`."""
    return str(event.reference).startswith("{")


class _Bodies:
    """The rows that a few events name, read at once per kind."""

    def __init__(self, db: sa.Connection, session: Found, events: Sequence[Found]) -> None:
        self._session = session
        key = key_of(session)
        self._rows: dict[tuple[EventKind, str], Found] = {}
        for kind, statement in _ROWS.items():
            named = (each for each in events if each.kind == kind.value and not _is_whole(each))
            names = {_name(event) for event in named}
            if names:
                found = db.execute(statement, at(key) | {"names": list(names)})
                self._rows.update({(kind, _reference(kind, row)): row for row in found})
        said = {event.sequence for event in events if event.kind in _TOLD_MESSAGES}
        said |= {
            row.last_message
            for (kind, _), row in self._rows.items()
            if kind in _TOLD_STATES and row.last_message
        }
        self._messages = messages.by_sequence(db, key, sorted(said))

    def of(self, event: Found) -> EventBody:
        """Return the event's body."""
        kind = EventKind(event.kind)
        if kind is EventKind.DRAFT_VOIDED:
            attempt, _, reason = str(event.reference).partition("/")
            return DraftVoided(up_to_attempt=int(attempt), reason=reason)
        if kind is EventKind.INPUT_ACCEPTED:
            message = replace(self._messages[event.sequence], turn_id="")
            return InputAccepted(messages=(message,))
        if _is_whole(event):
            if kind is EventKind.PLAN_EDITED:
                return load(PlanEdited, event.reference)
            return load(AnalysisEnded, event.reference)
        if kind is EventKind.MESSAGE_COMMITTED:
            return MessageCommitted(message=self._messages[event.sequence])
        return self._of_row(kind, event)

    def _of_row(self, kind: EventKind, event: Found) -> EventBody:
        row = self._rows[kind, _wanted(kind, event)]
        if kind is EventKind.STATE_CHANGED:
            state = load(ExecutionState, row.state)
            return StateChanged(state=self._whole(state, row, event.sequence))
        if kind is EventKind.TURN_ENDED:
            return self._ended(row, event.sequence)
        if kind is EventKind.HISTORY_REWOUND:
            rewound = load(HistoryRewound, row.rewound)
            return replace(rewound, state=self._whole(rewound.state, row, event.sequence))
        if kind is EventKind.ADVICE_CHANGED:
            state_then = AdviceState(str(event.reference).rpartition("/")[2])
            return AdviceChanged(advice=replace(load(Advice, row.advice), state=state_then))
        return _PLAIN[kind](row)

    def _ended(self, row: Found, sequence: int) -> TurnEnded:
        ended = load(TurnEnded, row.ended)
        assert ended.state is not None
        return replace(
            ended,
            client_message_ids=load_ids(row),
            state=self._whole(ended.state, row, sequence),
        )

    def _whole(self, state: ExecutionState, row: Found, sequence: int) -> ExecutionState:
        """Return a slim state with all that other rows say."""
        last = self._messages[row.last_message].spoken() if row.last_message else ""
        return replace(whole(state, self._session, last_ai_message=last), sequence=sequence)


def load_ids(attempt: Found) -> tuple[str, ...]:
    """Return the ids of the inputs a turn had as of this attempt."""
    return tuple(load(list, attempt.client_message_ids))


def _reference(kind: EventKind, row: Found) -> str:
    """Return what names the row within its kind."""
    match kind:
        case EventKind.TURN_STARTED | EventKind.TURN_ENDED:
            return f"{row.turn_id}/{row.attempt}"
        case EventKind.ADVICE_CHANGED:
            return str(row.advice_id)
        case EventKind.HISTORY_REWOUND:
            return str(row.turn_id)
        case EventKind.ANALYSIS_ENDED:
            return f"{row.action_instance_id}/{row.round}"
        case EventKind.INPUT_REQUESTED:
            return str(row.input_request_id)
        case EventKind.VARIABLE_CHANGED | EventKind.STEP_SKIPPED | EventKind.SCOPE_LEFT:
            return f"{row.turn_id}/{row.step_no}/{row.place}"
        case _:
            return f"{row.turn_id}/{row.step_no}"


def _wanted(kind: EventKind, event: Found) -> str:
    """Return what names the event's row within its kind."""
    match kind:
        case EventKind.TURN_STARTED | EventKind.TURN_ENDED:
            return f"{event.turn_id}/{event.attempt}"
        case EventKind.ADVICE_CHANGED:
            return _name(event)
        case _:
            return str(event.reference)


def analysis_ended(row: Found) -> AnalysisEnded:
    """Return how the analysis ended that a monitor request asked for."""
    return AnalysisEnded(
        action_instance_id=row.action_instance_id,
        about_round=row.round,
        judged_turn_id=row.turn_id,
        result=AnalysisOutcome(row.outcome),
        advice_id=row.advice_id,
        reason=row.reason,
    )


def _scope_left(row: Found) -> ScopeLeft:
    return ScopeLeft(
        scope=VariableScope(row.scope),
        scope_id=row.scope_id,
        cleaned_variables=tuple(load(dict, row.variables)),
    )


_PLAIN: Mapping[EventKind, Callable[[Found], EventBody]] = {
    EventKind.TURN_STARTED: lambda row: TurnStarted(client_message_ids=load_ids(row)),
    EventKind.SAFETY_RAISED: lambda row: SafetyRaised(category=row.category, rule=row.rule),
    EventKind.ACTION_RESULT_RECORDED: lambda row: ActionResultRecorded(
        action_result=load(ActionResult, row.result)
    ),
    EventKind.VARIABLE_CHANGED: lambda row: VariableChanged(
        variable_operation=load(VariableOperation, row.operation)
    ),
    EventKind.STEP_SKIPPED: lambda row: load(StepSkipped, row.skipped),
    EventKind.STRATEGY_DECIDED: lambda row: StrategyDecided(
        strategy_decision=load(StrategyDecision, row.decision)
    ),
    EventKind.SCOPE_LEFT: _scope_left,
    EventKind.ANALYSIS_ENDED: analysis_ended,
    EventKind.INPUT_REQUESTED: lambda row: load(InputRequested, row.request),
}
