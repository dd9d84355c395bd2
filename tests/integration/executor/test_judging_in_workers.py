"""Decisions are judged in worker processes: nobody else waits, and none takes for ever."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import aio

from executor_service.decisions.ground import Ground
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.policy import NO_POLICY
from heartrule.chassis.lifecycle import warm_up
from heartrule.chassis.worker_pool import WorkerLimits, WorkerPool
from heartrule.domain.decision_events import DecisionMade, DecisionRejected
from heartrule.domain.decisions import FindingCode
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import Outcome, TurnEnded
from heartrule.v1 import decision_pb2
from heartrule.v1 import decision_request_pb2 as pb
from tests.support.agent_talk import answers, node, respond
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel
from tests.support.gate_ground import a_decision, a_new_node
from tests.support.judges import BUSY, LATE, FailingPool
from tests.support.judging_tasks import Deadly, DeadlyOnce, Endless, imported_to_judge
from tests.support.large_plans import heaviest_plan
from tests.support.large_talks import LARGE_TALKS
from tests.support.scripts import topic_script
from tests.support.submissions import WRITER, around, begun, decisions, submit

LONG_S = 60.0
TIMES, TICK_S = 3, 0.001
LONGEST_S = 0.05
"""Seconds of the processor; one of three times, since other work shares its caches."""
AGENT = topic_script(
    "{action_type: ai_agent, action_id: talk, goal: 陪他谈谈, "
    "allowed_decisions: [respond, create_node]}"
)
HELLO = answers(respond("你好。", intent="greeting"), intent="greeting")
DRAFTED = answers(node("写小结"), intent="complex_task")
DONE = answers(respond("写好了。"))


def judging(limit_s: float = LONG_S) -> JudgingBeside:
    """Return what judges in one worker."""
    return JudgingBeside(WorkerPool(WorkerLimits(limit_s=limit_s, wait_s=LONG_S, at_once=1)))


@pytest.fixture
def as_a_service() -> Iterator[None]:
    """Collect garbage as a service does; the collector's settings are restored."""
    threshold = gc.get_threshold()
    warm_up()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


class Ticking:
    """Looks every millisecond how much processor time has passed, in all threads.

    That of others counts, as one that holds the interpreter holds up the loop. The loop rests in
    between: a worker yields to its parent, and would not come to its end beside a busy one.
    """

    def __init__(self) -> None:
        self.longest, self._last = 0.0, time.process_time()
        self._next = asyncio.get_running_loop().call_soon(self.tick)

    def tick(self) -> None:
        """Note how long the loop had no turn."""
        now = time.process_time()
        self.longest, self._last = max(self.longest, now - self._last), now
        self._next = asyncio.get_running_loop().call_later(TICK_S, self.tick)

    def stop(self) -> float:
        """Return the longest time."""
        self.tick()
        self._next.cancel()
        return self.longest


async def longest_stall(beside: JudgingBeside, payload: Any) -> float:
    """Return the processor time that passes at most before the loop has its turn."""
    decision, ticking = a_decision(payload, confidence=0.5), Ticking()
    await beside.judged(decision, Ground(), NO_POLICY)
    return ticking.stop()


@pytest.mark.usefixtures("as_a_service")
async def test_no_payload_of_a_talk_holds_the_loop() -> None:
    """However large, of however many values, and whatever is wrong with it."""
    beside, held = judging(), {}
    for name, make in LARGE_TALKS.items():
        for _ in range(TIMES):
            held[name] = await longest_stall(beside, make())
            if held[name] <= LONGEST_S:
                break
    assert {name: stall for name, stall in held.items() if stall > LONGEST_S} == {}


async def test_a_decision_that_is_never_judged_to_its_end_is_rejected() -> None:
    """Its worker is killed at the limit, and the next decision has another one."""
    beside = judging(limit_s=0.3)
    endless = a_decision(a_new_node("LLM", prompt=Endless()))
    found = await beside.judged(endless, Ground(), NO_POLICY)
    assert [each.code for each in found.verdict.errors] == [FindingCode.VALIDATOR_ERROR]
    assert (await judging().judged(a_decision(WRITER), Ground(), NO_POLICY)).verdict.is_valid


