"""Which events a transaction emits, and in which order; pure, and the one place that knows.

The store gives these functions what it read, numbers what they return with `numbered`, and keeps a
row for each (see `sql.sessions.event_texts`).
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
    SafetyChanged,
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
from heartrule.domain.safety import NOTHING_FOUND, SafetySource, SafetyState
from session_store.decisions.decision_drafts import decision_drafts
from session_store.decisions.plan_edit_rules import edit_draft
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records import (
    AnalysisRecord,
    SafetyStep,
    SessionRecord,
    StepCommit,
    TurnFailure,
)
from session_store.runs.run_drafts import thread_draft

# Why drafts are void when the attempt that showed them vanished.
ATTEMPT_LOST = "ATTEMPT_LOST"
# Why they are when its lease was taken for an urgent input that waited.
TAKEN_OVER = "TAKEN_OVER"
# Why they are when the turn began anew with further inputs.
RESTARTED = "RESTARTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """What the store adds to a step so that its events can be emitted."""

    state: ExecutionState
    """Of the session after the step; see `state_of`."""
    client_message_ids: tuple[str, ...] = ()
    """Of the turn's inputs, in order."""
    consumed: Advice | None = None
    """The advice the step consumed, already in that state."""
    expired: tuple[Advice, ...] = ()
    """Pending advice whose instance ended with this step, already in that state."""
    edits: tuple[PlanEdit, ...] = ()
    """Edits of the plan that the step decided, already in that state."""
    safety: SafetyState = NOTHING_FOUND
    """Where the session was on the crisis path before the step."""
    of_runs: tuple[EventDraft, ...] = ()
    """What the step's decisions changed of runs."""
    in_places: tuple[EventDraft, ...] = ()
    """Messages that take the places of placeholders."""


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
    return EventDraft(InputAccepted(messages=(outside,)))


def begin_drafts(
    emitted_by: EmittingAttempt,
    *,
    lost: str,
    expired: Iterable[Advice] = (),
    client_message_ids: tuple[str, ...] = (),
) -> list[EventDraft]:
    """Return what beginning an attempt emits; `lost` says why the one before it has no outcome."""
    drafts: list[EventDraft] = []
    if lost:
        drafts.append(_voided(emitted_by, up_to=emitted_by.attempt - 1, reason=lost))
    drafts.extend(advice_draft(advice, emitted_by) for advice in expired)
    started = TurnStarted(client_message_ids=client_message_ids)
    drafts.append(EventDraft(started, emitted_by))
    return drafts


def step_drafts(step: StepCommit, context: StepContext) -> list[EventDraft]:
    """Return what a step emits: voided drafts, safety, decisions, facts, messages, its end."""
    emitted_by = EmittingAttempt(turn_id=step.turn_id, attempt=step.attempt)
    drafts: list[EventDraft] = []
    if step.drafts_voided:
        drafts.append(_voided(emitted_by, up_to=step.attempt, reason=step.drafts_voided))
    if step.safety is not None:
        drafts.extend(_safety(step.safety, context.safety, emitted_by))
    drafts.extend(edit_draft(edit, emitted_by) for edit in context.edits)
    if context.consumed is not None:
        drafts.append(advice_draft(context.consumed, emitted_by))
    drafts.extend(decision_drafts(step.decisions, step.workflows, emitted_by, step.runs))
    drafts.extend(context.of_runs)
    drafts.extend(context.in_places)
    drafts.extend(_facts(step, emitted_by))
    for message in step.messages:
        known = message.turn_id == step.turn_id
        body = MessageCommitted(
            message=message if known else replace(message, turn_id=step.turn_id)
        )
        drafts.append(EventDraft(body, emitted_by))
    drafts.extend(thread_draft(each.thread, emitted_by) for each in step.threads)
    if step.requested is not None:
        request_id = step.requested.input_request_id
        drafts.append(EventDraft(step.requested, emitted_by, subject=request_id))
    drafts.extend(advice_draft(advice, emitted_by) for advice in context.expired)
    drafts.append(_last(step, context, emitted_by))
    return drafts


