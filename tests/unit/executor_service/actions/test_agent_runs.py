"""An agent waits for the run that it began, whichever attempt of its turn does so."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import pytest

from executor_service.decisions.effects import Effect
from executor_service.decisions.judging import Judgement
from executor_service.decisions.run_results import RunResult
from executor_service.decisions.turn_reading import SessionRead
from heartrule.domain.decisions import Decision, Verdict
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunState
from tests.support.agent_talk import AgentTalk, Dying, agent, answers, decision, respond
from tests.support.nothing_wired import RefusedRuns
from tests.support.store_runs import new_run

HELLO = answers(respond("你好。", intent="greeting"), intent="greeting")
EXECUTE = decision("execute_workflow", workflow_id="wf_1", execution_mode="sync")
SYNC = answers(EXECUTE, intent="workflow_request")
DONE = answers(respond("写好了。"))
ENDED = RunResult(
    run_id="run_1",
    workflow_id="wf_1",
    name="写小结",
    state=RunState.COMPLETED,
    lands_in="小结",
    outputs={"write": "睡得晚"},
)


@dataclass
class OneRun(RefusedRuns):
    """Runs of which an agent begins one; it ends at once, or not in time."""

    ends: bool = True
    waited: list[str] = field(default_factory=list)

    async def judged(
        self, _key: SessionKey, decision: Decision, _found: SessionRead, lands_in: str
    ) -> Judgement:
        """Begin the run."""
        verdict = Verdict(is_valid=True, payload=decision.payload)
        begun = new_run(decision_id=decision.decision_id, lands_in=lands_in)
        return Judgement(verdict=verdict, effect=Effect(runs=(begun,), waits_for="run_1"))

    async def results(self, _key: SessionKey, run_ids: Collection[str]) -> tuple[RunResult, ...]:
        """Return the run, if it is asked for."""
        return (ENDED,) if "run_1" in run_ids else ()

    async def wait(self, _key: SessionKey, run_id: str, _until: float | None) -> RunResult | None:
        """Return its end, where it comes."""
        self.waited.append(run_id)
        return ENDED if self.ends else None


async def a_talk(runs: OneRun) -> AgentTalk:
    """Return a session whose agent has greeted."""
    talk = AgentTalk(agent(run_output="小结"), session_runs=runs)
    await talk.opens(HELLO)
    return talk


async def test_the_step_behind_a_run_takes_its_end_up() -> None:
    """The run begins with the decision's step, and its result lands with the next one."""
    talk = await a_talk(OneRun())
    _, sink = await talk.hears("帮我写个小结", SYNC, DONE)
    first, second = sink.steps
    assert [each.lands_in for each in first.runs] == ["小结"]
    assert (first.runs_taken_up, second.runs_taken_up) == ((), ("run_1",))
    assert [each.value for each in second.variables] == ["睡得晚"]


async def test_an_attempt_behind_a_crash_waits_for_the_same_run() -> None:
    """Nothing is begun twice."""
    runs = OneRun()
    talk = await a_talk(runs)
    snapshot = talk.answering("帮我写个小结")
    with pytest.raises(ModelUnavailable):
        await talk.runs(snapshot, SYNC, DONE, sink=Dying())
    again = talk.answering("帮我写个小结", inputs_consumed=True, steps=1)
    end, sink = await talk.runs(again, DONE)
    assert runs.waited == ["run_1", "run_1"]
    (step,) = sink.steps
    assert (step.runs, step.runs_taken_up, step.end) == ((), ("run_1",), end)


async def test_the_clients_words_end_the_wait() -> None:
    """A turn that was interrupted while it waited is over, and its run is told of later."""
    runs = OneRun()
    talk = await a_talk(runs)
    with pytest.raises(ModelUnavailable):
        await talk.runs(talk.answering("帮我写个小结"), SYNC, DONE, sink=Dying())
    _, sink = await talk.hears("算了，先谈别的", answers(respond("好。")))
    assert runs.waited == ["run_1"]
    assert sink.texts() == ["好。"]
    assert '"run_id": "run_1"' in talk.model.last_prompt()


async def test_with_no_decision_left_it_waits_and_asks_no_model() -> None:
    """The budget of a turn counts, and the plain line is said behind the run's end."""
    runs = OneRun()
    talk = AgentTalk(agent(max_decisions=1), session_runs=runs)
    await talk.opens(HELLO)
    end, sink = await talk.hears("帮我写个小结", SYNC)
    assert runs.waited == ["run_1"]
    assert [each.reason for each in end.degradations] == ["DECISION_BUDGET"]
    assert sink.steps[-1].runs_taken_up == ("run_1",)
