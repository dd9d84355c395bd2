"""Which events a transaction tells, and in which order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from heartrule.domain.action_result import DebugInfo
from heartrule.domain.conversation import Message, Role
from heartrule.domain.decision_events import DecisionMade, DecisionValidated, WorkflowChanged
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    DraftVoided,
    InputAccepted,
    MessageCommitted,
    StateChanged,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule.domain.runs import NodeState
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from session_store.event_drafts import EmittingAttempt, EventDraft, kind_of, numbered
from session_store.records import SessionRecord, StepCommit, TurnFailure
from session_store.step_events import (
    StepContext,
    accepted_draft,
    analysis_drafts,
    begin_drafts,
    failure_drafts,
    state_of,
    step_drafts,
)
from tests.support.store_builders import (
    advice,
    analysed,
    at_round,
    judged,
    new_session,
    problem,
    said,
    ticket,
)
from tests.support.store_decisions import made, revision
from tests.support.store_runs import new_run, node
from tests.support.store_safety import raised
from tests.support.strategies import decision

NOW = datetime(2026, 11, 21, tzinfo=UTC)
STATE = ExecutionState(status=ExecutionStatus.RUNNING, sequence=3)
CONTEXT = StepContext(state=STATE)
FIRST = EmittingAttempt(turn_id="turn_a", attempt=1)
OPERATION = VariableOperation(
    action_id="a1",
    operation=VariableOperationKind.EXTRACT,
    variable_name="x",
    scope=VariableScope.SESSION,
)
STEP = StepCommit(
    turn_id="turn_a",
    attempt=1,
    status=ExecutionStatus.RUNNING,
    position=at_round(1),
    messages=(said("hi", message_id="msg_a"),),
    operations=(OPERATION, OPERATION),
    result=judged(1, debug_info=DebugInfo(call_ids=("call_1",))),
    safety=raised(),
)

DECIDED_ELSEWHERE = revision(1, "wf_2", "dec_0")


def subjects(drafts: list[EventDraft]) -> list[tuple[str, str]]:
    """Return kind and subject of each draft."""
    return [(kind_of(type(draft.body)), draft.subject) for draft in drafts]


def test_a_step_emits_its_events_in_this_order() -> None:
    """Safety first, then facts and words, the state last; what is looked up has its subject."""
    used = advice("adv_a", state=AdviceState.CONSUMED)
    over = advice("adv_b", state=AdviceState.EXPIRED)
    context = replace(CONTEXT, consumed=used, expired=(over,))
    step = replace(
        STEP,
        strategy=decision(),
        decisions=(made(),),
        workflows=(revision(), DECIDED_ELSEWHERE),
        runs=(new_run(kept=(node("n0", NodeState.COMPLETED),)),),
    )
    assert subjects(step_drafts(step, context)) == [
        ("safety_raised", ""),
        ("safety_changed", ""),
        ("advice_changed", ""),
        ("decision_made", ""),
        ("decision_validated", ""),
        ("workflow_changed", ""),
        ("run_changed", ""),
        ("node_changed", ""),
        ("activity", ""),
        ("workflow_changed", ""),
        ("variable_changed", "x"),
        ("variable_changed", "x"),
        ("strategy_decided", ""),
        ("action_result_recorded", "ai_1"),
        ("message_committed", ""),
        ("advice_changed", ""),
        ("state_changed", ""),
    ]


def test_what_is_made_at_once_is_made_before_the_first_verdict() -> None:
    """In its own order; the revision follows the verdict of the decision that made it, once."""
    first = made("dec_0", None)
    batch = replace(STEP, decisions=(made(place=1), first), workflows=(revision(),))
    drafts = [draft.body for draft in step_drafts(batch, CONTEXT)]
    kinds = (DecisionMade, DecisionValidated, WorkflowChanged)
    told = [(type(each), each.decision_id) for each in drafts if isinstance(each, kinds)]
    assert told == [
        (DecisionMade, "dec_0"),
        (DecisionMade, "dec_1"),
        (DecisionValidated, "dec_1"),
        (WorkflowChanged, "dec_1"),
    ]


def test_the_least_step_tells_the_state_alone() -> None:
    """A step without words or facts still tells where the session stands."""
    least = replace(STEP, messages=(), operations=(), result=None, safety=None)
    (draft,) = step_drafts(least, CONTEXT)
    assert (draft.body, draft.emitted_by) == (StateChanged(state=STATE), FIRST)


def test_a_result_names_its_model_calls() -> None:
    """The model's words stay in the ledger, which has them by these ids."""
    drafts = step_drafts(STEP, CONTEXT)
    told = [draft.body for draft in drafts if isinstance(draft.body, ActionResultRecorded)]
    assert [body.action_result for body in told] == [STEP.result]


