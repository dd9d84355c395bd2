"""Reading events again gives what was told."""

from __future__ import annotations

import pytest

from heartrule.domain.action_result import ActionMetrics, DebugInfo
from heartrule.domain.conversation import Completeness
from heartrule.domain.errors import NotFound
from heartrule.domain.events import (
    ActionResultRecorded,
    InputAccepted,
    SessionEvent,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.exits import DecisionSource, ExitDecision, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from session_store.ports import Store
from tests.support.store_builders import (
    AT_ONCE,
    accept,
    advised,
    at_round,
    begun,
    call,
    failure,
    judged,
    judged_turn,
    last_step,
    opened,
    said,
    step,
)
from tests.support.store_safety import raised
from tests.support.told import kinds

KEY = SessionKey("t", "s1")
POOR = Degradation(stage="parse", reason="REPAIRED", metadata={"n": "1"})
DECISION = ExitDecision(should_exit=True, reason="够了", decision_source=DecisionSource.EXIT_FLAG)
RESULT = judged(
    2,
    completed=True,
    extracted_variables={"年龄": 25, "列表": [1, 2.5, None], "空": "", "真": False},
    metrics=ActionMetrics(information_completeness="高", reply_relevance="中"),
    metadata={"parseRetryCount": 2, "late_exit": True, "nested": {"a": [1]}},
    error=Problem(code=3, reason="R", message="m", metadata={"k": "v"}),
    exit_reason=ExitReason.USER_BLOCKED,
    exit_decision=DECISION,
)
VALUES: tuple[JsonValue, ...] = (25, None, {"a": [True, "二"]})
OPERATIONS = tuple(
    VariableOperation(
        action_id="a1",
        operation=VariableOperationKind.UPDATE,
        variable_name="年龄",
        scope=VariableScope.PHASE,
        scope_id="p1",
        value=value,
    )
    for value in VALUES
)


async def long_turn(store: Store) -> tuple[str, list[SessionEvent]]:
    """Run a turn that is lost, fails, is resumed and ends; return its id and all it told."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    told = list((await accept(store, key, "m1", "one")).events)
    lost = await begun(store, key, ttl=AT_ONCE)
    told += lost.events
    second = await begun(store, key)
    told += second.events
    rich = step(
        second,
        said("two", completeness=Completeness.TRUNCATED),
        position=at_round(3),
        safety=raised(),
        advice_consumed="adv_1",
        operations=OPERATIONS,
        result=RESULT,
        calls=(call(),),
        degradations=(POOR,),
        inputs_consumed=True,
    )
    told += (await store.commit_step(second.lease, rich)).events
    told += await store.fail_turn(
        second.lease, failure(second, drafts_shown=True, degradations=(POOR,))
    )
    await accept(store, key, "m1", "one")
    third = await begun(store, key)
    told += third.events
    told += (await store.commit_step(third.lease, last_step(third, said("three")))).events
    return third.turn_id, told


async def test_a_replayed_turn_equals_what_was_told(store: Store) -> None:
    """Every event of a turn, of all its attempts, is read back field by field."""
    turn_id, told = await long_turn(store)
    replayed = await store.read_turn(KEY, turn_id)
    assert list(replayed) == told


async def test_a_replayed_turn_begins_with_its_inputs(store: Store) -> None:
    """The InputAccepted of each of its inputs comes first, outside the turn as it was told."""
    key = await opened(store)
    told = [(await accept(store, key, name)).events[0] for name in ("m1", "m2")]
    snapshot = await begun(store, key)
    await accept(store, key, "of the next turn")
    await store.commit_step(snapshot.lease, last_step(snapshot))
    replayed = await store.read_turn(key, snapshot.turn_id)
    assert list(replayed[:2]) == told
    assert {event.turn_id for event in replayed[:2]} == {""}
    assert InputAccepted not in kinds(replayed[2:])


async def test_a_merged_turn_replays_each_attempt_with_its_own_inputs(store: Store) -> None:
    """An attempt that had fewer inputs is told again with those, though more joined later."""
    key = await opened(store)
    told = list((await accept(store, key, "m1")).events)
    first = await begun(store, key)
    told += first.events
    told += await store.fail_turn(first.lease, failure(first))
    told += (await accept(store, key, "m2")).events
    second = await begun(store, key)
    told += second.events
    told += (await store.commit_step(second.lease, last_step(second, said("both")))).events
    assert list(await store.read_turn(key, first.turn_id)) == told


async def test_events_are_read_from_a_sequence_on(store: Store) -> None:
    """Reading gives the events above a number, as many as asked for, and none past the end."""
    await long_turn(store)
    key = KEY
    whole = await store.read_events(key, 0)
    assert await store.read_events(key, 3) == whole[3:]
    assert await store.read_events(key, 3, 4) == whole[3:7]
    assert await store.read_events(key, len(whole)) == ()


async def test_all_that_was_told_is_read_in_order(store: Store) -> None:
    """Reading a session from the start gives the turns and what came between them."""
    _, told = await long_turn(store)
    read = await store.read_events(KEY, 0)
    assert [event for event in read if event in told] == told


async def test_a_result_names_its_model_calls_alone(store: Store) -> None:
    """Prompt and reply stay in the ledger: a result on the stream has the ids of its calls."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    result = judged(1, debug_info=DebugInfo(call_ids=("call_1",)))
    done = await store.commit_step(snapshot.lease, last_step(snapshot, result=result))
    for event in (done.events[0], (await store.read_turn(key, snapshot.turn_id))[-2]):
        assert event.body == ActionResultRecorded(action_result=result)


async def test_an_operation_without_a_time_gets_the_commits(store: Store) -> None:
    """A variable operation that names no time is stamped with the commit's."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    done = await store.commit_step(snapshot.lease, last_step(snapshot, operations=OPERATIONS[:1]))
    body = done.events[0].body
    assert isinstance(body, VariableChanged)
    assert body.variable_operation.timestamp == done.events[0].create_time


async def test_a_later_turn_changes_no_earlier_event(store: Store) -> None:
    """What a turn told stays the same when the session goes on."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, said("a"), position=at_round(2)))
    before = await store.read_events(key, 0)
    await judged_turn(store, key, 2)
    await advised(store, 2)
    assert (await store.read_events(key, 0))[: len(before)] == before
    assert isinstance(before[-1].body, TurnEnded)


async def test_an_unknown_turn_is_not_found(store: Store) -> None:
    """A turn that never was is NotFound."""
    key = await opened(store)
    with pytest.raises(NotFound):
        await store.read_turn(key, "turn_no")
