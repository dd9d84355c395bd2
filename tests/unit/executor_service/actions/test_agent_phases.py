"""ai_agent with `agent`: the phases of that agent are followed, task by task (R21, R25, R27)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from executor_service.decisions.run_results import RunFailure, RunResult
from executor_service.decisions.subagent_task import SubagentTask
from executor_service.threads.agent_registry import AgentRegistry
from executor_service.threads.ports import ThreadModel
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import SubThreadWork
from heartrule.domain.conversation import Completeness
from heartrule.domain.errors import ModelStreamCut, ModelUnavailable
from heartrule.domain.exits import ExitReason
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import Purpose
from heartrule.domain.runs import RunKind, RunState
from tests.support.agent_talk import AgentTalk, Dying, agent
from tests.support.fake_model import Reply
from tests.support.nothing_wired import RefusedRuns

FILES = {
    "agents/letter/agent.yaml": """
agent_id: letter
kind: main
phases:
  - {phase_id: clarify, handler: reply, feedback: {rule: until, phrase: 明白}, next: prepare}
  - {phase_id: prepare, handler: prepare, text: 正在写信…, next: write}
  - {phase_id: write, handler: execute, agent: writer, input: {wish: "{request}"}, failure: 没写成,
     next: ask}
  - {phase_id: ask, handler: reply, text: 这样可以吗？, next: done}
  - {phase_id: done, terminal: true}
""",
    "agents/letter/prompt/clarify_system_prompt.md": "问清楚写什么",
    "agents/writer/agent.yaml": """
agent_id: writer
input: [{name: wish}]
phases:
  - {phase_id: draft, unit: requester, opening: "{wish}", output: [{get: 信}], next: done}
  - {phase_id: done, terminal: true}
""",
    "agents/writer/prompt/draft_system_prompt.md": "写信",
}
FINISHES = {
    "agents/letter/agent.yaml": """
agent_id: letter
kind: main
phases:
  - {phase_id: clarify, handler: reply, feedback: {rule: until, phrase: 明白}, next: bye}
  - {phase_id: bye, handler: reply, next: done}
  - {phase_id: done, terminal: true}
