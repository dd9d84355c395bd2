"""What a turn costs the database: few statements, as many in a long session as in a short one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from session_store.records import StepCommit, TurnSnapshot
from session_store.sql.postgres_line import Line
from session_store.sql.store import SqlStore
from tests.support.statements import watched
from tests.support.store_builders import (
    LONG,
    accept,
    advice,
    advised,
    analysed,
    at_round,
    begun,
    call,
    instance,
    judged,
    last_step,
    opened,
    said,
    ticket,
    user_input,
    variable,
)
from tests.support.stores import postgres_store, sqlite_store

T = TypeVar("T")
MOST = {"accept": 5, "begin": 11, "at once": 11, "commit": 14, "analysis": 15}
"""Statements, BEGIN and COMMIT aside: a turn that writes whatever a turn may write."""
FEWEST = 4
"""Fewer were not counted."""
PLAIN = {"at once": 4, "commit": 7}
"""Of a turn of one step in which a question is asked anew. To raise it is a decision."""
OVERTAKEN = {
    ("itself", "advice unused"): {"at once": 4, "commit": 8},
    ("itself", "its advice superseded"): {"at once": 4, "commit": 12},
    ("another", "advice unused"): {"at once": 4, "commit": 12},
    ("another", "its advice superseded"): {"at once": 4, "commit": 14},
}
"""Of one that asks for an analysis while that of the turn before ends in advice: who ended it,
and whether the turn's own prompt held the advice before."""


class Counted:
    """Counts the statements of calls by their name."""

    def __init__(self) -> None:
        self.by_name: Counter[str] = Counter()
        self.now = ""

    async def of(self, name: str, call: Awaitable[T]) -> T:
        self.now = name
        try:
            return await call
        finally:
            self.now = ""

    def note(self, _text: str, _values: object) -> None:
        self.by_name[self.now] += 1


@pytest.fixture(params=["sqlite", "postgresql"])
async def counted_store(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[SqlStore, Counted]]:
    """Give a store whose statements are counted."""
    counted = Counted()
    with watched(counted.note):
        kind = sqlite_store(tmp_path) if request.param == "sqlite" else postgres_store()
        async with kind as store:
            yield store, counted


def everything(snapshot: TurnSnapshot, number: int) -> StepCommit:
    """Return a step that writes whatever a step of one action may write."""
    name = f"ai_{number}"
    operation = VariableOperation(
        action_id="a1",
        operation=VariableOperationKind.EXTRACT,
        variable_name="x",
        scope=VariableScope.SESSION,
        value="words",
    )
    return last_step(
        snapshot,
        said("one"),
        said("two"),
        position=replace(at_round(1), action_instance_id=name),
        instances=(instance(name), instance(f"{name}_next", 1)),
        variables=(variable("x", "words"), variable("y", "words")),
        operations=(operation, operation),
        result=judged(number),
        monitor_requested=True,
        calls=(call(), call()),
        advice_consumed=snapshot.advice.advice_id if snapshot.advice else "",
    )


async def turn(store: SqlStore, counted: Counted, key: SessionKey, number: int) -> None:
    """Run a turn with its analysis."""
    await counted.of("accept", accept(store, key, f"m{number}"))
    snapshot = await counted.of("begin", begun(store, key))
    await counted.of("commit", store.commit_step(snapshot.lease, everything(snapshot, number)))
    await counted.of("analysis", advised(store, number))
    sent = user_input(f"n{number}")
    both = store.accept_and_begin(key, sent, owner="me", ttl=LONG)
    _, after = await counted.of("at once", both)
    assert isinstance(after, TurnSnapshot)
    await store.commit_step(after.lease, last_step(after, position=after.position))


async def test_a_turn_takes_few_statements(counted_store: tuple[SqlStore, Counted]) -> None:
    """Accepting, beginning, committing and analysing stay within their counts."""
    store, counted = counted_store
    await turn(store, counted, await opened(store), 1)
    found = {name: counted.by_name[name] for name in MOST}
    assert all(FEWEST <= found[name] <= most for name, most in MOST.items()), found