def test_beginning_after_a_lost_attempt_voids_first() -> None:
    """A lost attempt's drafts are void before advice expires and the next attempt starts."""
    over = advice("adv_a", state=AdviceState.EXPIRED)
    drafts = begin_drafts(replace(FIRST, attempt=3), lost="ATTEMPT_LOST", expired=(over,))
    assert [draft.body for draft in drafts] == [
        DraftVoided(up_to_attempt=2, reason="ATTEMPT_LOST"),
        AdviceChanged(advice=over),
        TurnStarted(),
    ]


def test_a_first_attempt_only_starts() -> None:
    """Where nothing was lost, beginning tells the start alone."""
    assert begin_drafts(FIRST, lost="") == [EventDraft(TurnStarted(), FIRST)]


def test_a_failure_voids_what_was_shown() -> None:
    """The failed attempt's own drafts are void before its end is told."""
    failure = TurnFailure(turn_id="turn_a", attempt=2, problem=problem("R"), drafts_shown=True)
    voided, ended = failure_drafts(failure, state=STATE, message_ids=("msg_a",))
    assert voided.body == DraftVoided(up_to_attempt=2, reason="R")
    assert isinstance(ended.body, TurnEnded)
    assert ended.body.message_ids == ("msg_a",)


def test_an_analysis_is_told_outside_any_turn() -> None:
    """Changed advice comes before the end of the analysis, in no turn."""
    drafts = analysis_drafts(analysed(ticket(4)), judged_turn_id="turn_a", changed=(advice(),))
    assert subjects(drafts) == [("advice_changed", ""), ("analysis_ended", "ai_1/4")]
    assert {draft.emitted_by for draft in drafts} == {EmittingAttempt()}


def test_an_input_is_told_outside_its_turn() -> None:
    """Also when the message has a turn by now, its acceptance is told as it was."""
    message = Message(message_id="msg_a", role=Role.CLIENT, parts=(), turn_id="turn_a", sequence=7)
    draft = accepted_draft(message)
    assert draft == EventDraft(InputAccepted(messages=(replace(message, turn_id=""),)))


def test_numbers_are_contiguous_and_written_inside() -> None:
    """Events take the numbers from the first on; messages, states and operations bear them."""
    events = numbered(step_drafts(STEP, CONTEXT), session_id="s1", first=5, now=NOW)
    assert [event.sequence for event in events] == list(range(5, 5 + len(events)))
    assert {(event.session_id, event.create_time) for event in events} == {("s1", NOW)}
    message, state = events[-2].body, events[-1].body
    assert isinstance(message, MessageCommitted)
    assert (message.message.sequence, message.message.create_time) == (events[-2].sequence, NOW)
    assert message.message.turn_id == "turn_a"
    assert state == StateChanged(state=replace(STATE, sequence=events[-1].sequence))


def test_a_sessions_state_has_no_variables() -> None:
    """The state inside events is the session's row, its last number included."""
    session = SessionRecord(
        key=new_session().key,
        script_id="script",
        script_version="v1",
        user_id="u",
        locale="",
        time_zone="",
        status=ExecutionStatus.ERROR,
        position=at_round(2),
        plan_revision=1,
        last_sequence=9,
        opened=True,
        opening_turn_id="turn_o",
        last_ai_message="hi",
        pending_client_message_ids=("m1",),
        error=problem(),
        create_time=NOW,
        update_time=NOW,
    )
    assert state_of(session) == ExecutionState(
        status=ExecutionStatus.ERROR,
        sequence=9,
        script_id="script",
        script_version="v1",
        plan_revision=1,
        position=at_round(2),
        last_ai_message="hi",
        pending_client_message_ids=("m1",),
        error=problem(),
    )
