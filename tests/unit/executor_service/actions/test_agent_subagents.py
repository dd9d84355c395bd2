"""An agent asks for a sub-agent: a placeholder, a run with its thread, and then what came of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from executor_service.decisions.ground import SubagentType
from executor_service.decisions.run_results import RunResult
from executor_service.decisions.subagent_task import SubagentTask
from heartrule.domain.conversation import Completeness, Message, Role, text_part
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind, RunState
from heartrule.domain.threads import ThreadState
from heartrule.domain.workflows import WorkflowInput
from session_store.records import CommittedStep, StepCommit
from tests.support.agent_talk import AgentTalk, agent, answers, decision, respond
from tests.support.engine_builders import RecordingSink
from tests.support.nothing_wired import RefusedRuns

HELLO = answers(respond("你好。", intent="greeting"), intent="greeting")
RESEARCHER = SubagentType(
    takes={"query": WorkflowInput(type="string")},
    purpose="查资料",
    first_phase="search",
    priority=7,
    timeout=timedelta(seconds=90),
)
FOUND = RunResult(
    run_id="run_1",
    workflow_id="",
    name="researcher",
    state=RunState.COMPLETED,
    lands_in="小结",
    thread_id="thr_1",
    text="睡前一小时不看屏幕，入睡会快一些。",
    values={"来源": "两篇"},
)


def spawn(**fields: Any) -> str:
    """Return a reply that asks for the researcher."""
    plain = {"subagent_type": "researcher", "task_payload": {"query": "失眠"}}
    made = decision("spawn_subagent", **{**plain, **fields})
    return answers(made, intent="complex_task")


@dataclass
class OneThread(RefusedRuns):
    """A sub-agent that has ended by the time somebody waits for it."""

    result: RunResult | None = FOUND
    waited: list[str] = field(default_factory=list)

    async def results(self, _key: SessionKey, run_ids: Collection[str]) -> tuple[RunResult, ...]:
        """Return the run, if it is asked for."""
        return (self.result,) if self.result and "run_1" in run_ids else ()

    async def wait(self, _key: SessionKey, run_id: str, _until: float | None) -> RunResult | None:
        """Return its end, where it comes."""
        self.waited.append(run_id)
        return self.result


class Outlasting(OneThread):
    """A sub-agent that goes on after its turn."""

    async def results(self, _key: SessionKey, _ids: Collection[str]) -> tuple[RunResult, ...]:
        """Return that it runs."""
        return (replace(FOUND, state=RunState.RUNNING, text="", values={}),)

    async def wait(self, _key: SessionKey, _run_id: str, _until: float | None) -> RunResult | None:
        """Return that it has not ended."""
        return None


class Showing(RecordingSink):
    """Shows a result with the step that takes its run up, as a store does."""

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Keep the step."""
        committed = await RecordingSink.commit(self, step)
        if not step.runs_taken_up:
            return committed
        shown = Message(
            message_id="msg_shown",
            role=Role.ASSISTANT,
            parts=(text_part(FOUND.text),),
            replaces_message_id="msg_2",
        )
        return replace(committed, shown=(shown,))


async def a_talk(
    runs: OneThread, types: Mapping[str, SubagentType] | None = None, **config: Any
) -> AgentTalk:
    """Return a session whose agent has greeted."""
    plain: dict[str, Any] = {"run_output": "小结", "get": ("来源",)}
    allowed = agent(subagent_types=("researcher",), **{**plain, **config})
    known = {"researcher": RESEARCHER} if types is None else types
    talk = AgentTalk(allowed, session_runs=runs, subagents=known)
    await talk.opens(HELLO)
    return talk


async def test_a_placeholder_a_run_and_its_thread_are_one_step() -> None:
    """The run has the type's own priority and time, unless the decision names others."""
    talk = await a_talk(OneThread())
    _, sink = await talk.hears("帮我查查失眠", spawn(), answers(respond("查到了。")))
    step = sink.steps[0]
    (run,), (opened,), (message,) = step.runs, step.threads, step.messages
    assert (run.kind, run.agent, run.priority) == (RunKind.SUB_AGENT, "researcher", 7)
    assert (run.timeout, run.decision_id) == (timedelta(seconds=90), "dec_2")
    assert message.completeness is Completeness.PLACEHOLDER
    assert (opened.thread.anchor_message_id, opened.thread.run_id) == (message.message_id, "run_1")
    assert (opened.thread.state, opened.thread.settings.phase) == (ThreadState.RUNNING, "search")


