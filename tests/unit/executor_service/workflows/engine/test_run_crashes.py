"""A run whose worker dies between any two commits ends as an undisturbed one."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest

from executor_service.conditions.plan import compile_plan_condition
from executor_service.workflows.nodes.node_port import NodeCall
from executor_service.workflows.recovery_plan import RecoveryPlan
from heartrule.domain.runs import NodeFailure, NodeRecord, NodeState, RunErrorCode
from heartrule.domain.workflows import Node, NodeType, Workflow
from tests.support.driven_runs import RunWorld, a_world, until_dead
from tests.support.naive_runs import NaiveRun
from tests.support.run_fates import Fate, random_plan
from tests.support.workflow_builders import a_loop, a_node, a_plan
from tests.support.written_nodes import DyingStore

HERE = "tests/unit/executor_service/workflows/engine/test_run_crashes.py"
BUSY = NodeFailure(code=RunErrorCode.TIMEOUT, message="late", is_retryable=True)
_TWICE = {"max_retries": 2, "retry_delay": 1}
PLAN = a_plan(
    a_node("a"),
    replace(a_node("b"), retry_config=_TWICE),
    replace(a_node("c"), on_failure={"action": "RETRY", "max_attempts": 2, "delay": 1}),
    a_loop("l", replace(a_node("x", inputs={"i": "${item}"}), retry_config=_TWICE), items=[1, 2]),
    a_node("d"),
    edges=["a>b", "a>c", "a>l", "b>d", "c>d", "l>d"],
)
"""A fan, a join, a loop; three of its nodes fail at first."""
MOST_WRITES = 22
DEFAULTS = (
    {"action": "RETRY", "max_attempts": 3, "delay": 1},
    {"action": "SKIP"},
    {"action": "ABORT"},
)
LONG = pytest.mark.long(short=f"{HERE}::test_random_runs_survive_random_deaths[0]")
SEEDS = 50
LATER = [pytest.param(first, marks=LONG) for first in range(SEEDS, 2000, SEEDS)]
"""With the first 2,000 runs in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FateOfNodes(Fate):
    """A fate that leaves loops alone: what they do by themselves is their bodies."""

    loops: frozenset[str]

    def failure(self, path: str, attempt: int) -> NodeFailure | None:
        """Return why an attempt fails; None: it does not."""
        return None if path in self.loops else Fate.failure(self, path, attempt)


async def test_the_plan_has_as_many_commits_as_are_tried() -> None:
    """Every death of the next test comes to pass."""
    world = await a_world()
    world.nodes.does = _at_first
    store = DyingStore(world.store)
    await world.drive(await world.queue(PLAN), store=store)
    assert len(store.writes) == MOST_WRITES
    await world.store.aclose()


@pytest.mark.parametrize("is_written", [False, True], ids=["before", "after"])
async def test_a_run_survives_a_death_at_any_commit(*, is_written: bool) -> None:
    """What had ended does not run again; attempts, keys, outputs are those of a quiet run."""
    quiet = await _played(PLAN, _at_first)
    for commit in range(1, MOST_WRITES + 1):
        world = await a_world()
        world.nodes.does = _at_first
        run_id = await world.queue(PLAN)
        dying = DyingStore(world.store, dies_at=commit, is_written=is_written)
        assert await until_dead(world, run_id, dying, "w1")
        await world.drive(run_id, owner="w2")
        assert await _told(world, run_id) == quiet, commit
        runs = Counter((each.path, each.attempt) for each in world.nodes.ran)
        # Up to four nodes had begun when it died; nothing else runs twice.
        assert sum(runs.values()) <= len(runs) + 4
        await world.store.aclose()


@pytest.mark.parametrize("first", [0, *LATER])
async def test_random_runs_survive_random_deaths(first: int) -> None:
    """States, outputs, attempts and order are those of a plain reading; what ended ran once."""
    seeds = range(first, first + SEEDS)
    wrong = [each for seed in seeds for each in await _differences(seed)]
    assert not wrong, wrong[:3]