async def test_a_long_session_costs_what_a_short_one_does(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """The thirtieth turn takes as many statements as the third."""
    store, counted = counted_store
    key, third = await opened(store), Counter[str]()
    for number in range(1, 31):
        counted.by_name.clear()
        await turn(store, counted, key, number)
        third = third or (Counter(counted.by_name) if number == 3 else third)
    assert {name: counted.by_name[name] for name in MOST} == {name: third[name] for name in MOST}


async def test_a_plain_turn_takes_this_many_statements(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """Its number is pinned, at the tenth turn and at the hundredth, on both databases."""
    store, counted = counted_store
    key, found = await opened(store), []
    for number in range(1, 101):
        counted.by_name.clear()
        await plain_turn(store, counted, key, number)
        found += [dict(counted.by_name)] if number in {10, 100} else []
    assert found == [PLAIN, PLAIN]


async def plain_turn(store: SqlStore, counted: Counted, key: SessionKey, number: int) -> None:
    """Run a turn of one step: a message, a round judged, one model call."""
    both = store.accept_and_begin(key, user_input(f"m{number}"), owner="me", ttl=LONG)
    _, snapshot = await counted.of("at once", both)
    assert isinstance(snapshot, TurnSnapshot)
    await counted.of("commit", store.commit_step(snapshot.lease, plain_step(snapshot, number)))
    del counted.by_name[""]


def plain_step(snapshot: TurnSnapshot, number: int) -> StepCommit:
    """Return a step that asks anew and is judged."""
    return last_step(
        snapshot,
        said("one"),
        position=at_round(number),
        instances=(instance("ai_1"),),
        result=judged(number),
        calls=(call(),),
    )


@pytest.mark.parametrize(("case", "statements"), OVERTAKEN.items(), ids=str)
async def test_an_analysis_that_ends_within_a_turn_makes_nobody_read_the_session(
    counted_store: tuple[SqlStore, Counted], case: tuple[str, str], statements: dict[str, int]
) -> None:
    """Ended by another process it costs the step a look; the next turn begins as ever."""
    store, counted = counted_store
    key, (by, used) = await opened(store), case
    mind = store if by == "itself" else SqlStore(store._engine)
    for number in range(1, 11):
        counted.by_name.clear()
        both = store.accept_and_begin(key, user_input(f"m{number}"), owner="me", ttl=LONG)
        _, snapshot = await counted.of("at once", both)
        assert isinstance(snapshot, TurnSnapshot)
        if number > 1:
            await advised(mind, number - 1)
        step = replace(plain_step(snapshot, number), monitor_requested=True)
        if used == "its advice superseded" and snapshot.advice is not None:
            step = replace(step, advice_consumed=snapshot.advice.advice_id)
        await counted.of("commit", store.commit_step(snapshot.lease, step))
        del counted.by_name[""]
    assert dict(counted.by_name) == statements


@pytest.mark.parametrize("rounds_behind", [0, 1])
@pytest.mark.parametrize(("advised_so", "statements"), [(False, 3), (True, 6)])
async def test_an_analysis_takes_this_many_statements(
    counted_store: tuple[SqlStore, Counted],
    *,
    advised_so: bool,
    statements: int,
    rounds_behind: int,
) -> None:
    """Of the last round or an earlier one, it reads nothing but the advice it may replace."""
    store, counted = counted_store
    key, turns = await opened(store), [""]
    for number in range(1, 5):
        counted.by_name.clear()
        both = store.accept_and_begin(key, user_input(f"m{number}"), owner="me", ttl=LONG)
        _, snapshot = await both
        assert isinstance(snapshot, TurnSnapshot)
        turns.append(snapshot.turn_id)
        plain = plain_step(snapshot, number)
        step = replace(plain, monitor_requested=True, monitor_owner="me", monitor_ttl=LONG)
        await store.commit_step(snapshot.lease, step)
        about = number - rounds_behind
        given = advice(f"adv_{about}", about) if advised_so else None
        if about:
            ended = analysed(ticket(about), given, judged_turn_id=turns[about])
            await counted.of("analysis", store.finish_analysis(ended))
    assert counted.by_name["analysis"] == statements


async def test_a_plain_turn_is_four_exchanges_on_postgresql(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In each of its transactions the row is taken, then all is written, COMMIT with it."""
    sent, once = Counter[str](), Line._exchange

    def exchange(line: Line, end: bytes = b"") -> Any:
        sent["exchanges"] += 1
        sent[end.decode()] += 1
        return once(line, end)

    monkeypatch.setattr(Line, "_exchange", exchange)
    async with postgres_store() as store:
        key = await opened(store)
        for number in (1, 2):
            sent.clear()
            await plain_turn(store, Counted(), key, number)
    assert (sent["exchanges"], sent["COMMIT"]) == (4, 2)


async def test_an_analysis_and_an_input_that_meet_read_nothing_anew(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """Of one process one waits for the other, and goes by what that one left."""
    store, counted = counted_store
    key, snapshot = await opened(store), None
    for number in range(1, 4):
        counted.by_name.clear()
        both = store.accept_and_begin(key, user_input(f"m{number}"), owner="me", ttl=LONG)
        if snapshot is not None:
            ended = analysed(ticket(number - 1), None, judged_turn_id=snapshot.turn_id)
            meeting = asyncio.gather(store.finish_analysis(ended), both)
            (_, (_, begun_now)) = await counted.of("both", meeting)
        else:
            _, begun_now = await both
        assert isinstance(begun_now, TurnSnapshot)
        snapshot = begun_now
        step = replace(plain_step(snapshot, number), monitor_requested=True, monitor_owner="me")
        await store.commit_step(snapshot.lease, replace(step, monitor_ttl=LONG))
    assert counted.by_name["both"] == 3 + PLAIN["at once"]
