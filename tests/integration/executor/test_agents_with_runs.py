"""Agents that run workflows, through Converse on a whole executor (document 002, scenario 4)."""

from __future__ import annotations

import asyncio

from heartrule.domain.decision_events import DecisionMade, DecisionRejected
from heartrule.domain.decisions import DecisionAuthor, FindingCode
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.events import HistoryRewound, Outcome, TurnEnded
from heartrule.domain.run_events import Activity, ActivityState, RunChanged
from heartrule.domain.runs import RunErrorCode, RunState
from heartrule.domain.variables import ValueSupport
from heartrule.v1 import fork_and_retry_pb2
from session_store.records.kept_runs import RunLanding
from tests.support.agent_runs import AGENT, ASYNC, SUM, SYNC, execute, run_talk
from tests.support.agent_talk import answers, decision, respond
from tests.support.fake_model import Reply, ask_reply, whole

DONE = answers(respond("写好了：睡得晚。"))
AFTERWARDS = "{action_type: ai_ask, action_id: after, content: 接下来想谈什么}"
AGAIN = {
    "workflow_id": "sum",
    "reason": "那一步没有做成",
    "execution_context": {"failed_nodes": ["write"]},
    "suggested_changes": {
        "remove_nodes": ["write"],
        "add_nodes": [
            {"node_id": "other", "type": "LLM", "name": "再写", "config": {"prompt": "再写"}}
        ],
    },
}


def broken() -> Reply:
    """Return that no model answers a node."""
    return Reply((), fails=ModelUnavailable("away", reason="MODEL_DOWN"))


def gated(text: str) -> Reply:
    """Return an answer of a node that comes when its gate is opened."""
    return Reply(whole(text).pieces, gate=asyncio.Event())


def opened(reply: Reply) -> None:
    """Let a node's answer come."""
    assert reply.gate is not None
    reply.gate.set()


async def test_a_sync_run_ends_within_its_turn() -> None:
    """The agent speaks once, knows the result, and the variable has it."""
    async with run_talk(SYNC, DONE, nodes=["睡得晚"]) as talk:
        ended = await talk.says("m1", "帮我写个小结")
        assert (ended.outcome, ended.degradations) == (Outcome.WAITING, ())
        assert talk.stream.told.texts()[-1] == "写好了：睡得晚。"
        prompt = talk.model.last_prompt()
        assert '"state": "completed"' in prompt
        assert '"write": {"text": "睡得晚"' in prompt
        (run,) = await talk.runs()
        assert (run.state, run.landing) == (RunState.COMPLETED, RunLanding.TAKEN)
        landed = await talk.variable()
        assert landed is not None
        assert isinstance(landed.value, dict)
        assert landed.value["text"] == "睡得晚"
        assert (landed.support, landed.source) == (ValueSupport.RUN, f"{run.run_id}/write")
        states = [each.state for each in talk.stream.told.of(RunChanged)]
        assert states == [RunState.QUEUED, RunState.RUNNING, RunState.COMPLETED]


async def test_an_async_run_lands_before_the_next_turn_speaks() -> None:
    """Its action is over at once; the next prompt knows of the end, and has the variable."""
    node = gated("睡得晚")
    talks = (ask_reply("接下来想谈什么？"), ask_reply("小结好了。还想谈什么？"))
    async with run_talk(ASYNC, *talks, nodes=[node], actions=(AGENT, AFTERWARDS)) as talk:
        ended = await talk.says("m1", "帮我写个小结")
        assert ended.outcome is Outcome.WAITING
        assert talk.stream.told.texts()[-1] == "接下来想谈什么？"
        assert await talk.variable() is None
        opened(node)
        assert (await talk.ended()).is_completed
        assert await talk.variable() is None
        await talk.says("m2", "工作")
        prompt = talk.model.last_prompt()
        assert '工作流 "写小结" 已经做完' in prompt
        assert "睡得晚" in prompt
        assert await talk.variable() is not None
        (run,) = await talk.runs()
        assert run.landing is RunLanding.TAKEN


async def test_an_end_is_told_once() -> None:
    """The line stands in the prompts of one turn."""
    talks = (ask_reply("接下来？"), ask_reply("做完了。还有呢？"), ask_reply("还有呢？"))
    async with run_talk(ASYNC, *talks, nodes=["睡得晚"], actions=(AGENT, AFTERWARDS)) as talk:
        await talk.says("m1", "帮我写个小结")
        if not any(e.state is ActivityState.ENDED for e in talk.stream.told.of(Activity)):
            await talk.ended()
        await talk.says("m2", "工作")
        await talk.says("m3", "睡觉")
        assert "已经做完" in talk.model.requests[-2].messages[-1].content
        assert "已经做完" not in talk.model.last_prompt()