async def test_a_decision_may_name_priority_and_time() -> None:
    """They count in the place of the type's own."""
    talk = await a_talk(OneThread())
    urgent = spawn(priority=10, timeout=5)
    _, sink = await talk.hears("帮我查查失眠", urgent, answers(respond("查到了。")))
    (run,) = sink.steps[0].runs
    assert (run.priority, run.timeout) == (10, timedelta(seconds=5))


async def test_it_is_given_a_snapshot_that_it_can_only_read() -> None:
    """What the model says of the talk stands apart from what is known."""
    talk = await a_talk(OneThread(), goal="睡得好")
    told = {"current_goal": "我编的"}
    reply = spawn(context_snapshot=told)
    _, sink = await talk.hears("帮我查查失眠", reply, answers(respond("查到了。")))
    (run,) = sink.steps[0].runs
    task = SubagentTask.of(run.inputs)
    assert (task.goal, task.request, task.told) == ("睡得好", {"query": "失眠"}, told)
    assert task.messages == (("assistant", "你好。"), ("user", "帮我查查失眠"))
    assert (task.outputs, task.text_to) == (("来源",), "小结")


async def test_what_it_found_is_shown_before_the_agent_speaks() -> None:
    """A step takes the end up and lands its values; the next prompt has the result as said."""
    talk = await a_talk(OneThread())
    talk.model.will_say(spawn(), answers(respond("想先试哪一样？")))
    _, sink = await talk.runs(talk.answering("帮我查查失眠"), sink=Showing())
    _, second, third = sink.steps
    assert (second.runs_taken_up, second.messages, third.runs_taken_up) == (("run_1",), (), ())
    written = {each.name: (each.value, each.source) for each in second.variables}
    assert written == {"小结": (FOUND.text, "thr_1"), "来源": ("两篇", "thr_1")}
    prompt = talk.model.requests[-1]
    assert FOUND.text in [each.content for each in prompt.messages]
    assert '"subagent": "researcher"' in talk.model.last_prompt()


async def test_one_that_failed_writes_nothing() -> None:
    """The agent is told why, and goes on."""
    runs = OneThread(replace(FOUND, state=RunState.FAILED, text="", values={}))
    talk = await a_talk(runs)
    _, sink = await talk.hears("帮我查查失眠", spawn(), answers(respond("没查到。")))
    assert [each.variables for each in sink.steps] == [(), (), ()]
    assert '"state": "failed"' in talk.model.last_prompt()


async def test_a_wait_that_is_over_leaves_the_thread_alone() -> None:
    """The turn ends; the thread goes on, and its result comes by itself."""
    talk = await a_talk(Outlasting())
    end, sink = await talk.hears("帮我查查失眠", spawn())
    assert [each.reason for each in end.degradations] == ["RUN_STILL_GOING"]
    assert sink.steps[-1].runs_taken_up == ()


async def test_a_wait_that_is_over_says_no_second_line() -> None:
    """The placeholder stands, and says that it goes on."""
    talk = await a_talk(Outlasting())
    _, sink = await talk.hears("帮我查查失眠", spawn())
    (said,) = [message for step in sink.steps for message in step.messages]
    assert said.completeness is Completeness.PLACEHOLDER


async def test_without_a_sub_agent_none_is_offered() -> None:
    """A model is not told of a decision that nobody could carry out."""
    talk = await a_talk(OneThread(), types={})
    await talk.hears("帮我查查失眠", answers(respond("好。")))
    assert "spawn_subagent" not in talk.model.last_prompt()


async def test_the_model_reads_what_a_sub_agent_takes() -> None:
    """Its name, what it is for, and its task's fields."""
    talk = await a_talk(OneThread())
    await talk.hears("帮我查查失眠", answers(respond("好。")))
    line = '{"subagent_type": "researcher", "takes": {"query": "string"}, "for": "查资料"}'
    assert line in talk.model.last_prompt()
