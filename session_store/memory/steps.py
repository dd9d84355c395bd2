"""Committing steps and failures in memory, guarded by the fencing token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from heartrule.domain.conversation import Message, Role
from heartrule.domain.errors import LeaseLost
from heartrule.domain.events import (
    ActionResultRecorded,
    MessageCommitted,
    SessionEvent,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.model_call import LLMDebugInfo, ModelCall
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionStatus
from session_store.memory.edits import settle
from session_store.memory.events import tell
from session_store.memory.histories import keep_snapshots
from session_store.memory.judging import take, work_of
from session_store.memory.rows import MessageRow, RequestRow, SessionRow, Tables, TurnRow
from session_store.memory.sessions import define, write_variables
from session_store.past import PastStep
from session_store.records import (
    CommittedStep,
    Lease,
    MonitorTicket,
    MonitorWork,
    StepCommit,
    TurnFailure,
    TurnKind,
    TurnLeft,
    TurnState,
)
from session_store.step_events import StepContext, failure_drafts, state_of, step_drafts
from session_store.stop_rules import asked_to_stop
from session_store.turn_rules import ENDED, judged_position


def commit(tables: Tables, lease: Lease, step: StepCommit) -> CommittedStep:
    """Write a step with all it changed, or LeaseLost and nothing."""
    row, turn = held_by(tables, lease, step)
    before = row.position
    turn.steps += 1
    _write_values(tables, row, step)
    _write_turn(row, turn, step)
    edits = settle(row, step.edits, turn.turn_no)
    context = StepContext(
        state=state_of(row.record()),
        edits=edits,
        client_message_ids=turn.client_message_ids(),
        consumed=_consume(row, step.advice_consumed),
        expired=tuple(_expire_ended(row)),
    )
    events = tell(tables, row, step_drafts(step, context))
    keep_snapshots(row, step.scopes_left, events)
    _keep_past(row, turn, step, events)
    messages = _keep_messages(row, turn, events)
    request = _keep_result(row, turn, step, before=before, events=events, messages=messages)
    keep_calls(tables, row, step.calls, turn_id=turn.turn_id)
    if step.end is not None:
        release(row)
        turn.ended = step.end.outcome
    more = step.end is not None and row.status is not ExecutionStatus.COMPLETED
    stop = asked_to_stop(row.stop_wish, turn.turn_id)
    return CommittedStep(
        events=events,
        inputs_waiting=more and bool(row.waiting()),
        stop=stop,
        monitor_work=_claimed(tables, row, request, step),
    )


def fail(tables: Tables, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
    """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""
    row, turn = held_by(tables, lease, failure)
    turn.state = TurnState.FAILED
    row.status = ExecutionStatus.ERROR
    row.error = failure.problem
    row.stop_wish = None
    release(row)
    keep_calls(tables, row, failure.calls, turn_id=turn.turn_id)
    drafts = failure_drafts(
        failure,
        state=state_of(row.record()),
        client_message_ids=turn.client_message_ids(),
        message_ids=tuple(turn.message_ids),
    )
    return tell(tables, row, drafts)


def _keep_past(
    row: SessionRow, turn: TurnRow, step: StepCommit, events: Sequence[SessionEvent]
) -> None:
    """Keep what the step changed, and where the session stood if it ended the turn."""
    bodies = [each.body for each in events]
    written = [each.variable_operation for each in bodies if isinstance(each, VariableChanged)]
    changed = PastStep(turn_no=turn.turn_no, instances=step.instances, operations=tuple(written))
    turn.past.append(changed)
    if isinstance(bodies[-1], TurnEnded):
        turn.stood = bodies[-1].state
        turn.last_sequence = events[-1].sequence
        turn.open_request = row.open_request


def keep_calls(
    tables: Tables, row: SessionRow, calls: Iterable[LLMDebugInfo], *, turn_id: str
) -> None:
    """Append model calls of a turn to the session's ledger."""
    for call in calls:
        made = replace(call, create_time=call.create_time or tables.now())
        row.calls.append(ModelCall(turn_id=turn_id, call=made))


def is_holder(row: SessionRow, lease: Lease) -> bool:
    """Return True while nobody took the lease over; one that merely ran out still counts."""
    return (row.lease_owner, row.lease_token) == (lease.owner, lease.token)


