"""Ends of runs are taken up with a turn's first step, or not at all."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from executor_service.decisions.run_results import RunResult
from executor_service.engine.run_turn import run_turn
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunState
from session_store.records import TurnSnapshot
from tests.support.engine_builders import (
    NOW,
    RecordingSink,
    ask,
    engine_deps,
    heard,
    script,
    waiting_at,
)
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.nothing_wired import RefusedRuns

SCRIPT = script(ask(), ask("more"))
ENDED = RunResult(
    run_id="run_1",
    workflow_id="sum",
    name="写小结",
    state=RunState.COMPLETED,
    lands_in="小结",
    outputs={"write": "睡得晚"},
    end_time=NOW,
)


@dataclass
class EndedRuns(RefusedRuns):
    """Runs that ended, and how often somebody looked."""

    found: Collection[RunResult] = (ENDED,)
    looks: list[SessionKey] = field(default_factory=list)

    async def ended(self, key: SessionKey) -> tuple[RunResult, ...]:
        """Return them."""
        self.looks.append(key)
        return tuple(self.found)


def answering(**changes: Any) -> TurnSnapshot:
    """Return a turn that answers, before which a run ended."""
    return waiting_at(SCRIPT, inputs=(heard("小明"),), **{"runs_waiting": 1, **changes})


async def run(snapshot: TurnSnapshot, runs: EndedRuns) -> RecordingSink:
    """Run a turn of one model call."""
    sink = RecordingSink()
    model = FakeModel([ask_reply("好的，还有呢？")])
    await run_turn(snapshot, SCRIPT, engine_deps(model, runs=runs), sink)
    return sink


async def test_a_turn_before_which_no_run_ended_reads_nothing() -> None:
    """The session's row says how many wait."""
    runs = EndedRuns()
    sink = await run(answering(runs_waiting=0), runs)
    assert (runs.looks, sink.steps[0].runs_taken_up) == ([], ())


async def test_the_first_step_takes_the_end_up_with_its_variable() -> None:
    """Both or none: the next attempt of a turn that dies before finds the end waiting."""
    sink = await run(answering(), EndedRuns())
    (first,) = sink.steps
    assert first.runs_taken_up == ("run_1",)
    (landed,) = (each for each in first.variables if each.name == "小结")
    assert (landed.value, landed.source) == ("睡得晚", "run_1/write")


async def test_a_turn_that_committed_a_step_takes_nothing_up() -> None:
    """What ended behind its first step waits for the next turn."""
    runs = EndedRuns()
    sink = await run(answering(steps=1), runs)
    assert (runs.looks, sink.steps[0].runs_taken_up) == ([], ())
