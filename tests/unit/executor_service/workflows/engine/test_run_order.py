"""The order of a run's nodes: edges, joins, four at once, the turns of a loop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from executor_service.workflows.engine.driver_ports import PlainSteps
from executor_service.workflows.engine.run_driver import drive
from heartrule.domain.runs import RunState
from heartrule.domain.workflows import Edge, NodeType
from tests.support.driven_runs import RunWorld
from tests.support.workflow_builders import a_loop, a_node, a_plan
from tests.support.written_nodes import DyingStore


async def test_a_node_begins_once_all_before_it_ended(world: RunWorld) -> None:
    """Both ways to the last node have ended before it begins, and each node runs once."""
    plan = a_plan(*(a_node(each) for each in "abcd"), edges=["a>b", "a>c", "b>d", "c>d"])
    run = await world.run(plan)
    assert run.state is RunState.COMPLETED
    assert world.nodes.paths[0] == "a"
    assert world.nodes.paths[3:] == ["d"]


async def test_one_way_is_enough(world: RunWorld) -> None:
    """A node behind a way that is closed runs where another way to it is open."""
    closed = Edge(source="a", target="b", condition="false")
    plan = a_plan(*(a_node(each) for each in "abc"), edges=[closed, "b>c", "a>c"])
    run = await world.run(plan)
    assert await world.states(run.run_id) == {
        "a": "completed",
        "b": "skipped",
        "c": "completed",
    }


async def test_conditions_of_edges_are_computed_beside_the_loop(world: RunWorld) -> None:
    """A thousand edges may have one each."""
    beside: list[str] = []

    async def noted(work: Callable[..., Any], /, *args: object) -> Any:
        beside.append(work.__name__)
        return work(*args)

    run_id = await world.queue(a_plan(a_node("a"), a_node("b"), edges=["a>b"]))
    ports = replace(world.ports(), beside=noted)
    await drive(run_id, ports, owner="w1", steps=PlainSteps(), leaving=world.leaving)
    assert beside.count("next_steps") >= 3


async def test_what_is_skipped_is_written_where_nothing_begins_any_more(world: RunWorld) -> None:
    """The end of the run carries what is known of nodes that no later node could carry."""
    closed = Edge(source="a", target="b", condition="${a.output.nothing} > 1")
    run = await world.run(a_plan(a_node("a"), a_node("b"), edges=[closed]))
    skipped = (await world.progress(run.run_id)).nodes["b"]
    assert run.state is RunState.COMPLETED
    assert (skipped.attempt, skipped.failed_conditions) == (0, ("a->b",))


async def test_four_nodes_run_at_once(world: RunWorld) -> None:
    """A fifth node that could begin waits for one of the four to end."""
    gate = asyncio.Event()
    world.nodes.gates = dict.fromkeys("abcdef", gate)
    run = asyncio.ensure_future(
        world.run(a_plan(*(a_node(each, NodeType.START) for each in "abcdef")))
    )
    while len(world.nodes.running) < 4:
        await asyncio.wait({run}, timeout=0.01)
    gate.set()
    assert (await run).state is RunState.COMPLETED
    assert world.nodes.most_at_once == 4


class CountingStore:
    """The store, which counts how many writes of nodes are under way."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.now = self.most = 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        return self._counted(method) if name in {"begin_node", "end_node"} else method

    def _counted(self, method: Any) -> Any:
        async def write(*args: Any) -> Any:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0)
            try:
                return await method(*args)
            finally:
                self.now -= 1

        return write


async def test_nodes_are_written_one_at_a_time(world: RunWorld) -> None:
    """However many run, what a turn writes waits behind one of them at most."""
    store = CountingStore(DyingStore(world.store))
    run_id = await world.queue(a_plan(*(a_node(each, NodeType.START) for each in "abcd")))
    await world.drive(run_id, store=store)
    assert (await world.kept(run_id)).state is RunState.COMPLETED
    assert store.most == 1


async def test_a_loop_runs_its_body_for_each_item(world: RunWorld) -> None:
    """The nodes of the body run in order, each turn behind the one before."""
    body = (
        a_node("x", NodeType.PYTHON, inputs={"item": "${item}"}),
        a_node("y", NodeType.PYTHON, inputs={"x": "${x.output.n}", "at": "${index}"}),
    )
    run = await world.run(a_plan(a_loop("l", *body, items=[7, 8])))
    loop = (await world.progress(run.run_id)).nodes["l"]
    assert world.nodes.paths == ["l/0/x", "l/0/y", "l/1/x", "l/1/y"]
    assert world.nodes.ran[3].inputs == {"x": "l/1/x", "at": 1}
    assert loop.output == {"items": [{"n": "l/0/y"}, {"n": "l/1/y"}], "count": 2}


async def test_a_loop_over_no_list_fails(world: RunWorld) -> None:
    """Items that are no list are the failure of the loop itself."""
    run = await world.run(a_plan(a_loop("l", a_node("x"), items="${input.many}"), inputs={}))
    assert run.state is RunState.FAILED
    assert world.recoverer.decided == ["l ABORT"]


class Asked:
    """A store of which each call, a transaction of its own, is noted."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.calls = Counter[str]()

    def __getattr__(self, name: str) -> Any:
        self.calls[name] += 1
        return getattr(self._store, name)


async def test_a_node_takes_two_transactions(world: RunWorld) -> None:
    """Its beginning and its end; an HTTP or LLM node counts beside them what it spends."""
    spent: list[Counter[str]] = []
    for ids in ("a", "abcd"):
        edges = [f"{one}>{two}" for one, two in pairwise(ids)]
        run_id = await world.queue(a_plan(*map(a_node, ids), edges=edges))
        store = Asked(DyingStore(world.store))
        await world.drive(run_id, store=store)
        spent.append(store.calls)
    one, four = spent
    assert four - one == Counter(begin_node=3, end_node=3)
