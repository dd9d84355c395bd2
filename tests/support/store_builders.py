"""Builders for the store's records: the least that is valid, changed by keyword."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from heartrule.domain.action_result import ActionMetrics, ActionResult, ProgressSuggestion
from heartrule.domain.conversation import Message, Role, UserInput, text_part
from heartrule.domain.events import Outcome, SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.monitoring import (
    Advice,
    AnalysisOutcome,
    MonitorAnalysis,
    Severity,
)
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from heartrule.domain.problem import Problem
from heartrule.domain.variables import ValueSupport, VariableScope, VariableValue, json_type
from session_store.ports import Store
from session_store.records import (
    AcceptedInput,
    ActionInstance,
    AnalysisRecord,
    CommittedStep,
    InstanceState,
    MonitorTicket,
    MonitorWork,
    NewSession,
    StepCommit,
    TurnEnd,
    TurnFailure,
    TurnSnapshot,
)

LONG = timedelta(hours=1)
"""A lease or window that no test outlives."""
AT_ONCE = timedelta(0)
"""A lease that has run out as soon as it is taken."""
INSTANCE = "ai_1"
"""The action instance the builders speak of."""


def new_session(session_id: str = "s1", tenant: str = "t", **changes: Any) -> NewSession:
    """Return a session to be created."""
    key = SessionKey(tenant, session_id)
    return replace(NewSession(key=key, script_id="script", script_version="v1"), **changes)


def user_input(client_message_id: str = "m1", text: str = "hello", **changes: Any) -> UserInput:
    """Return what a client sends."""
    plain = UserInput(client_message_id=client_message_id, parts=(text_part(text),))
    return replace(plain, **changes)


def said(text: str, **changes: Any) -> Message:
    """Return an assistant's message, not yet committed."""
    plain = Message(
        message_id=new_id("msg"),
        role=Role.ASSISTANT,
        parts=(text_part(text),),
        action_instance_id=INSTANCE,
        action_id="a1",
    )
    return replace(plain, **changes)


def at_round(number: int, **changes: Any) -> ExecutionPosition:
    """Return a position in the builders' action instance."""
    plain = ExecutionPosition(
        phase_id="p1",
        topic_id="t1",
        action_id="a1",
        action_instance_id=INSTANCE,
        current_round=number,
        max_rounds=5,
    )
    return replace(plain, **changes)


def instance(instance_id: str = INSTANCE, ordinal: int = 0, **changes: Any) -> ActionInstance:
    """Return a running action instance of topic t1."""
    plain = ActionInstance(
        action_instance_id=instance_id,
        phase_id="p1",
        topic_id="t1",
        action_id=f"a{ordinal + 1}",
        action_type="ai_ask",
        ordinal=ordinal,
        state=InstanceState.RUNNING,
    )
    return replace(plain, **changes)


def variable(
    name: str, value: Any, scope: VariableScope = VariableScope.SESSION, scope_id: str = ""
) -> VariableValue:
    """Return a variable written by action a1."""
    return VariableValue(
        name=name, value=value, type=json_type(value), scope=scope, scope_id=scope_id, source="a1"
    )


def given(name: str, value: Any, **changes: Any) -> VariableValue:
    """Return a variable of topic t1 that the client gave."""
    plain = variable(name, value, VariableScope.TOPIC, "t1")
    return replace(plain, **{"support": ValueSupport.CLIENT_WORDS, **changes})


def judged(round_no: int = 1, **changes: Any) -> ActionResult:
    """Return the result of a judged round."""
    plain = ActionResult(
        success=True,
        completed=False,
        ai_message="go on",
        metrics=ActionMetrics(user_engagement=f"high in {round_no}"),
        progress_suggestion=ProgressSuggestion.CONTINUE_NEEDED,
        action_id="a1",
        action_instance_id=INSTANCE,
        action_type="ai_ask",
        round=round_no,
    )
    return replace(plain, **changes)


def call(call_id: str = "", **changes: Any) -> LLMDebugInfo:
    """Return a model call for the ledger."""
    plain = LLMDebugInfo(
        call_id=call_id or new_id("call"),
        purpose=Purpose.TALK,
        prompt_type="ai_ask_v1",
        provider="p",
        model="m",
        input="[]",
        output="{}",
    )
    return replace(plain, **changes)


def problem(reason: str = "MODEL_UNAVAILABLE") -> Problem:
    """Return why an attempt failed."""
    return Problem(code=14, reason=reason, message="no answer")


def step(snapshot: TurnSnapshot, *messages: Message, **changes: Any) -> StepCommit:
    """Return a step after which the turn goes on."""
    plain = StepCommit(
        turn_id=snapshot.turn_id,
        attempt=snapshot.attempt,
        status=ExecutionStatus.RUNNING,
        position=snapshot.position,
        messages=messages,
    )
    return replace(plain, **changes)