""",
    "agents/letter/prompt/clarify_system_prompt.md": "问清楚写什么",
    "agents/letter/prompt/bye_system_prompt.md": "告别",
}
WRITTEN = RunResult(
    run_id="run_1",
    workflow_id="",
    name="writer",
    state=RunState.COMPLETED,
    thread_id="thread_1",
    text="妈妈：周末见。",
    values={"信": "妈妈：周末见。"},
)


class RegisteredAgents:
    """Makes agents in YAML."""

    def __init__(self, files: Mapping[str, str] = FILES) -> None:
        """Read them."""
        bundle = {path: text.encode() for path, text in files.items()}
        self._registry = AgentRegistry().with_bundle(bundle)

    async def make(
        self, _key: SessionKey, name: str, model: ThreadModel, work: SubThreadWork | None = None
    ) -> ThreadAgent:
        """Return an agent of that name."""
        return await self._registry.make(name, model, work)

    async def labels(self, _key: SessionKey, _name: str) -> Mapping[str, str]:
        """Return nothing."""
        return {}


@dataclass
class OneThread(RefusedRuns):
    """A thread that has ended by the time somebody waits for it, or never ends."""

    result: RunResult | None = WRITTEN

    async def results(self, _key: SessionKey, _ids: Collection[str]) -> tuple[RunResult, ...]:
        """Return that it goes on."""
        return (replace(WRITTEN, state=RunState.RUNNING),)

    async def wait(self, _key: SessionKey, _run_id: str, _until: float | None) -> RunResult | None:
        """Return its end, where it comes."""
        return self.result


def a_talk(runs: OneThread | None = None, **config: Any) -> AgentTalk:
    """Return a session whose only action follows the phases of an agent."""
    plain: dict[str, Any] = {"agent": "letter", "get": ("信",)}
    return AgentTalk(
        agent(**{**plain, **config}), session_runs=runs or OneThread(), agents=RegisteredAgents()
    )


def phase_of(talk: AgentTalk) -> tuple[Any, Any]:
    """Return the stored phase, and the one that is suggested."""
    assert talk.instance is not None
    settings: Any = talk.instance.memory["settings"]
    return settings["briefStatus"]["phase"], settings.get("_phaseUpdateSuggestion", {}).get("phase")


async def test_a_reply_is_streamed_and_leaves_the_phase() -> None:
    """Its drafts are joined to the committed message; the model is asked for a thread."""
    talk = a_talk()
    _, sink = await talk.opens("想写给谁？")
    assert (sink.texts(), sink.drafted()) == (["想写给谁？"], "想写给谁？")
    assert {each.at.message_id for each in sink.drafts} == {sink.steps[0].messages[0].message_id}
    assert talk.model.requests[0].purpose is Purpose.THREAD
    assert phase_of(talk) == ("clarify", None)


async def test_a_suggestion_is_applied_with_the_next_message() -> None:
    """Until then both are stored with the step."""
    talk = a_talk()
    await talk.opens("想写给谁？")
    await talk.hears("给妈妈", "明白了，现在写吗？")
    assert phase_of(talk) == ("clarify", "prepare")


async def ready(runs: OneThread | None = None, **config: Any) -> AgentTalk:
    """Return a talk whose next message has the letter written."""
    talk = a_talk(runs, **config)
    await talk.opens("想写给谁？")
    await talk.hears("给妈妈", "明白了，现在写吗？")
    return talk


async def test_a_placeholder_the_thread_and_its_result_are_steps_of_one_turn() -> None:
    """First what announces it, then the run with its thread, then its end."""
    talk = await ready()
    _, sink = await talk.hears("写吧")
    first, second, third = sink.steps
    (said,) = first.messages
    assert (said.plain_text(), said.completeness) == ("正在写信…", Completeness.PLACEHOLDER)
    (run,), (opened,) = second.runs, second.threads
    assert (run.kind, run.agent, second.messages) == (RunKind.SUB_AGENT, "writer", ())
    assert opened.thread.anchor_message_id == said.message_id
    assert opened.thread.request["input"] == {"wish": "写吧"}
    task = SubagentTask.of(run.inputs)
    assert (task.above, task.phase) == ("letter", "write")
    assert third.runs_taken_up == ("run_1",)
    assert {each.name: each.value for each in third.variables} == {"信": "妈妈：周末见。"}
    assert phase_of(talk) == ("write", "ask")


async def test_an_attempt_behind_a_crash_goes_on_with_the_same_thread() -> None:
    """Nothing is said or begun twice."""
    talk = await ready()
    dying = Dying()
    dying.left = 2
    with pytest.raises(ModelUnavailable):
        await talk.runs(talk.answering("写吧"), sink=dying)
    again = talk.answering("写吧", inputs_consumed=True, steps=2)
    _, sink = await talk.runs(again)
    (step,) = sink.steps
    assert (step.runs, step.messages, step.runs_taken_up) == ((), (), ("run_1",))


async def test_a_thread_that_outlasts_the_turn_goes_on() -> None:
    """The turn waits for the client, and the task is done again with the next message."""
    runs = OneThread(result=None)
    talk = await ready(runs)
    end, _ = await talk.hears("写吧")
    assert [each.reason for each in end.degradations] == ["RUN_STILL_GOING"]
    runs.result = WRITTEN
    _, sink = await talk.hears("好了吗")
    assert [each.runs_taken_up for each in sink.steps] == [("run_1",), ()]
    assert sink.texts() == ["这样可以吗？"]


async def test_a_thread_that_failed_is_prepared_anew() -> None:
    """The phase of its placeholder is suggested; the action goes on."""
    why = RunFailure(path="", code="MODEL_ERROR", message="down")
    talk = await ready(OneThread(replace(WRITTEN, state=RunState.FAILED, failures=(why,))))
    await talk.hears("写吧")
    assert phase_of(talk)[1] == "prepare"


async def test_a_terminal_phase_ends_the_action() -> None:
    """Whatever the client said in it."""
    talk = await ready()
    await talk.hears("写吧")
    end, sink = await talk.hears("可以")
    assert sink.texts() == ["这样可以吗？"]
    assert end.exit_decision is not None
    assert end.exit_decision.should_exit


async def test_an_agent_that_is_not_there_lets_the_talk_go_on() -> None:
    """The action ends as blocked, with a line of the template."""
    talk = a_talk(agent="nobody")
    end, sink = await talk.opens()
    assert [each.reason for each in end.degradations] == ["AGENT_FAILED"]
    assert (sink.texts(), end.exit_reason) == (["就谈到这里。"], ExitReason.USER_BLOCKED)


async def test_a_reply_that_broke_off_is_truncated_and_advances_nothing() -> None:
    """T14: what was shown stays, also with the phrase that would have been the last one's."""
    talk = a_talk()
    await talk.opens("想写给谁？")
    cut = Reply(("明白了。现在", "写"), fails=ModelStreamCut("cut", reason="MODEL_STREAM_CUT"))
    end, sink = await talk.hears("给妈妈", cut)
    (message,) = sink.steps[0].messages
    assert (message.plain_text(), message.completeness) == (
        "明白了。现在写",
        Completeness.TRUNCATED,
    )
    assert [each.reason for each in end.degradations] == ["STREAM_CUT"]
    assert phase_of(talk) == ("clarify", None)


async def test_a_reply_that_broke_off_behind_a_suggestion_is_given_again() -> None:
    """T14: the phase that was suggested is suggested still, and handles the next message."""
    talk = a_talk()
    talk.agents = RegisteredAgents(FINISHES)
    await talk.opens("想写给谁？")
    await talk.hears("给妈妈", "明白了。")
    cut = Reply(("再见。祝", "好"), fails=ModelStreamCut("cut", reason="MODEL_STREAM_CUT"))
    await talk.hears("好", cut)
    assert phase_of(talk) == ("clarify", "bye")
    end, sink = await talk.hears("你说什么", "再见。")
    assert sink.texts() == ["再见。"]
    assert phase_of(talk) == ("bye", "done")
    assert end.exit_decision is not None
    assert end.exit_decision.should_exit


async def test_a_model_that_is_down_fails_the_turn() -> None:
    """It may be repeated, and the phase is as it was."""
    talk = a_talk()
    await talk.opens("想写给谁？")
    dying = Dying()
    dying.left = 0
    with pytest.raises(ModelUnavailable):
        await talk.runs(talk.answering("给妈妈"), "明白", sink=dying)
    assert phase_of(talk) == ("clarify", None)
