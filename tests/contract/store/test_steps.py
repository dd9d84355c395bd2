"""Committing steps: order, audience and numbers of what is told."""

from __future__ import annotations

from dataclasses import replace

from heartrule.domain.action_result import DebugInfo
from heartrule.domain.conversation import Audience, Role
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    MessageCommitted,
    Outcome,
    SafetyChanged,
    SafetyRaised,
    StateChanged,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.exits import DecisionSource, ExitDecision, ExitReason
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule.domain.problem import Degradation
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from session_store.ports import Store
from session_store.records import InstanceState, Page, StepCommit, TurnEnd, TurnSnapshot
from tests.support.store_builders import (
    AT_ONCE,
    accept,
    advice,
    advised,
    analysed,
    at_round,
    begun,
    claimed,
    created,
    ended,
    instance,
    judged,
    judged_turn,
    last_step,
    opened,
    opening,
    said,
    step,
    ticket,
    variable,
)
from tests.support.store_safety import raised
from tests.support.told import advice_changes, kinds, texts

EXTRACTED = VariableOperation(
    action_id="a1",
    operation=VariableOperationKind.EXTRACT,
    variable_name="姓名",
    scope=VariableScope.TOPIC,
    scope_id="t1",
    value="小明",
)


def full_step(snapshot: TurnSnapshot) -> StepCommit:
    """Return a step that does everything a step can, and ends its action's instance."""
    return step(
        snapshot,
        said("help is at hand", role=Role.SYSTEM),
        said("thank you"),
        safety=raised(),
        advice_consumed="adv_1",
        operations=(EXTRACTED, replace(EXTRACTED, variable_name="年龄", value=25)),
        variables=(variable("姓名", "小明", VariableScope.TOPIC, "t1"),),
        instances=(instance(state=InstanceState.COMPLETED),),
        result=judged(2, completed=True, debug_info=DebugInfo(call_ids=("call_1",))),
        inputs_consumed=True,
    )


async def test_a_step_tells_in_a_fixed_order(store: Store) -> None:
    """Safety first, then advice used, facts, words, advice that expired, and the state last."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await judged_turn(store, key, 2)
    await claimed(store, 2)
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.finish_analysis(analysed(ticket(2), advice("adv_2", 2)))
    done = await store.commit_step(snapshot.lease, full_step(snapshot))
    assert kinds(done.events) == [
        SafetyRaised,
        SafetyChanged,
        AdviceChanged,
        VariableChanged,
        VariableChanged,
        ActionResultRecorded,
        MessageCommitted,
        MessageCommitted,
        AdviceChanged,
        StateChanged,
    ]
    assert advice_changes(done.events) == [
        ("adv_1", AdviceState.CONSUMED),
        ("adv_2", AdviceState.EXPIRED),
    ]


async def test_what_was_skipped_is_told_to_operators_and_kept(store: Store) -> None:
    """Each skip is an event of its step, before the result, and reads later as it was told."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    skipped = (
        StepSkipped(phase_id="p1", topic_id="t1", action_id="a2", action_instance_id="i2"),
        StepSkipped(phase_id="p2", condition="{年龄} > 1", reason="NO_VALUE", variable="年龄"),
    )
    done = await store.commit_step(
        snapshot.lease, step(snapshot, result=judged(1), skipped=skipped)
    )
    assert kinds(done.events) == [StepSkipped, StepSkipped, ActionResultRecorded, StateChanged]
    assert tuple(each.body for each in done.events[:2]) == skipped
    assert done.events[0].audience is Audience.OPERATOR
    last = done.events[-1].sequence
    assert await store.read_events(key, last - len(done.events), 10) == done.events


async def test_an_instance_keeps_whose_it_is(store: Store) -> None:
    """A plan row of a skill names its technique and the instance it runs inside."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    inner = instance(action_instance_id="i2", technique_id="breath", parent_instance_id="i1")
    await store.commit_step(snapshot.lease, last_step(snapshot, said("hi"), instances=(inner,)))
    await accept(store, key, "m2")
    assert inner in (await begun(store, key)).plan


async def test_facts_are_for_operators(store: Store) -> None:
    """Variables, results and advice are told to operators, all else to the client."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    done = await store.commit_step(snapshot.lease, full_step(snapshot))
    facts = (VariableChanged, ActionResultRecorded, AdviceChanged)
    for event in done.events:
        for_operators = isinstance(event.body, facts)
        assert event.audience is (Audience.OPERATOR if for_operators else Audience.CLIENT)


async def test_events_of_a_step_bear_turn_and_attempt(store: Store) -> None:
    """Each event of a step names its session, turn and attempt, and one time for all."""
    key = await created(store)
    snapshot = await opening(store, key)
    done = await store.commit_step(snapshot.lease, full_step(snapshot))
    marks = {
        (each.session_id, each.turn_id, each.attempt, each.create_time) for each in done.events
    }
    assert len(marks) == 1
    assert next(iter(marks))[:3] == ("s1", snapshot.turn_id, 1)
    assert done.events[0].create_time is not None