async def test_a_run_that_takes_long_goes_on_behind_the_turn() -> None:
    """The template's line is said, the turn waits for the client, and the end lands later (R13)."""
    node = gated("睡得晚")
    environ = {"HEARTRULE_TURN_TIMEOUT": "10"}
    async with run_talk(SYNC, DONE, nodes=[node], environ=environ) as talk:
        ended = await talk.says("m1", "帮我写个小结")
        assert ended.outcome is Outcome.WAITING
        assert [each.reason for each in ended.degradations] == ["RUN_STILL_GOING"]
        assert "还在做" in talk.stream.told.texts()[-1]
        opened(node)
        assert (await talk.ended()).is_completed
        await talk.says("m2", "好了吗")
        assert talk.stream.told.texts()[-1] == "写好了：睡得晚。"
        assert '"write": {"text": "睡得晚"' in talk.model.last_prompt()
        assert await talk.variable() is not None


async def test_an_interrupt_ends_the_wait_and_not_the_run() -> None:
    """The turn ends as interrupted; the next one knows of the run's end."""
    node = gated("睡得晚")
    async with run_talk(SYNC, DONE, nodes=[node]) as talk:
        await talk.stream.say("m1", "帮我写个小结")
        queued = await talk.stream.until(lambda e: isinstance(e.body, RunChanged))
        await node.started.wait()
        await talk.stream.interrupt(queued.turn_id)
        ended = await talk.stream.until_body(TurnEnded)
        assert ended.outcome is Outcome.INTERRUPTED
        opened(node)
        assert (await talk.ended()).is_completed
        await talk.says("m2", "好了吗")
        assert '"state": "completed"' in talk.model.last_prompt()


async def test_an_agent_plans_a_failed_run_anew_in_the_same_turn() -> None:
    """It sees the failure, its plan runs at once, and the client reads of the end alone (R17)."""
    replan = answers(decision("replan_workflow", **AGAIN), intent="workflow_request")
    async with run_talk(SYNC, replan, DONE, nodes=[broken(), "睡得晚"]) as talk:
        await talk.says("m1", "帮我写个小结")
        assert talk.stream.told.of(DecisionRejected) == []
        told = talk.model.requests[-2].messages[-1].content
        assert '"state": "failed"' in told
        assert f'"node_id": "write", "code": "{RunErrorCode.MODEL_ERROR}"' in told
        first, second = await talk.runs()
        assert (first.state, second.state) == (RunState.FAILED, RunState.COMPLETED)
        assert second.replaces == first.run_id
        landed = await talk.variable()
        assert landed is not None
        assert landed.source == f"{second.run_id}/other"


async def test_an_invalid_recovery_becomes_a_new_plan() -> None:
    """Section 6.2 (D14): the coordinator suggests nothing, and the agent fills that in."""
    wrong = SUM.replace("{action: ABORT}", '{action: MODIFY, modifications: {config.prompt: ""}}')
    replan = answers(decision("replan_workflow", **AGAIN), intent="workflow_request")
    async with run_talk(SYNC, replan, DONE, nodes=[broken(), "睡得晚"], sum=wrong) as talk:
        await talk.says("m1", "帮我写个小结")
        told = talk.stream.told
        made = [(each.decision_type, each.author) for each in told.of(DecisionMade)]
        assert made == [
            ("execute_workflow", DecisionAuthor.AGENT),
            ("error_recovery", DecisionAuthor.COORDINATOR),
            ("replan_workflow", DecisionAuthor.COORDINATOR),
            ("replan_workflow", DecisionAuthor.AGENT),
            ("respond", DecisionAuthor.AGENT),
        ]
        assert len(told.of(DecisionRejected)) == 1
        assert [each.state for each in await talk.runs()] == [
            RunState.FAILED,
            RunState.COMPLETED,
        ]


async def test_a_failed_run_lands_nothing_and_the_next_prompt_says_so() -> None:
    """Whoever speaks next does not claim that it was done."""
    talks = (ask_reply("接下来？"), ask_reply("没有做成。还想谈什么？"))
    async with run_talk(ASYNC, *talks, nodes=[broken()], actions=(AGENT, AFTERWARDS)) as talk:
        await talk.says("m1", "帮我写个小结")
        if not any(e.state is ActivityState.ENDED for e in talk.stream.told.of(Activity)):
            await talk.ended()
        await talk.says("m2", "好了吗")
        assert '工作流 "写小结" 没有做成' in talk.model.last_prompt()
        assert await talk.variable() is None


async def test_nothing_lands_and_nothing_is_told_while_the_session_is_frozen() -> None:
    """What waits is held, and lands once the freeze has ended."""
    node = gated("睡得晚")
    talks = (ask_reply("接下来想谈什么？"), ask_reply("小结好了。还想谈什么？"))
    async with run_talk(ASYNC, *talks, nodes=[node], actions=(AGENT, AFTERWARDS)) as talk:
        await talk.says("m1", "帮我写个小结")
        await talk.says("m2", "我想自杀")
        opened(node)
        await talk.ended()
        await talk.says("m3", "不知道")
        (held,) = await talk.runs()
        assert (held.landing, await talk.variable()) == (RunLanding.WAITS, None)
        await talk.thaws()
        await talk.says("m4", "好些了")
        (landed,) = await talk.runs()
        assert landed.landing is RunLanding.TAKEN
        assert await talk.variable() is not None
        assert "已经做完" in talk.model.last_prompt()


