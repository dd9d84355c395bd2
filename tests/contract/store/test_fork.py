"""Sessions made of another one's past."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from heartrule.domain.errors import InvalidRequest, NotFound, NotReady
from heartrule.domain.events import AdviceChanged, AnalysisEnded, HistoryRewound
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import (
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)
from session_store.ports import Store
from session_store.records import Forked, ForkOrder, InstanceState, Page, RetryOrder, TurnSnapshot
from tests.support.store_builders import (
    accept,
    advised,
    at_round,
    begun,
    created,
    failure,
    instance,
    judged_turn,
    last_step,
    opened,
    opening,
    said,
    variable,
)
from tests.support.strategies import decision

NOW = datetime(2026, 11, 22, tzinfo=UTC)
TRIED = ActionReplacement(
    phase_id="p1", topic_id="t1", action_id="a1", config={"content": "你好", "max_rounds": 2}
)


async def forked(store: Store, key: SessionKey, session_id: str = "f1", **changes: Any) -> Forked:
    """Fork a session."""
    return await store.fork_session(ForkOrder(source=key, session_id=session_id, **changes))


async def texts(store: Store, key: SessionKey) -> list[str]:
    """Return what was said, by everybody."""
    return [each.plain_text() for each in (await store.list_messages(key, Page()))[0]]


async def turn(store: Store, key: SessionKey, name: str, **changes: Any) -> TurnSnapshot:
    """Run a turn that answers `name` with `re name`."""
    await accept(store, key, name, name)
    snapshot = await begun(store, key)
    await store.commit_step(
        snapshot.lease, replace(last_step(snapshot, said(f"re {name}")), **changes)
    )
    return snapshot


def writes(value: VariableValue) -> dict[str, Any]:
    """Return what a step that writes a variable commits."""
    operation = VariableOperation(
        action_id="a1",
        operation=VariableOperationKind.UPDATE,
        variable_name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
        value=value.value,
        timestamp=NOW,
    )
    return {"variables": (replace(value, last_updated=NOW),), "operations": (operation,)}


async def test_a_fork_stands_where_its_source_stood(store: Store) -> None:
    """Messages, place and last words of that turn; nothing of what came after."""
    key = await opened(store)
    middle = await turn(store, key, "m1", position=at_round(2))
    await turn(store, key, "m2", position=at_round(3))
    made = (await forked(store, key, from_turn_id=middle.turn_id)).session
    assert await texts(store, made.key) == ["question 1", "m1", "re m1"]
    assert (made.position, made.last_ai_message) == (at_round(2), "re m1")
    assert (made.forked_from_session_id, made.forked_from_turn_id) == ("s1", middle.turn_id)
    assert await store.get_session(made.key) == made


async def test_a_fork_is_advised_as_its_source_was(store: Store) -> None:
    """What the strategy engine recommended comes along, and whether it is on."""
    key = await opened(store, strategy_engine=True)
    middle = await turn(store, key, "m1", strategy=decision(1))
    await turn(store, key, "m2", strategy=decision(2))
    made = (await forked(store, key, from_turn_id=middle.turn_id)).session
    found, _ = await store.list_strategies(made.key, Page())
    assert ([each.round for each in found], made.strategy_engine) == ([1], True)


async def test_without_a_turn_it_stands_at_the_newest_that_ended(store: Store) -> None:
    """What runs or waits in the source stays there."""
    key = await opened(store)
    await turn(store, key, "m1")
    await accept(store, key, "m2")
    await begun(store, key)
    await accept(store, key, "m3")
    made = (await forked(store, key)).session
    assert await texts(store, made.key) == ["question 1", "m1", "re m1"]
    assert made.pending_client_message_ids == ()


async def test_its_events_are_numbered_from_one_without_a_gap(store: Store) -> None:
    """The same bodies at new numbers, and every message at its own."""
    key = await opened(store)
    await accept(store, key, "late", "late")  # its number lies before the turn it belongs to
    first = await begun(store, key)
    await accept(store, key, "later", "later")
    await store.commit_step(first.lease, last_step(first, said("re late")))
    second = await begun(store, key)
    await store.commit_step(second.lease, last_step(second, said("re later")))
    made = (await forked(store, key, from_turn_id=first.turn_id)).session
    events = await store.read_events(made.key, 0)
    assert [each.sequence for each in events] == list(range(1, made.last_sequence + 1))
    assert {each.session_id for each in events} == {"f1"}
    listed = (await store.list_messages(made.key, Page()))[0]
    assert [each.plain_text() for each in listed] == ["question 1", "late", "re late"]
    assert all(each.sequence <= made.last_sequence for each in listed)
    assert await store.read_turn(made.key, first.turn_id) == events[-4:]


async def test_a_fork_goes_on_like_its_source(store: Store) -> None:
    """Its next turn begins with the plan, variables and window the source's began with."""
    key = await created(store, variables=(variable("mood", 0),))
    snapshot = await opening(store, key)
    plan = (instance(), instance("ai_2", 1))
    await store.commit_step(
        snapshot.lease, last_step(snapshot, position=at_round(1), instances=plan)
    )
    first = await turn(store, key, "m1", **writes(variable("mood", 1)), position=at_round(2))
    ended = (instance(state=InstanceState.COMPLETED, round=2, memory={"repeated": True}),)
    second = await turn(
        store, key, "m2", **writes(variable("mood", 2)), position=at_round(3), instances=ended
    )
    made = (await forked(store, key, from_turn_id=first.turn_id)).session
    await accept(store, made.key, "m2", "m2")
    own = await begun(store, made.key)
    same = ("turn_no", "plan", "variables", "window", "position", "last_ai_message")
    assert [getattr(own, name) for name in same] == [getattr(second, name) for name in same]