async def _differences(seed: int) -> list[str]:
    dice = random.Random(seed)
    plan = _timeless(random_plan(seed))
    loops = frozenset(each.node_id for each in plan.nodes if each.type is NodeType.LOOP)
    fate = FateOfNodes(seed=seed, is_kind=seed % 3 == 0, loops=loops)
    default = dice.choice(DEFAULTS)
    naive = NaiveRun(plan, fate, default).play()
    world = await a_world()
    world.recoverer.default = RecoveryPlan.model_validate(default)
    world.nodes.does = lambda record, call: _fated(fate, record, call)
    run_id = await world.queue(plan)
    for number in range(dice.randint(1, 5)):
        dying = DyingStore(world.store, dies_at=dice.randint(1, 12), is_written=dice.random() < 0.5)
        if not await until_dead(world, run_id, dying, f"w{number}"):
            break
    else:
        await world.drive(run_id, owner="last")
    found = await _told(world, run_id)
    found["outcome"] = str((await world.kept(run_id)).state)
    ended_twice = _ran_after_their_end(world)
    await world.store.aclose()
    return [f"{seed} {what}" for what in (*_unequal(naive, found), *ended_twice)]


def _unequal(naive: NaiveRun, found: dict[str, Any]) -> list[str]:
    """Return in what a run differs from its plain reading.

    Of a run that failed the outcome alone is compared: how far others were by then is chance.
    """
    wanted: dict[str, Any] = {"outcome": naive.outcome}
    if naive.outcome == "completed":
        wanted["states"] = naive.states
        wanted["outputs"] = {
            path: naive.outputs[path] for path, at in naive.states.items() if at == "completed"
        }
        wanted["tried"] = {path: count for path, count in naive.attempts.items() if count}
    return [
        f"{what}: {found[what]} is not {value}"
        for what, value in wanted.items()
        if found[what] != value
    ]


def _ran_after_their_end(world: RunWorld) -> list[str]:
    """Return attempts that ran again after another attempt of their node had followed."""
    newest: Counter[str] = Counter()
    wrong = []
    for each in world.nodes.ran:
        if each.attempt < newest[each.path]:
            wrong.append(f"{each.path} {each.attempt} ran again")
        newest[each.path] = each.attempt
    return wrong


async def _played(plan: Workflow, does: Any) -> dict[str, Any]:
    world = await a_world()
    world.nodes.does = does
    run_id = await world.queue(plan)
    await world.drive(run_id)
    told = await _told(world, run_id)
    await world.store.aclose()
    return told


async def _told(world: RunWorld, run_id: str) -> dict[str, Any]:
    """Return all that is stored of a run's nodes; keys without the run that they name."""
    records = (await world.progress(run_id)).nodes
    return {
        "states": {path: str(each.state) for path, each in records.items()},
        "outputs": {
            path: each.output for path, each in records.items() if each.state is NodeState.COMPLETED
        },
        "tried": {path: each.attempt for path, each in records.items() if each.attempt},
        "attempts": {(each.path, each.attempt) for each in world.nodes.ran},
        "keys": len({each.key for each in world.nodes.ran}),
    }


def _at_first(record: NodeRecord, call: NodeCall) -> object:
    fails = record.path in {"b", "c", "l/1/x"} and record.attempt == 1
    return BUSY if fails else {"n": record.attempt}


def _fated(fate: Fate, record: NodeRecord, call: NodeCall) -> object:
    if not call.config:  # START and END
        return None
    if failure := fate.failure(record.path, record.attempt):
        return failure
    if "expression" not in call.config:
        return fate.output(record.path, call.inputs)
    condition = compile_plan_condition(str(call.config["expression"]))
    values: Any = call.config["values"]
    return {"result": bool(condition.evaluate(values).value)}


def _timeless(plan: Workflow) -> Workflow:
    """Return a plan whose end does not depend on how long its nodes take.

    Whether an alternative has run by the time it is wanted does.
    """
    return replace(plan, nodes=tuple(map(_without_alternative, plan.nodes)))


def _without_alternative(node: Node) -> Node:
    if not node.on_failure:
        return node
    kept = {key: each for key, each in node.on_failure.items() if key != "alternative_node"}
    return replace(node, on_failure=kept)
