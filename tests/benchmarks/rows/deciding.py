"""What the gate takes to judge, and what a step of an agent costs beside one of ai_think."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median

from executor_service.decisions.coordinator import judge
from executor_service.decisions.ground import Ground
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.policy import NO_POLICY
from executor_service.settings import DecisionSettings
from executor_service.workflows.sql import check_sql
from heartrule.chassis.lifecycle import warm_up
from heartrule.chassis.worker_pool import WorkerPool
from heartrule.domain.decisions import Decision, DecisionType
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import MOST_NODES, SandboxTier
from tests.benchmarks.bench_processes import BenchProcesses
from tests.benchmarks.figures import Spread
from tests.benchmarks.goals import Row, at_most, no_limit
from tests.benchmarks.rows.row_parts import Progress, Size
from tests.support.agent_talk import answers, respond, thought
from tests.support.fake_model import FakeModel
from tests.support.gate_ground import a_decision
from tests.support.harness import harness_of
from tests.support.large_plans import chain_of, heaviest_plan, long_query, plan_of_long_code
from tests.support.large_talks import LARGE_TALKS
from tests.support.scenes import script_under_test
from tests.support.scripts import topic_script

_GROUND = Ground(sandboxes=frozenset(SandboxTier))
_PLAN = DecisionType.CREATE_WORKFLOW_PLAN
_FEW = 10
_QUERY = 200
_TICK_S = 0.001
# So many that the rest of the turn does not count.
_STEPS = 12
_VALUES = '{"variables": {"mood": "calm"}}'
_THINK = "{action_type: ai_think, action_id: t%d, goal: think, output: [{get: mood, define: mood}]}"
_SAY = "{action_type: ai_say, action_id: say, content: Hello, require_acknowledgment: false}"
_AGENT = "{action_type: ai_agent, action_id: talk, goal: think, max_decisions: 20}"


async def measure(_processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Judge plans and a query, then let agents and scripts that think take turns."""
    progress("judging plans")
    times = size.of(200, 40)
    plans = {number: chain_of(number) for number in (_FEW, MOST_NODES)}
    judged = {number: _cpu_ms(partial(_judge, plan), times) for number, plan in plans.items()}
    parsed = {
        number: _cpu_ms(partial(json.loads, json.dumps(plan)), times)
        for number, plan in plans.items()
    }
    query = _cpu_ms(partial(check_sql, long_query(_QUERY), "query"), times)
    beside = JudgingBeside(WorkerPool(DecisionSettings().limits))
    warm_up()  # as a service does
    stalls = [
        min([await _stall_ms(beside, payload) for _ in range(3)])
        for payload in (heaviest_plan(), plan_of_long_code(), *(e() for e in LARGE_TALKS.values()))
    ]
    progress("steps of an agent")
    steps = [await _over_thinking() for _ in range(size.of(40, 10))]
    return Row(
        title="decisions of agents, one core",
        goals=[
            at_most(f"judging a plan of {_FEW} nodes", 2.0, judged[_FEW], "ms"),
            at_most(f"judging a plan of {MOST_NODES} nodes", 10.0, judged[MOST_NODES], "ms"),
            at_most("judging an SQL text", 5.0, query, "ms"),
            at_most("stall of the event loop, largest payloads", 50.0, max(stalls), "ms"),
            at_most("CPU of a step of ai_agent over one of ai_think", 1.3, Spread.of(steps)),
            *(
                no_limit(f"judging {number} nodes over parsing them", judged[number] / each)
                for number, each in parsed.items()
            ),
        ],
    )


def _judge(plan: JsonValue) -> None:
    decision = Decision(decision_id="d", correlation_id="c", decision_type=_PLAN, payload=plan)
    assert judge(decision, _GROUND).is_valid


def _cpu_ms(work: Callable[[], object], times: int) -> float:
    """Return the median of a thread's own CPU time; the first time loads what it needs."""
    work()
    found = []
    for _ in range(times):
        before = time.thread_time()
        work()
        found.append(time.thread_time() - before)
    return 1000 * median(found)


async def _stall_ms(beside: JudgingBeside, payload: Mapping[str, JsonValue]) -> float:
    """Return the CPU of this process that judging takes before the loop has its turn."""
    decision = a_decision(payload, confidence=0.5)
    judging = asyncio.ensure_future(beside.judged(decision, _GROUND, NO_POLICY))
    longest, last = 0.0, time.process_time()
    while not judging.done():
        await asyncio.sleep(_TICK_S)
        now = time.process_time()
        longest, last = max(longest, now - last), now
    await judging
    return 1000 * longest


async def _over_thinking() -> float:
    """Return what a further step costs an agent, over what a further ai_think costs."""
    says = json.dumps({"content": "Hello.", "EXIT": "YES"})
    thinks = [
        await _opening_s(
            topic_script(*(_THINK % each for each in range(steps)), _SAY), [_VALUES] * steps, says
        )
        for steps in (1, 1 + _STEPS)
    ]
    agent = [
        await _opening_s(topic_script(_AGENT), [answers(thought())] * steps, answers(respond("Hi")))
        for steps in (1, 1 + _STEPS)
    ]
    return (agent[1] - agent[0]) / (thinks[1] - thinks[0])


async def _opening_s(script: str, replies: list[str], last: str) -> float:
    """Return the CPU time of a session's opening turn."""
    harness = harness_of(FakeModel([*replies, last]))
    await harness.create_session(script_under_test(script))
    before = time.process_time()
    await harness.initialize()
    spent = time.process_time() - before
    await harness.aclose()
    return spent
