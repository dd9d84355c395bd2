"""Taking the last turn back."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.domain.errors import InvalidRequest, NotReady, SessionBusy
from heartrule.domain.events import (
    AdviceChanged,
    AnalysisEnded,
    HistoryRewound,
    InputAccepted,
    Outcome,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AdviceState, AnalysisOutcome
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.variables import (
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)
from session_store.ports import Store
from session_store.records import InstanceState, Page, Retried, RetryOrder
from tests.support.store_builders import (
    accept,
    advised,
    analysed,
    at_round,
    begun,
    claimed,
    created,
    failure,
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


async def again(store: Store, key: SessionKey, **changes: Any) -> Retried:
    """Take the last turn back."""
    return await store.retry_turn(RetryOrder(key=key, **changes))


async def texts(store: Store, key: SessionKey) -> list[str]:
    """Return what was said, by everybody."""
    return [each.plain_text() for each in (await store.list_messages(key, Page()))[0]]


def written(value: VariableValue) -> VariableOperation:
    """Return the operation that writes a variable."""
    return VariableOperation(
        action_id="a1",
        operation=VariableOperationKind.EXTRACT,
        variable_name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
        value=value.value,
    )


async def writing_turn(store: Store, key: SessionKey, name: str, *values: VariableValue) -> None:
    """Run a turn that writes variables."""
    await accept(store, key, name, name)
    snapshot = await begun(store, key)
    operations = tuple(map(written, values))
    done = last_step(snapshot, said(f"re {name}"), variables=values, operations=operations)
    await store.commit_step(snapshot.lease, done)


async def test_the_last_message_is_said_again(store: Store) -> None:
    """Its turn's messages are gone, its words wait anew under another id."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    done = await again(store, key)
    assert await texts(store, key) == ["question 1", "answer 1"]
    assert done.message.client_message_id != "r1"
    record = await store.get_session(key)
    assert record.pending_client_message_ids == (done.message.client_message_id,)
    assert record.position == at_round(1)
    assert record.last_ai_message == "question 1"


async def test_it_is_told_in_one_event_before_the_new_input(store: Store) -> None:
    """The numbers go on; what was told before is told again as it was."""
    key = await opened(store)
    before = await store.read_events(key, 0)
    taken = await judged_turn(store, key, 1)
    done = await again(store, key, text="other words", client_message_id="new")
    events = await store.read_events(key, 0)
    assert events[: len(before)] == before
    assert [each.sequence for each in events] == list(range(1, len(events) + 1))
    rewound, accepted = done.events[0].body, done.events[-1].body
    assert isinstance(rewound, HistoryRewound)
    assert isinstance(accepted, InputAccepted)
    assert (rewound.turn_ids, rewound.after_sequence) == ((taken.turn_id,), before[-1].sequence)
    assert events[-len(done.events) :] == done.events
    assert accepted.messages[0].plain_text() == "other words"


async def test_the_next_turn_begins_where_the_first_did(store: Store) -> None:
    """The same number, plan, variables and window."""
    key = await opened(store)
    await accept(store, key, "m1")
    first = await begun(store, key)
    made = (instance(round=1, state=InstanceState.COMPLETED), instance("ai_2", 1))
    done = last_step(first, said("next"), position=at_round(9), instances=made)
    await store.commit_step(first.lease, done)
    await again(store, key)
    second = await begun(store, key)
    same = ("turn_no", "plan", "variables", "window", "position", "last_ai_message", "steps")
    assert [getattr(second, name) for name in same] == [getattr(first, name) for name in same]
    assert [each.parts for each in second.inputs] == [each.parts for each in first.inputs]
    assert second.turn_id != first.turn_id


async def test_variables_return_and_globals_stay(store: Store) -> None:
    """A value of the session is the one before again; a global keeps its new one and is named."""
    key = await created(store, user_id="u", variables=(variable("mood", 1),))
    snapshot = await opening(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, said("question 1")))
    await writing_turn(store, key, "m1", variable("mood", 2))
    shared = variable("name", "小明", VariableScope.GLOBAL)
    await writing_turn(store, key, "m2", variable("mood", 3), variable("new", 4), shared)
    done = await again(store, key)
    found = {each.name: each.value for each in await store.list_variables(key)}
    assert found == {"mood": 2, "name": "小明"}
    assert done.rewound.kept_globals == ("name",)


async def test_the_first_of_all_values_returns_too(store: Store) -> None:
    """What a session began with was written by no turn, and is not forgotten."""
    key = await created(store, variables=(variable("mood", 1),))
    snapshot = await opening(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, said("question 1")))
    await writing_turn(store, key, "m1", variable("mood", 2))
    await again(store, key)
    assert [each.value for each in await store.list_variables(key)] == [1]


async def test_histories_tell_nothing_of_a_turn_taken_back(store: Store) -> None:
    """Its operations are kept for the record alone."""
    key = await opened(store)
    await writing_turn(store, key, "m1", variable("mood", 2))
    await again(store, key)
    assert (await store.list_operations(key, Page()))[0] == []


