"""What a turn costs the database: few statements, as many in a long session as in a short one."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeState
from heartrule.domain.threads import DEEPEST_THREAD
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from session_store.records import Page, StepCommit, TurnSnapshot
from session_store.records.runs import EndedNode, StartedNode
from session_store.sql.store import SqlStore
from tests.support.statements import watched
from tests.support.store_builders import (
    LONG,
    accept,
    advised,
    at_round,
    begun,
    call,
    instance,
    judged,
    last_step,
    opened,
    said,
    user_input,
    variable,
)
from tests.support.store_decisions import made, revision, turn_with
from tests.support.store_runs import WELL, node, ran, working
from tests.support.store_safety import raised
from tests.support.store_threads import going_on, nested, phase, says, well, wrote
from tests.support.stores import postgres_store, sqlite_store

T = TypeVar("T")
MOST = {"accept": 5, "begin": 11, "at once": 11, "commit": 14, "analysis": 15}
"""Statements, BEGIN and COMMIT aside: a turn that writes whatever a turn may write."""
FEWEST = 4
"""Fewer were not counted."""


class Counted:
    """Counts the statements of calls by their name."""

    def __init__(self) -> None:
        self.by_name: Counter[str] = Counter()
        self.whole: Counter[tuple[int, str, str]] = Counter()
        """With the number of the call and the statement's values."""
        self.now = ""
        self._calls = 0

    async def of(self, name: str, call: Awaitable[T]) -> T:
        self.now = name
        self._calls += 1
        try:
            return await call
        finally:
            self.now = ""

    def note(self, text: str, values: object) -> None:
        self.by_name[self.now] += 1
        if self.now:
            self.whole[self._calls, text, repr(values)] += 1


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


async def test_no_statement_is_repeated(counted_store: tuple[SqlStore, Counted]) -> None:
    """Within a call nothing is read or written twice."""
    store, counted = counted_store
    key = await opened(store)
    for number in range(1, 4):
        await turn(store, counted, key, number)
    repeated = {each: times for each, times in counted.whole.items() if times > 1}
    assert repeated == {}


async def test_a_turn_without_a_decision_asks_for_none(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """No statement of it, or of reading it, names a table of decisions; with one they do."""
    store, counted = counted_store
    key = await opened(store)
    await turn(store, counted, key, 1)
    await counted.of("read", store.read_events(key, 0))
    assert not any(map(_of_decisions, counted.whole))
    await turn_with(store, key, "m9", made(), workflows=(revision(),))
    await counted.of("read", store.read_events(key, 0))
    assert sum(map(_of_decisions, counted.whole)) == 1


def _of_decisions(counted: tuple[int, str, str]) -> bool:
    _, text, _ = counted
    return any(name in text for name in (" decisions", " workflows", "_spending"))


async def test_a_turn_beside_a_run_asks_nothing_of_it(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """While a run works, and once it has ended, a turn names no table of runs."""
    store, counted = counted_store
    key, lease = await working(store)
    await ran(store, lease)
    await turn(store, counted, key, 2)
    await store.finish_run(lease, WELL)
    await turn(store, counted, key, 3)
    assert [text for _, text, _ in counted.whole if _of_runs(text)] == []
    await counted.of("list", store.ended_runs(key))
    assert sum(_of_runs(text) for _, text, _ in counted.whole) == 1


async def test_a_node_takes_few_statements(counted_store: tuple[SqlStore, Counted]) -> None:
    """To begin and to end, each: two reads under the lock, the event, the session, the node."""
    store, counted = counted_store
    _, lease = await working(store)
    for name in ("n0", "n1"):
        begins = StartedNode(record=node(name), inputs={"a": 1})
        await counted.of(f"begin {name}", store.begin_node(lease, begins))
        done = EndedNode(record=node(name, NodeState.COMPLETED, output=[1]))
        await counted.of(f"end {name}", store.end_node(lease, done))
    found = {name: counts for name, counts in counted.by_name.items() if name}
    assert found == {"begin n0": 5, "end n0": 5, "begin n1": 5, "end n1": 5}


def _of_runs(text: str) -> bool:
    return any(name in text for name in (" runs", "node_runs", "run_values", "run_artifacts"))


async def test_a_turn_beside_a_thread_asks_nothing_of_it(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """While an agent works in one, and once it has ended, a turn names no table of threads."""
    store, counted = counted_store
    key, lease, _ = await going_on(store)
    await wrote(store, lease, says(0))
    await turn(store, counted, key, 2)
    await store.finish_thread(lease, well())
    await turn(store, counted, key, 3)
    assert [text for _, text, _ in counted.whole if _of_runs(text) or "sub_thread" in text] == []


async def test_a_checkpoint_takes_few_statements(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """Three reads under the lock, the event, the session, the row: in a long thread and a deep one.

    That is one more than a node's, whose thread is none.
    """
    store, counted = counted_store
    _, lease, _ = await going_on(store)
    deepest = "thr_1"
    for depth in range(2, DEEPEST_THREAD + 1):
        inner = nested(f"thr_{depth}", deepest, f"tm_{depth}", depth)
        await wrote(store, lease, says(depth, deepest, number=0), inner)
        deepest = inner.thread.thread_id
    for number in range(1, 40):
        await wrote(store, lease, says(number + 100, number=number))
    for name, write in (
        ("late", says(999, number=40)),
        ("deep", says(998, deepest, number=0)),
        ("suggestion", phase("plan", "write")),
        ("move", phase("write", None, deepest)),
    ):
        await counted.of(name, wrote(store, lease, write))
    found = {name: counts for name, counts in counted.by_name.items() if name}
    assert found == dict.fromkeys(("late", "deep", "suggestion", "move"), 6)


async def test_a_list_costs_what_its_first_session_costs(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """Sessions with a last message and a place on the crisis path come in one statement."""
    store, counted = counted_store
    for size in (1, 2):
        key = await opened(store, f"s{size}")
        await accept(store, key)
        snapshot = await begun(store, key)
        await store.commit_step(snapshot.lease, last_step(snapshot, said("hello"), safety=raised()))
        listed, _ = await counted.of(f"list {size}", store.list_sessions("t", Page()))
        assert (listed[0].last_ai_message, listed[0].safety.frozen) == ("hello", True)
    assert counted.by_name["list 1"] == counted.by_name["list 2"] == 1


async def test_alerts_cost_what_the_first_of_them_costs(
    counted_store: tuple[SqlStore, Counted],
) -> None:
    """However many are claimed, it takes the clock and two statements."""
    store, counted = counted_store
    key = await opened(store)
    for number in range(3):
        await store.record_refused(key, f"m{number}", raised())
    assert len(await counted.of("claim", store.claim_alerts("me", 9, LONG))) == 3
    assert counted.by_name["claim"] == 3
