"""Histories: operations, snapshots, definitions and exits, paged (document 001, 2.3 and 3.2.3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.domain.events import ScopeLeft, StrategyDecided
from heartrule.domain.exits import DecisionSource, ExitDecision, ExitReason
from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import (
    DefinitionOrigin,
    ScopeSnapshot,
    VariableDefinition,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
)
from session_store.ports import Store
from session_store.records import Page, StepCommit
from tests.support.store_builders import accept, begun, created, judged, last_step, opened
from tests.support.strategies import decision

TOPIC = VariableScope.TOPIC
ALL = Page(size=100)


async def turn(store: Store, key: SessionKey, **changes: object) -> None:
    """Run a turn of one step that holds the changes."""
    sequence = (await store.get_session(key)).last_sequence
    await accept(store, key, f"m{sequence}")
    snapshot = await begun(store, key)
    step: StepCommit = replace(last_step(snapshot), **changes)  # type: ignore[arg-type]  # fields
    await store.commit_step(snapshot.lease, step)


def wrote(name: str, value: int) -> VariableOperation:
    """Return the operation of a write."""
    return VariableOperation(
        action_id="ask",
        operation=VariableOperationKind.EXTRACT,
        variable_name=name,
        scope=TOPIC,
        scope_id="t1",
        value=value,
    )


async def test_operations_come_in_pages(store: Store) -> None:
    """Every operation of every turn is listed once, oldest first, with its time."""
    key = await opened(store)
    await turn(store, key, operations=(wrote("x", 1), wrote("y", 2)))
    await turn(store, key, operations=(wrote("x", 3),))
    first, token = await store.list_operations(key, Page(size=2))
    rest, end = await store.list_operations(key, Page(size=2, token=token))
    assert [each.value for each in (*first, *rest)] == [1, 2, 3]
    assert all(each.timestamp is not None for each in (*first, *rest))
    assert (bool(token), end) == (True, "")


async def test_the_latest_operations_of_names(store: Store) -> None:
    """Of each name asked for the newest few come, newest first."""
    key = await opened(store)
    for value in range(4):
        await turn(store, key, operations=(wrote("x", value), wrote("y", value)))
    found = await store.latest_operations(key, ["x", "none"], most=3)
    assert [(each.variable_name, each.value) for each in found] == [("x", 3), ("x", 2), ("x", 1)]


async def test_a_snapshot_keeps_what_a_scope_held(store: Store) -> None:
    """A scope that was left is listed with its values, its turn and its time."""
    key = await opened(store)
    left = ScopeSnapshot(scope=TOPIC, scope_id="t1", variables={"x": 0, "名": "小李"})
    await turn(store, key, scopes_left=(left, ScopeSnapshot(scope=VariableScope.PHASE)))
    first, second = (await store.list_snapshots(key, ALL))[0]
    assert first.turn_id == second.turn_id != ""
    assert replace(first, turn_id="", create_time=None) == left
    assert (first.create_time is not None, second.variables) == (True, {})


async def test_leaving_a_scope_is_told(store: Store) -> None:
    """The event names the scope and what was deleted, live and replayed alike, without values."""
    key = await opened(store)
    left = ScopeSnapshot(scope=TOPIC, scope_id="t1", variables={"x": 1, "y": 2})
    await turn(store, key, scopes_left=(left,))
    told = [each.body for each in await store.read_events(key, 0)]
    assert ScopeLeft(scope=TOPIC, scope_id="t1", cleaned_variables=("x", "y")) in told


async def test_definitions_stay_as_first_made(store: Store) -> None:
    """A session's definitions are those it began with and those registered; none is replaced."""
    declared = VariableDefinition(name="a", scope=VariableScope.SESSION, define="甲", type="number")
    key = await opened(store, definitions=(declared,))
    registered = VariableDefinition(
        name="b", scope=TOPIC, scope_id="t1", origin=DefinitionOrigin.REGISTERED, source="ask"
    )
    await turn(store, key, definitions=(registered, replace(declared, define="乙")))
    found = await store.list_definitions(key)
    assert [replace(each, create_time=None) for each in found] == [declared, registered]
    assert all(each.create_time for each in found)