def held_by(
    tables: Tables, lease: Lease, told: StepCommit | TurnFailure | TurnLeft
) -> tuple[SessionRow, TurnRow]:
    """Return the rows this lease may write; LeaseLost where it may not."""
    row = tables.sessions.get(lease.key)
    turn = row.newest_turn() if row else None
    if row is None or turn is None or not is_holder(row, lease):
        raise LeaseLost("another holder took the session over", reason="LEASE_LOST")
    if (turn.turn_id, turn.attempt) != (told.turn_id, told.attempt):
        raise LeaseLost("this attempt is not the one that runs", reason="LEASE_LOST")
    return row, turn


def release(row: SessionRow) -> None:
    """Free the lease."""
    row.lease_owner = ""
    row.lease_until = 0.0


def _write_values(tables: Tables, row: SessionRow, step: StepCommit) -> None:
    """Clear the scopes that were left, then write the plan's rows, definitions and variables."""
    row.plan.update({each.action_instance_id: each for each in step.instances})
    left = {(each.scope, each.scope_id) for each in step.scopes_left}
    kept = row.variables.items()
    row.variables = {name: value for name, value in kept if name[:2] not in left}
    write_variables(tables, row, step.variables)
    define(tables, row, step.definitions)


def _write_turn(row: SessionRow, turn: TurnRow, step: StepCommit) -> None:
    """Write where turn and session stand after the step."""
    row.status = step.status
    row.position = step.position
    row.error = None
    if step.requested is not None:
        row.input_requests[step.requested.input_request_id] = step.requested
    if step.open_request is not None:
        row.open_request = step.open_request
    if step.status is ExecutionStatus.COMPLETED:
        row.end_reason = EndReason.SCRIPT_END
    spoken = [each.spoken() for each in step.messages if each.role is Role.ASSISTANT]
    row.last_ai_message = spoken[-1] if spoken else row.last_ai_message
    turn.inputs_consumed = turn.inputs_consumed or step.inputs_consumed
    turn.new_inputs = 0
    turn.degradations.extend(step.degradations)
    if step.end is not None:
        turn.state = TurnState.COMPLETED
        row.opened = row.opened or turn.kind is TurnKind.OPENING


def _consume(row: SessionRow, advice_id: str) -> Advice | None:
    """Mark the advice consumed: the prompt held it, whatever became of it meanwhile (C12)."""
    held = row.advice.get(advice_id)
    if held is None or held.advice.state is AdviceState.CONSUMED:
        return None
    held.advice = replace(held.advice, state=AdviceState.CONSUMED)
    return held.advice


def _expire_ended(row: SessionRow) -> Iterator[Advice]:
    """Expire pending advice whose instance has ended, and yield it (C11)."""
    for held in row.advice.values():
        instance = row.plan.get(held.advice.action_instance_id)
        ended = instance is not None and instance.state in ENDED
        if ended and held.advice.state is AdviceState.PENDING:
            held.advice = replace(held.advice, state=AdviceState.EXPIRED)
            yield held.advice


def _keep_messages(
    row: SessionRow, turn: TurnRow, events: Iterable[SessionEvent]
) -> tuple[Message, ...]:
    """Store the step's messages as they were told, and return them."""
    told: list[Message] = []
    for event in events:
        if isinstance(event.body, MessageCommitted):
            message = event.body.message
            stored = MessageRow(message, event.sequence, row.update_time, turn.turn_no)
            row.messages.append(stored)
            turn.message_ids.append(message.message_id)
            told.append(message)
    return tuple(told)


def _claimed(
    tables: Tables, row: SessionRow, request: RequestRow | None, step: StepCommit
) -> MonitorWork | None:
    """Claim the request for whoever works on it at once."""
    if request is None or not step.monitor_owner:
        return None
    take(tables, request, owner=step.monitor_owner, ttl=step.monitor_ttl)
    return work_of(row, request, request.attempts)


def _keep_result(
    row: SessionRow,
    turn: TurnRow,
    step: StepCommit,
    *,
    before: ExecutionPosition,
    events: Sequence[SessionEvent],
    messages: tuple[Message, ...],
) -> RequestRow | None:
    """Store the judged round, and the request to analyse it (C13); return that where it is new."""
    if step.result is None:
        return None
    result = replace(step.result, debug_info=None)
    judged = next(e.sequence for e in events if isinstance(e.body, ActionResultRecorded))
    row.results.append(result)
    turn.results.append(result)
    turn.judged.append(judged)
    if not step.monitor_requested:
        return None
    name = (result.action_instance_id, result.round)
    request = RequestRow(
        ticket=MonitorTicket(key=row.new.key, action_instance_id=name[0], round=name[1]),
        turn=turn,
        result=result,
        judged=judged,
        position=judged_position(name[0], before=before, after=step.position),
        answer=messages,
        traceparent=step.traceparent,
    )
    return request if row.requests.setdefault(name, request) is request else None
