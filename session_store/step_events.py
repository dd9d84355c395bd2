"""Which events a transaction tells, and in which order; pure, and the one place that knows.

Every store gives these functions what it read, numbers what they return with `numbered`, and keeps
a row for each (see `event_drafts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    DraftVoided,
    InputAccepted,
    MessageCommitted,
    Outcome,
    SafetyRaised,
    ScopeLeft,
    StateChanged,
    StrategyDecided,
    TurnEnded,
    TurnStarted,
    VariableChanged,
)
from heartrule.domain.monitoring import Advice
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionState
from heartrule.domain.variables import ScopeSnapshot
from session_store.event_drafts import (
    Attempt,
    EventDraft,
    EventKind,
    advice_reference,
    request_reference,
    step_reference,
)
from session_store.plan_edit_rules import edit_draft
from session_store.records import (
    AnalysisRecord,
    SessionRecord,
    StepCommit,
    TurnFailure,
)

ATTEMPT_LOST = "ATTEMPT_LOST"
"""Why drafts are void when the attempt that showed them vanished."""
RESTARTED = "RESTARTED"
"""Why they are when the turn began anew with further inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """What the store adds to a step so that its events can be told."""

    step_no: int
    """Number of the step in its turn, from 1, over all attempts."""
    state: ExecutionState
    """As the session stands after the step; see `state_of`."""
    client_message_ids: tuple[str, ...] = ()
    """Of the turn's inputs, in order."""
    consumed: Advice | None = None
    """The advice the step consumed, already in that state."""
    expired: tuple[Advice, ...] = ()
    """Pending advice whose instance ended with this step, already in that state."""
    edits: tuple[PlanEdit, ...] = ()
    """Edits of the plan that the step decided, already in that state."""


def state_of(session: SessionRecord) -> ExecutionState:
    """Return a session's state without variables; its sequence is the session's last."""
    return ExecutionState(
        status=session.status,
        sequence=session.last_sequence,
        script_id=session.script_id,
        script_version=session.script_version,
        plan_revision=session.plan_revision,
        position=session.position,
        last_ai_message=session.last_ai_message,
        pending_client_message_ids=session.pending_client_message_ids,
        error=session.error,
        end_reason=session.end_reason,
    )


def accepted_draft(message: Message) -> EventDraft:
    """Return the event of a stored input; it is outside any turn, also when it is replayed."""
    outside = message if not message.turn_id else replace(message, turn_id="")
    body = InputAccepted(messages=(outside,))
    return EventDraft(EventKind.INPUT_ACCEPTED, message.message_id, body)


def begin_drafts(
    told_by: Attempt,
    *,
    lost: str,
    expired: Iterable[Advice] = (),
    client_message_ids: tuple[str, ...] = (),
) -> list[EventDraft]:
    """Return what beginning an attempt tells; `lost` says why the one before it has no outcome."""
    drafts: list[EventDraft] = []
    if lost:
        drafts.append(_voided(told_by, up_to=told_by.attempt - 1, reason=lost))
    drafts.extend(_advice(advice, told_by) for advice in expired)
    started = TurnStarted(client_message_ids=client_message_ids)
    drafts.append(EventDraft(EventKind.TURN_STARTED, told_by.turn_id, started, told_by))
    return drafts


def step_drafts(step: StepCommit, context: StepContext) -> list[EventDraft]:
    """Return what a step tells: drafts gone, safety, facts, words, a request, the state or end."""
    told_by = Attempt(turn_id=step.turn_id, attempt=step.attempt)
    row = step_reference(step.turn_id, context.step_no)
    drafts: list[EventDraft] = []
    if step.drafts_voided:
        drafts.append(_voided(told_by, up_to=step.attempt, reason=step.drafts_voided))
    if step.safety is not None:
        raised = SafetyRaised(category=step.safety.category, rule=step.safety.rule)
        drafts.append(EventDraft(EventKind.SAFETY_RAISED, row, raised, told_by))
    drafts.extend(edit_draft(edit, told_by) for edit in context.edits)
    if context.consumed is not None:
        drafts.append(_advice(context.consumed, told_by))
    drafts.extend(_facts(step, row, told_by))
    for message in step.messages:
        known = message.turn_id == step.turn_id
        body = MessageCommitted(
            message=message if known else replace(message, turn_id=step.turn_id)
        )
        drafts.append(EventDraft(EventKind.MESSAGE_COMMITTED, message.message_id, body, told_by))
    if step.requested is not None:
        request_id = step.requested.input_request_id
        drafts.append(EventDraft(EventKind.INPUT_REQUESTED, request_id, step.requested, told_by))
    drafts.extend(_advice(advice, told_by) for advice in context.expired)
    drafts.append(_last(step, context, told_by))
    return drafts