def last_step(
    snapshot: TurnSnapshot,
    *messages: Message,
    outcome: Outcome = Outcome.WAITING,
    **changes: Any,
) -> StepCommit:
    """Return a step that ends the turn; SESSION_COMPLETED ends the session too."""
    ended = outcome is Outcome.SESSION_COMPLETED
    ids = (*snapshot.message_ids, *(message.message_id for message in messages))
    plain = replace(
        step(snapshot, *messages),
        status=ExecutionStatus.COMPLETED if ended else ExecutionStatus.WAITING_INPUT,
        inputs_consumed=bool(snapshot.inputs),
        end=TurnEnd(outcome=outcome, message_ids=ids),
    )
    return replace(plain, **changes)


def failure(snapshot: TurnSnapshot, *, drafts_shown: bool = False, **changes: Any) -> TurnFailure:
    """Return the end of an attempt that failed."""
    plain = TurnFailure(
        turn_id=snapshot.turn_id,
        attempt=snapshot.attempt,
        problem=problem(),
        drafts_shown=drafts_shown,
    )
    return replace(plain, **changes)


def advice(advice_id: str = "adv_1", about_round: int = 1, **changes: Any) -> Advice:
    """Return an advice about a round of the builders' instance."""
    plain = Advice(
        advice_id=advice_id,
        session_id="s1",
        action_id="a1",
        action_instance_id=INSTANCE,
        about_round=about_round,
        analysis=MonitorAnalysis(intervention_needed=True),
        feedback_text="ask more simply",
        severity=Severity.CONCERN,
    )
    return replace(plain, **changes)


def analysed(ticket: MonitorTicket, given: Advice | None = None, **changes: Any) -> AnalysisRecord:
    """Return how a monitor request ended; with an advice or without."""
    plain = AnalysisRecord(
        ticket=ticket,
        outcome=AnalysisOutcome.ADVICE if given else AnalysisOutcome.NO_ADVICE,
        analysis=MonitorAnalysis(),
        advice=given,
    )
    return replace(plain, **changes)


def ticket(round_no: int = 1, session_id: str = "s1") -> MonitorTicket:
    """Return the name of a request about the builders' instance."""
    return MonitorTicket(
        key=SessionKey("t", session_id), action_instance_id=INSTANCE, round=round_no
    )


async def created(store: Store, session_id: str = "s1", **changes: Any) -> SessionKey:
    """Create a session and return its key."""
    return (await store.create_session(new_session(session_id, **changes))).key


async def opened(store: Store, session_id: str = "s1", **changes: Any) -> SessionKey:
    """Create a session whose opening turn asked its first question, and return its key."""
    key = await created(store, session_id, **changes)
    snapshot = await opening(store, key)
    asked = last_step(snapshot, said("question 1"), position=at_round(1), instances=(instance(),))
    await store.commit_step(snapshot.lease, asked)
    return key


async def accept(
    store: Store, key: SessionKey, client_message_id: str = "m1", text: str = "hello", **more: Any
) -> AcceptedInput:
    """Send an input."""
    return await store.accept_input(key, user_input(client_message_id, text, **more))


async def opening(store: Store, key: SessionKey, ttl: timedelta = LONG) -> TurnSnapshot:
    """Begin the opening turn; it must be free."""
    snapshot = await store.begin_opening(key, owner="me", ttl=ttl)
    assert isinstance(snapshot, TurnSnapshot), snapshot
    return snapshot


async def begun(
    store: Store, key: SessionKey, ttl: timedelta = LONG, owner: str = "me"
) -> TurnSnapshot:
    """Begin the next turn; there must be one."""
    snapshot = await store.begin_turn(key, owner=owner, ttl=ttl)
    assert isinstance(snapshot, TurnSnapshot), snapshot
    return snapshot


async def ended(store: Store, snapshot: TurnSnapshot, *messages: Message) -> CommittedStep:
    """End a begun turn with one step."""
    return await store.commit_step(snapshot.lease, last_step(snapshot, *messages))


async def judged_turn(
    store: Store, key: SessionKey, round_no: int = 1, **changes: Any
) -> TurnSnapshot:
    """Run the turn that answers question `round_no` and is to be monitored."""
    await accept(store, key, f"r{round_no}", f"answer {round_no}")
    snapshot = await begun(store, key)
    done = last_step(
        snapshot,
        said(f"question {round_no + 1}"),
        position=at_round(round_no + 1),
        result=judged(round_no),
        monitor_requested=True,
    )
    await store.commit_step(snapshot.lease, replace(done, **changes))
    return snapshot


async def claimed(store: Store, round_no: int = 1, ttl: timedelta = LONG) -> MonitorWork:
    """Claim the request about a round; it must be free."""
    work = await store.claim_monitor_request(ticket(round_no), owner="me", ttl=ttl)
    assert work is not None
    return work


async def advised(store: Store, round_no: int = 1, **changes: Any) -> tuple[SessionEvent, ...]:
    """Claim the request about a round and give an advice named for it."""
    await claimed(store, round_no)
    given = advice(f"adv_{round_no}", round_no, **changes)
    return await store.finish_analysis(analysed(ticket(round_no), given))