async def test_a_session_at_its_end_takes_nothing() -> None:
    """The run ends all the same, and says what became of its end."""
    node = gated("睡得晚")
    async with run_talk(ASYNC, nodes=[node]) as talk:
        ended = await talk.says("m1", "帮我写个小结")
        assert ended.outcome is Outcome.SESSION_COMPLETED
        assert "还在做" in talk.stream.told.texts()[-1]
        opened(node)
        await talk.ended()
        (run,) = await talk.runs()
        assert (run.state, run.landing) == (RunState.COMPLETED, RunLanding.SESSION_OVER)


async def test_what_was_decided_beside_an_async_run_is_said_first() -> None:
    """Then the action is over, though the answer asked for more."""
    both = answers(execute("async"), respond("开始写了。"), intent="workflow_request")
    talks = ask_reply("接下来想谈什么？")
    async with run_talk(both, talks, nodes=["睡得晚"], actions=(AGENT, AFTERWARDS)) as talk:
        await talk.says("m1", "帮我写个小结")
        assert talk.stream.told.texts()[-2:] == ["开始写了。", "接下来想谈什么？"]


async def test_what_was_decided_beside_a_sync_run_waits_for_its_end() -> None:
    """The next decision starts when the one before has ended (RESOLUTIONS D15)."""
    both = answers(respond("写好了。"), execute("sync"), intent="workflow_request")
    async with run_talk(both, nodes=["睡得晚"]) as talk:
        await talk.says("m1", "帮我写个小结")
        kinds = [type(each.body).__name__ for each in talk.stream.told.events]
        ends = [number for number, kind in enumerate(kinds) if kind == "RunChanged"]
        said = [number for number, kind in enumerate(kinds) if kind == "MessageCommitted"]
        assert talk.stream.told.texts()[-1] == "写好了。"
        assert ends[-1] < said[-1]
        assert len(talk.model.requests) == 2
        assert await talk.variable() is not None


async def test_a_workflow_that_runs_is_not_begun_again() -> None:
    """The gate says so, and the agent tells the client (document 002, scenario 4)."""
    node = gated("睡得晚")
    again = (SYNC, answers(respond("它还在运行。")))
    actions = (AGENT, AGENT.replace("talk", "more"))
    greets = answers(respond("还要什么？"))
    async with run_talk(ASYNC, greets, *again, nodes=[node], actions=actions) as talk:
        await talk.says("m1", "帮我写个小结")
        await talk.says("m2", "再写一次")
        (rejected,) = talk.stream.told.of(DecisionRejected)
        assert [each.code for each in rejected.errors] == [FindingCode.INVALID_STATE]
        assert talk.stream.told.texts()[-1] == "它还在运行。"
        opened(node)


async def test_a_fork_goes_on_without_the_run_that_had_not_ended() -> None:
    """Its agent remembers a run that is not there, and talks all the same."""
    node = gated("睡得晚")
    environ = {"HEARTRULE_TURN_TIMEOUT": "10"}
    async with run_talk(SYNC, DONE, nodes=[node], environ=environ) as talk:
        await talk.says("m1", "帮我写个小结")
        request = fork_and_retry_pb2.ForkSessionRequest(session_id=talk.session_id)
        forked = await talk.running.client.stubs.session.ForkSession(request)
        told = await talk.running.client.send(forked.session.session_id, "m2", "好了吗")
        assert told.texts()[-1] == "写好了：睡得晚。"
        assert '"run"' not in talk.model.last_prompt()
        opened(node)


async def test_a_retry_cancels_what_the_turn_began() -> None:
    """The run is in no list any more, and the agent decides anew."""
    node = gated("睡得晚")
    decided_anew = answers(respond("先说说写什么。"))
    talks = (ask_reply("接下来？"), decided_anew)
    async with run_talk(ASYNC, *talks, nodes=[node], actions=(AGENT, AFTERWARDS)) as talk:
        await talk.says("m1", "帮我写个小结")
        await node.started.wait()
        (run,) = await talk.runs()
        request = fork_and_retry_pb2.RetryTurnRequest(session_id=talk.session_id)
        await talk.running.client.stubs.session.RetryTurn(request)
        await talk.stream.until_body(HistoryRewound)
        await talk.stream.until_body(TurnEnded)
        found = await talk.running.neighbours.store.get_run(talk.key, run.run_id)
        assert (found.run.state, found.run.is_taken_back) == (RunState.CANCELLED, True)
        assert await talk.runs() == []
        assert talk.stream.told.texts()[-1] == "先说说写什么。"
        opened(node)