async def test_a_message_is_told_as_it_is_stored(store: Store) -> None:
    """A committed message bears its turn, its number and its time, told and listed alike."""
    key = await created(store)
    snapshot = await opening(store, key)
    sent = said("hi")
    told = (await ended(store, snapshot, sent)).events[0]
    assert isinstance(told.body, MessageCommitted)
    message = told.body.message
    assert message == replace(
        sent, turn_id=snapshot.turn_id, sequence=told.sequence, create_time=told.create_time
    )
    assert await store.list_messages(key, Page()) == ([message], "")


async def test_a_step_within_a_turn_tells_the_state(store: Store) -> None:
    """A step that does not end its turn tells where the session stands, without variables."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await accept(store, key, "m2")
    goes_on = step(snapshot, said("and"), position=at_round(2), variables=(variable("x", 1),))
    done = await store.commit_step(snapshot.lease, goes_on)
    assert done.events[-1].body == StateChanged(
        state=ExecutionState(
            status=ExecutionStatus.RUNNING,
            sequence=done.events[-1].sequence,
            script_id="script",
            script_version="v1",
            position=at_round(2),
            last_ai_message="and",
            pending_client_message_ids=("m2",),
        )
    )
    assert not done.inputs_waiting


async def test_the_last_step_tells_the_turns_end(store: Store) -> None:
    """The last step tells the turn's outcome, inputs, messages and exit, and the state."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    poor = Degradation(stage="parse", reason="REPAIRED", metadata={"n": "1"})
    decision = ExitDecision(
        should_exit=True, reason="够了", decision_source=DecisionSource.EXIT_FLAG
    )
    end = TurnEnd(
        outcome=Outcome.WAITING,
        degradations=(poor,),
        message_ids=("x", "y"),
        exit_reason=ExitReason.EXIT_CRITERIA_MET,
        exit_decision=decision,
    )
    done = await store.commit_step(snapshot.lease, last_step(snapshot, said("next"), end=end))
    last = done.events[-1]
    assert last.body == TurnEnded(
        outcome=Outcome.WAITING,
        message_ids=("x", "y"),
        degradations=(poor,),
        client_message_ids=("m1",),
        exit_reason=ExitReason.EXIT_CRITERIA_MET,
        exit_decision=decision,
        state=ExecutionState(
            status=ExecutionStatus.WAITING_INPUT,
            sequence=last.sequence,
            script_id="script",
            script_version="v1",
            position=at_round(1),
            last_ai_message="next",
        ),
    )


async def test_a_session_stands_where_its_last_step_left_it(store: Store) -> None:
    """Status, position, last message and sequence of a session are those of the last commit."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    bye = last_step(snapshot, said("bye"), outcome=Outcome.SESSION_COMPLETED, position=at_round(5))
    done = await store.commit_step(snapshot.lease, bye)
    record = await store.get_session(key)
    assert (record.status, record.position) == (ExecutionStatus.COMPLETED, at_round(5))
    assert record.last_ai_message == "bye"
    assert record.last_sequence == done.events[-1].sequence
    assert record.update_time >= record.create_time


async def test_only_the_assistant_has_a_last_word(store: Store) -> None:
    """A message of the system is committed, but is not the assistant's last."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await ended(store, snapshot, said("help is at hand", role=Role.SYSTEM))
    assert (await store.get_session(key)).last_ai_message == "question 1"
    await accept(store, key, "m2")
    assert texts((await begun(store, key)).window)[-1] == "help is at hand"


async def test_several_steps_make_one_turn(store: Store) -> None:
    """Steps of a turn follow one another; messages keep their order over them."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    for text in ("one", "two"):
        await store.commit_step(snapshot.lease, step(snapshot, said(text), inputs_consumed=True))
    await ended(store, snapshot, said("three"))
    listed, _ = await store.list_messages(key, Page())
    assert texts(listed)[-3:] == ["one", "two", "three"]
    assert {each.turn_id for each in listed[-3:]} == {snapshot.turn_id}


async def test_inputs_once_judged_stay_judged(store: Store) -> None:
    """A later step of the turn that judges nothing leaves its inputs judged."""
    key = await opened(store)
    await accept(store, key)
    lost = await begun(store, key, ttl=AT_ONCE)
    for consumed in (True, False):
        await store.commit_step(lost.lease, step(lost, inputs_consumed=consumed))
    assert (await begun(store, key)).inputs_consumed


async def test_sequences_have_no_gap(store: Store) -> None:
    """Whatever was done, the events of a session are numbered from 1 without a gap."""
    key = await opened(store)
    await judged_turn(store, key)
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    await advised(store)
    await store.commit_step(snapshot.lease, full_step(snapshot))
    await ended(store, snapshot)
    events = await store.read_events(key, 0)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert (await store.get_session(key)).last_sequence == len(events)