async def test_the_old_input_neither_replays_nor_runs(store: Store) -> None:
    """Its id is spent."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await again(store, key)
    with pytest.raises(NotReady) as refused:
        await accept(store, key, "r1", "answer 1")
    assert refused.value.reason == "INPUT_TAKEN_BACK"


async def test_a_known_id_is_refused_and_nothing_is_taken_back(store: Store) -> None:
    """The new input needs an id of its own."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    with pytest.raises(InvalidRequest):
        await again(store, key, client_message_id="r1")
    assert await texts(store, key) == ["question 1", "answer 1", "question 2"]


async def test_one_request_takes_one_turn_back(store: Store) -> None:
    """A repeat gives what was done; nothing more is told."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    first = await again(store, key, request_id="q")
    second = await again(store, key, request_id="q")
    assert (second.rewound, second.message) == (first.rewound, first.message)
    assert second.events == ()


async def test_a_busy_session_is_left_alone(store: Store) -> None:
    """While a turn runs, or an input waits, nothing is taken back."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await accept(store, key, "m2")
    with pytest.raises(SessionBusy):
        await again(store, key)
    snapshot = await begun(store, key)
    with pytest.raises(SessionBusy):
        await again(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot))
    assert (await again(store, key)).rewound.turn_ids == (snapshot.turn_id,)


async def test_the_opening_turn_is_not_taken_back(store: Store) -> None:
    """Nobody has said anything yet."""
    key = await opened(store)
    with pytest.raises(NotReady) as refused:
        await again(store, key)
    assert refused.value.reason == "NOTHING_TO_RETRY"


async def test_a_failed_turn_is_taken_back_with_the_steps_it_committed(store: Store) -> None:
    """The error goes with it."""
    key = await opened(store)
    await accept(store, key, "m1")
    snapshot = await begun(store, key)
    half = step(snapshot, said("half"), position=at_round(2), instances=(instance("ai_9", 9),))
    await store.commit_step(snapshot.lease, half)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    await again(store, key)
    record = await store.get_session(key)
    assert (record.status, record.error) == (ExecutionStatus.WAITING_INPUT, None)
    assert (await begun(store, key)).plan == (instance(),)
    assert await texts(store, key) == ["question 1", "hello"]


async def test_a_session_at_its_end_goes_on(store: Store) -> None:
    """The last turn may be taken back like any other."""
    key = await opened(store)
    await accept(store, key, "m1")
    snapshot = await begun(store, key)
    over = last_step(snapshot, said("bye"), outcome=Outcome.SESSION_COMPLETED)
    await store.commit_step(snapshot.lease, over)
    await again(store, key)
    record = await store.get_session(key)
    assert (record.status, record.end_reason) == (ExecutionStatus.WAITING_INPUT, None)
    assert (await begun(store, key)).inputs


async def test_inputs_that_were_merged_come_as_one(store: Store) -> None:
    """All their words, in order."""
    key = await opened(store)
    for name in ("m1", "m2"):
        await accept(store, key, name, name)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot))
    assert (await again(store, key)).message.plain_text() == "m1\nm2"


async def test_advice_about_the_turn_expires_and_what_it_took_up_returns(store: Store) -> None:
    """The next prompt holds what the first one held."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await advised(store, 1)
    await judged_turn(store, key, 2, advice_consumed="adv_1")
    await advised(store, 2)
    done = await again(store, key)
    changed = [each.body.advice for each in done.events if isinstance(each.body, AdviceChanged)]
    assert {each.advice_id: each.state for each in changed} == {
        "adv_2": AdviceState.EXPIRED,
        "adv_1": AdviceState.PENDING,
    }
    held = (await begun(store, key)).advice
    assert held is not None
    assert held.advice_id == "adv_1"


async def test_an_analysis_under_way_ends_with_its_turn(store: Store) -> None:
    """It is told as dropped at once; what it finds later is nobody's, not even the next round's."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    work = await claimed(store)
    done = await again(store, key)
    ended = [each.body for each in done.events if isinstance(each.body, AnalysisEnded)]
    assert [(each.result, each.reason) for each in ended] == [
        (AnalysisOutcome.DROPPED, "TURN_TAKEN_BACK")
    ]
    second = await begun(store, key)
    last = last_step(second, said("question 2"), position=at_round(2))
    await store.commit_step(second.lease, last)
    late = analysed(ticket(), judged_turn_id=work.turn_id)
    assert await store.finish_analysis(late) == ()


async def test_a_round_judged_again_is_analysed_again(store: Store) -> None:
    """Both analyses are told, each as it was."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await advised(store, 1)
    await again(store, key)
    second = await begun(store, key)
    done = last_step(second, position=at_round(2), result=judged(1), monitor_requested=True)
    await store.commit_step(second.lease, done)
    work = await claimed(store)
    assert work.turn_id == second.turn_id
    await store.finish_analysis(analysed(ticket(), judged_turn_id=work.turn_id))
    bodies = [each.body for each in await store.read_events(key, 0)]
    ended = [each for each in bodies if isinstance(each, AnalysisEnded)]
    assert [each.advice_id for each in ended] == ["adv_1", ""]
    assert ended[1].judged_turn_id == second.turn_id