def failure_drafts(
    failure: TurnFailure,
    *,
    state: ExecutionState,
    client_message_ids: tuple[str, ...] = (),
    message_ids: tuple[str, ...] = (),
) -> list[EventDraft]:
    """Return what a failed attempt emits; `message_ids` are those its turn committed before."""
    emitted_by = EmittingAttempt(turn_id=failure.turn_id, attempt=failure.attempt)
    drafts: list[EventDraft] = []
    if failure.drafts_shown:
        drafts.append(_voided(emitted_by, up_to=failure.attempt, reason=failure.problem.reason))
    ended = TurnEnded(
        outcome=Outcome.FAILED,
        problem=failure.problem,
        message_ids=message_ids,
        degradations=failure.degradations,
        client_message_ids=client_message_ids,
        state=state,
    )
    drafts.append(EventDraft(ended, emitted_by))
    return drafts


def analysis_drafts(
    record: AnalysisRecord, *, judged_turn_id: str, changed: Sequence[Advice] = ()
) -> list[EventDraft]:
    """Return what an analysis emits, outside any turn: advice in the given order, then its end."""
    ended = AnalysisEnded(
        action_instance_id=record.ticket.action_instance_id,
        about_round=record.ticket.round,
        judged_turn_id=judged_turn_id,
        result=record.outcome,
        advice_id=record.advice.advice_id if record.advice else "",
        reason=record.reason,
    )
    drafts = [advice_draft(advice) for advice in changed]
    drafts.append(analysis_draft(ended))
    return drafts


def analysis_draft(ended: AnalysisEnded) -> EventDraft:
    """Return the event of an analysis that ended, looked up by the request it answers."""
    return EventDraft(ended, subject=f"{ended.action_instance_id}/{ended.about_round}")


def advice_draft(advice: Advice, emitted_by: EmittingAttempt = EmittingAttempt()) -> EventDraft:  # noqa: B008  frozen
    """Return the event of an advice in the state it has."""
    return EventDraft(AdviceChanged(advice=advice), emitted_by)


def _safety(
    step: SafetyStep, before: SafetyState, emitted_by: EmittingAttempt
) -> Iterable[EventDraft]:
    """Yield the hit, and the change where a client can notice one."""
    if step.raised:
        rule = step.rules[0] if step.rules else ""
        yield EventDraft(SafetyRaised(category=step.level.name.lower(), rule=rule), emitted_by)
    after = step.state
    if step.card is not None or (before.level, before.step) != (after.level, after.step):
        yield safety_draft(after, step, emitted_by)


def safety_draft(
    state: SafetyState,
    step: SafetyStep | None = None,
    emitted_by: EmittingAttempt = EmittingAttempt(),  # noqa: B008  frozen
    *,
    source: SafetySource | None = None,
) -> EventDraft:
    """Return the event of a state; outside a turn `source` alone says what changed it."""
    changed = SafetyChanged(
        level=state.level,
        step=state.step,
        card=step.card if step else None,
        source=step.source if step else source,
        rules=step.rules if step else (),
    )
    return EventDraft(changed, emitted_by)


def _facts(step: StepCommit, emitted_by: EmittingAttempt) -> Iterable[EventDraft]:
    """Yield variables written, what was skipped, strategy, the result judged, the scopes left."""
    for operation in step.operations:
        changed = VariableChanged(variable_operation=operation)
        yield EventDraft(changed, emitted_by, subject=operation.variable_name)
    for skipped in step.skipped:
        yield EventDraft(skipped, emitted_by)
    if step.strategy is not None:
        yield EventDraft(StrategyDecided(strategy_decision=step.strategy), emitted_by)
    if step.result is not None:
        recorded = ActionResultRecorded(action_result=step.result)
        yield EventDraft(recorded, emitted_by, subject=step.result.action_instance_id)
    for left in step.scopes_left:
        names = tuple(left.variables)
        body = ScopeLeft(scope=left.scope, scope_id=left.scope_id, cleaned_variables=names)
        yield EventDraft(body, emitted_by, snapshot=left)


def _last(step: StepCommit, context: StepContext, emitted_by: EmittingAttempt) -> EventDraft:
    """Return the turn's end, or the state where the turn goes on."""
    if step.end is None:
        return EventDraft(StateChanged(state=context.state), emitted_by)
    ended = TurnEnded(
        outcome=step.end.outcome,
        message_ids=step.end.message_ids,
        degradations=step.end.degradations,
        client_message_ids=context.client_message_ids,
        state=context.state,
        exit_reason=step.end.exit_reason,
        exit_decision=step.end.exit_decision,
    )
    return EventDraft(ended, emitted_by)


def _voided(emitted_by: EmittingAttempt, *, up_to: int, reason: str) -> EventDraft:
    return EventDraft(DraftVoided(up_to_attempt=up_to, reason=reason), emitted_by)