def failure_drafts(
    failure: TurnFailure,
    *,
    state: ExecutionState,
    client_message_ids: tuple[str, ...] = (),
    message_ids: tuple[str, ...] = (),
) -> list[EventDraft]:
    """Return what a failed attempt tells; `message_ids` are those its turn committed before."""
    told_by = Attempt(turn_id=failure.turn_id, attempt=failure.attempt)
    drafts: list[EventDraft] = []
    if failure.drafts_shown:
        drafts.append(_voided(told_by, up_to=failure.attempt, reason=failure.problem.reason))
    ended = TurnEnded(
        outcome=Outcome.FAILED,
        problem=failure.problem,
        message_ids=message_ids,
        degradations=failure.degradations,
        client_message_ids=client_message_ids,
        state=state,
    )
    drafts.append(EventDraft(EventKind.TURN_ENDED, failure.turn_id, ended, told_by))
    return drafts


def analysis_drafts(
    record: AnalysisRecord, *, judged_turn_id: str, changed: Sequence[Advice] = ()
) -> list[EventDraft]:
    """Return what an analysis tells, outside any turn: advice in the given order, then its end."""
    ended = AnalysisEnded(
        action_instance_id=record.ticket.action_instance_id,
        about_round=record.ticket.round,
        judged_turn_id=judged_turn_id,
        result=record.outcome,
        advice_id=record.advice.advice_id if record.advice else "",
        reason=record.reason,
    )
    drafts = [_advice(advice, Attempt()) for advice in changed]
    reference = request_reference(record.ticket)
    drafts.append(EventDraft(EventKind.ANALYSIS_ENDED, reference, ended))
    return drafts


def _facts(step: StepCommit, row: str, told_by: Attempt) -> Iterable[EventDraft]:
    """Yield variables written, what was skipped, strategy, the result judged, the scopes left.

    The result goes without debug_info: prompt and reply are the ledger's (RESOLUTIONS C33).
    """
    for index, operation in enumerate(step.operations):
        changed = VariableChanged(variable_operation=operation)
        yield EventDraft(EventKind.VARIABLE_CHANGED, f"{row}/{index}", changed, told_by)
    for index, skipped in enumerate(step.skipped):
        yield EventDraft(EventKind.STEP_SKIPPED, f"{row}/{index}", skipped, told_by)
    if step.strategy is not None:
        decided = StrategyDecided(strategy_decision=step.strategy)
        yield EventDraft(EventKind.STRATEGY_DECIDED, row, decided, told_by)
    if step.result is not None:
        recorded = ActionResultRecorded(action_result=replace(step.result, debug_info=None))
        yield EventDraft(EventKind.ACTION_RESULT_RECORDED, row, recorded, told_by)
    yield from _left(step.scopes_left, row, told_by)


def _left(scopes: Iterable[ScopeSnapshot], row: str, told_by: Attempt) -> Iterable[EventDraft]:
    """Yield the scopes left, by name; what they held is in their snapshots."""
    for index, left in enumerate(scopes):
        body = ScopeLeft(
            scope=left.scope, scope_id=left.scope_id, cleaned_variables=tuple(left.variables)
        )
        yield EventDraft(EventKind.SCOPE_LEFT, f"{row}/{index}", body, told_by)


def _last(step: StepCommit, context: StepContext, told_by: Attempt) -> EventDraft:
    """Return the turn's end, or the state where the turn goes on."""
    if step.end is None:
        row = step_reference(step.turn_id, context.step_no)
        return EventDraft(EventKind.STATE_CHANGED, row, StateChanged(state=context.state), told_by)
    ended = TurnEnded(
        outcome=step.end.outcome,
        message_ids=step.end.message_ids,
        degradations=step.end.degradations,
        client_message_ids=context.client_message_ids,
        state=context.state,
        exit_reason=step.end.exit_reason,
        exit_decision=step.end.exit_decision,
    )
    return EventDraft(EventKind.TURN_ENDED, step.turn_id, ended, told_by)


def _voided(told_by: Attempt, *, up_to: int, reason: str) -> EventDraft:
    body = DraftVoided(up_to_attempt=up_to, reason=reason)
    return EventDraft(EventKind.DRAFT_VOIDED, f"{up_to}/{reason}", body, told_by)


def _advice(advice: Advice, told_by: Attempt) -> EventDraft:
    reference = advice_reference(advice)
    return EventDraft(EventKind.ADVICE_CHANGED, reference, AdviceChanged(advice=advice), told_by)