async def test_a_worker_that_dies_while_it_judges_is_replaced(tmp_path: Path) -> None:
    """The next one judges; one decision after which none is left is rejected."""
    once = a_decision(a_new_node("LLM", prompt=DeadlyOnce(str(tmp_path / "died"))))
    assert (await judging().judged(once, Ground(), NO_POLICY)).verdict.is_valid
    deadly = a_decision(a_new_node("LLM", prompt=Deadly()))
    found = await judging().judged(deadly, Ground(), NO_POLICY)
    assert [each.code for each in found.verdict.errors] == [FindingCode.VALIDATOR_ERROR]


async def test_a_worker_imports_little() -> None:
    """One that judged has no server, database or model client in its memory."""
    pool = WorkerPool(WorkerLimits(limit_s=LONG_S, wait_s=LONG_S, at_once=1))
    modules = await pool.run(imported_to_judge)
    heavy = {"grpc", "sqlalchemy", "openai", "aiohttp", "opentelemetry", "opencc", "fastapi"}
    assert heavy.isdisjoint(modules)
    assert "sqlglot" in modules


async def test_an_agent_goes_on_behind_a_decision_that_takes_too_long() -> None:
    """The model is told, decides anew, and the client reads it."""
    model, pool = FakeModel([HELLO, DRAFTED, answers(respond("先不写了。"))]), failing(LATE)
    async with running_executor(Neighbours(model=model, pool=pool)) as running:
        session_id = await greeted(running, pool)
        told = await running.client.send(session_id, "m1", "写个小结")
    (rejected,) = told.of(DecisionRejected)
    assert [each.code for each in rejected.errors] == [FindingCode.VALIDATOR_ERROR]
    assert told.texts() == ["先不写了。"]
    assert "validator_error" in model.last_prompt()


async def test_a_turn_whose_decision_finds_no_worker_may_be_repeated() -> None:
    """It fails as a turn without a model does, and nothing of the step is kept.

    A rejection would count against the agent, and might end its action, for a load that passes.
    """
    model, pool = FakeModel([HELLO, DRAFTED, DRAFTED, DONE]), failing(BUSY)
    async with running_executor(Neighbours(model=model, pool=pool)) as running:
        session_id = await greeted(running, pool)
        failed = await running.client.send(session_id, "m1", "写个小结")
        again = await running.client.send(session_id, "m1", "写个小结")
        kept = await decisions(running, session_id)
    problem = failed.of(TurnEnded)[-1].problem
    assert problem is not None
    assert (problem.reason, failed.of(DecisionMade)) == ("WORKERS_BUSY", [])
    assert (len(kept), again.texts()) == (3, ["写好了。"])


async def test_an_operator_who_finds_busy_workers_may_use_the_id_again() -> None:
    """Nothing is written, so the answer is an error and no rejection."""
    pool = failing(BUSY)
    around_it = replace(around(), pool=pool)
    async with running_executor(around_it) as running:
        session_id = await begun(running)
        pool.times = 1
        with pytest.raises(aio.AioRpcError) as refused:
            await submit(running, session_id, WRITER)
        assert await decisions(running, session_id) == []
        made = await submit(running, session_id, WRITER)
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert made.decision.state == pb.DECISION_STATE_DONE


async def test_the_limit_is_a_setting_and_the_conversation_goes_on() -> None:
    """Through processes: the plan that takes seconds is rejected, and the client is answered."""
    around_it = replace(around(HEARTRULE_DECISION_LIMIT="0.05"), pool=None)
    async with running_executor(around_it) as running:
        session_id = await begun(running)
        answer = await submit(running, session_id, heaviest_plan())
        told = await running.client.send(session_id, "m1", "小明")
    (error,) = answer.decision.verdict.errors
    assert error.code == decision_pb2.FINDING_CODE_VALIDATOR_ERROR
    assert told.of(TurnEnded)[-1].outcome is Outcome.WAITING


def failing(error: HeartRuleError) -> FailingPool:
    """Return a pool that fails as soon as it is told to."""
    return FailingPool(error, times=0)


async def greeted(running: Running, pool: FailingPool) -> str:
    """Return a session whose agent has greeted; from then on the pool fails once."""
    session_id = await running.client.start(AGENT)
    await running.client.initialize(session_id)
    pool.times = 1
    return session_id