async def test_exits_are_the_judged_rounds(store: Store) -> None:
    """A round with a decision is an entry, also one that goes on; an opening is none."""
    key = await opened(store)
    stay = replace(
        judged(1),
        exit_decision=ExitDecision(should_exit=False),
        exit_reason=ExitReason.OFF_TOPIC,
        max_rounds=3,
    )
    leave = ExitDecision(should_exit=True, reason="够了", decision_source=DecisionSource.EXIT_FLAG)
    await turn(store, key, result=replace(stay, exit_decision=None))
    await turn(store, key, result=stay)
    await turn(store, key, result=replace(stay, round=2, exit_decision=leave))
    found, _ = await store.list_exits(key, ALL)
    assert [(each.round, each.decision, each.max_rounds) for each in found] == [
        (1, stay.exit_decision, 3),
        (2, leave, 3),
    ]
    assert found[0].exit_reason is ExitReason.OFF_TOPIC
    assert await store.last_exit(key) == found[1]


async def test_strategies_come_in_pages(store: Store) -> None:
    """Each recommendation is listed once, oldest first, as it was told, with its time."""
    key = await opened(store)
    for number in (1, 2, 3):
        await turn(store, key, strategy=decision(number))
    first, token = await store.list_strategies(key, Page(size=2))
    rest, end = await store.list_strategies(key, Page(size=2, token=token))
    listed = [*first, *rest]
    assert [replace(each, timestamp=None) for each in listed] == [decision(n) for n in (1, 2, 3)]
    assert (all(each.timestamp for each in listed), end) == (True, "")
    told = [each.body for each in await store.read_events(key, 0)]
    assert [StrategyDecided(strategy_decision=each) for each in listed] == [
        each for each in told if isinstance(each, StrategyDecided)
    ]


async def test_metrics_are_those_of_the_judged_rounds(store: Store) -> None:
    """Words, suggestion and action type of each, oldest first, in pages (document 000)."""
    key = await opened(store)
    stay = ExitDecision(should_exit=False)
    for number in (1, 2, 3):
        await turn(store, key, result=judged(number, exit_decision=stay))
    await turn(store, key, result=judged(4))
    first, token = await store.list_metrics(key, Page(size=2))
    rest, end = await store.list_metrics(key, Page(size=2, token=token))
    told = [(each.round, each.action_type, each.metrics) for each in [*first, *rest]]
    assert told == [(n, "ai_ask", judged(n).metrics) for n in (1, 2, 3)]
    assert (all(each.timestamp for each in [*first, *rest]), end) == (True, "")


async def test_nothing_was_judged_yet(store: Store) -> None:
    """Before the first decision there is no last one and no history."""
    key = await created(store)
    assert await store.last_exit(key) is None
    assert await store.list_exits(key, ALL) == ([], "")


@pytest.mark.parametrize(
    "method",
    [
        *("list_operations", "list_snapshots", "list_exits", "list_metrics"),
        *("list_strategies", "list_feedback"),
    ],
)
async def test_a_token_of_nothing_is_refused(store: Store, method: str) -> None:
    """A page token that this list never gave is an error, not an empty page."""
    key = await opened(store)
    with pytest.raises(InvalidRequest):
        await getattr(store, method)(key, Page(token="999"))


async def test_a_deleted_session_has_no_histories(store: Store) -> None:
    """Erasing takes operations, snapshots and definitions, and further reads find nothing."""
    key = await opened(store)
    left = ScopeSnapshot(scope=TOPIC, scope_id="t1", variables={"x": 1})
    await turn(store, key, operations=(wrote("x", 1),), scopes_left=(left,))
    await store.delete_session(key)
    reads: list[Callable[[], Awaitable[object]]] = [
        lambda: store.list_definitions(key),
        lambda: store.last_exit(key),
        lambda: store.list_operations(key, ALL),
        lambda: store.list_snapshots(key, ALL),
    ]
    for read in reads:
        with pytest.raises(NotFound):
            await read()