async def test_each_session_is_whole_without_the_other(store: Store) -> None:
    """Erasing the source takes nothing from the fork, and the fork's end nothing from it."""
    key = await opened(store)
    await turn(store, key, "m1", **writes(variable("mood", 1)))
    one, two = (await forked(store, key)).session, (await forked(store, key, "f2")).session
    await store.delete_session(one.key)
    await store.delete_session(key)
    assert await texts(store, two.key) == ["question 1", "m1", "re m1"]
    assert [each.value for each in await store.list_variables(two.key)] == [1]
    assert len(await store.read_events(two.key, 0)) == two.last_sequence


async def test_globals_are_named_and_not_rolled_back(store: Store) -> None:
    """They are the user's."""
    key = await opened(store, user_id="u")
    shared = variable("name", "小明", VariableScope.GLOBAL)
    await turn(store, key, "m1", **writes(shared))
    opening_turn = (await store.get_session(key)).opening_turn_id
    done = await forked(store, key, from_turn_id=opening_turn)
    assert done.kept_globals == ("name",)
    assert [each.value for each in await store.list_variables(done.session.key)] == ["小明"]


async def test_globals_without_a_user_come_along(store: Store) -> None:
    """They live with the session, hence with both from now on."""
    key = await opened(store)
    await turn(store, key, "m1", **writes(variable("name", "小明", VariableScope.GLOBAL)))
    made = (await forked(store, key)).session
    await turn(store, made.key, "m2", **writes(variable("name", "小红", VariableScope.GLOBAL)))
    assert [each.value for each in await store.list_variables(key)] == ["小明"]


async def test_one_request_makes_one_session(store: Store) -> None:
    """The same request_id on another source is refused."""
    key, other = await opened(store), await opened(store, "s2")
    first = await forked(store, key, request_id="q")
    await turn(store, key, "m1")
    assert (await forked(store, key, "f2", request_id="q")) == first
    with pytest.raises(InvalidRequest):
        await forked(store, other, "f3", request_id="q")


async def test_a_turn_nobody_knows_is_not_found(store: Store) -> None:
    """Nor is another session's."""
    key = await opened(store)
    with pytest.raises(NotFound):
        await forked(store, key, from_turn_id="turn_x")


async def test_a_failed_turn_is_no_place_to_stand(store: Store) -> None:
    """Nor is one that was taken back."""
    key = await opened(store)
    gone = await turn(store, key, "m1")
    await store.retry_turn(RetryOrder(key=key))
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    for turn_id in (snapshot.turn_id, gone.turn_id):
        with pytest.raises(NotReady) as refused:
            await forked(store, key, from_turn_id=turn_id)
        assert refused.value.reason == "TURN_NOT_ENDED"


async def test_what_was_taken_back_does_not_come_along(store: Store) -> None:
    """The fork has a past without detours."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await advised(store, 1)
    await store.retry_turn(RetryOrder(key=key, text="better", client_message_id="m9"))
    second = await begun(store, key)
    await store.commit_step(second.lease, last_step(second, said("well")))
    made = (await forked(store, key)).session
    assert await texts(store, made.key) == ["question 1", "better", "well"]
    kinds = {type(each.body) for each in await store.read_events(made.key, 0)}
    assert not kinds & {HistoryRewound, AdviceChanged, AnalysisEnded}


async def test_advice_that_waited_waits_in_the_fork_too(store: Store) -> None:
    """As it stood when the last turn ended; what the monitor said later is not there."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    await advised(store, 1)
    await judged_turn(store, key, 2)
    await advised(store, 2)
    made = (await forked(store, key)).session
    await accept(store, made.key, "m3")
    held = (await begun(store, made.key)).advice
    assert held is not None
    assert (held.advice_id, held.session_id) == ("adv_1", "f1")


async def test_it_stands_before_the_action_whose_config_is_tried(store: Store) -> None:
    """At the turn before the one in which that action opened; the config comes along."""
    key = await opened(store)
    await turn(store, key, "m1")
    await turn(store, key, "m2", instances=(instance("ai_2", 1),))
    tried = replace(TRIED, action_id="a2")
    made = (await forked(store, key, replacement=tried)).session
    assert await texts(store, made.key) == ["question 1", "m1", "re m1"]
    assert made.replacements == (tried,)
    await accept(store, made.key, "m2")
    assert (await begun(store, made.key)).replacements == (tried,)


async def test_an_action_of_the_opening_turn_is_tried_from_the_start(store: Store) -> None:
    """Nothing was said before it."""
    key = await opened(store, variables=(variable("mood", 1),))
    await turn(store, key, "m1", **writes(variable("mood", 2)))
    made = (await forked(store, key, replacement=TRIED)).session
    assert (made.opened, made.last_sequence, made.forked_from_turn_id) == (False, 0, "")
    assert made.position == ExecutionPosition()
    assert [each.value for each in await store.list_variables(made.key)] == [1]
    assert (await opening(store, made.key)).replacements == (TRIED,)


async def test_a_fork_of_a_fork_keeps_what_is_tried(store: Store) -> None:
    """The last config of an action counts, others stay."""
    key = await opened(store)
    one = await forked(store, key, replacement=TRIED)
    other = replace(TRIED, action_id="a2")
    two = await forked(store, one.session.key, "f2", replacement=other)
    anew = replace(TRIED, config={"content": "!"})
    three = await forked(store, two.session.key, "f3", replacement=anew)
    assert three.session.replacements == (anew, other)
    assert (await store.get_session(key)).replacements == ()
