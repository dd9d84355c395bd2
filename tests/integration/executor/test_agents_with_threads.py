"""Agents that ask sub-agents, through Converse on a whole executor (document 002, scenario 10)."""

from __future__ import annotations

from heartrule.domain.conversation import Completeness
from heartrule.domain.events import MessageCommitted, Outcome, TurnEnded
from heartrule.domain.run_events import RunChanged
from heartrule.domain.runs import RunState
from heartrule.domain.thread_events import ThreadMessageAdded
from heartrule.domain.threads import ThreadState
from heartrule.domain.variables import ValueSupport
from heartrule.v1 import session_pb2
from session_store.records import Page
from tests.integration.executor.test_agents_with_runs import broken, gated, opened
from tests.support.agent_runs import RunTalk, run_talk
from tests.support.agent_talk import answers, decision, respond
from tests.support.fake_model import Reply

SPAWN = answers(
    decision(
        "spawn_subagent",
        subagent_type="researcher",
        task_payload={"query": "睡不着怎么办", "sources": ["睡不着就离开床。"]},
        priority=8,
        timeout=120.0,
    ),
    intent="complex_task",
)
TALKS = answers(respond("想先试哪一样？"))
AGENT = (
    "{action_type: ai_agent, action_id: talk, goal: 陪他睡好, run_output: 小结, "
    "output: [{get: findings}], subagent_types: [researcher], "
    "allowed_decisions: [respond, request_clarification, spawn_subagent]}"
)
FOUND, RESULT = "睡不着就离开床（资料一）", "困了再躺下，床只用来睡觉。"
UNDELIVERED = "这件事这次没有查成。我们先接着谈，要的话待会儿再试一次。"


def replacing(talk: RunTalk) -> list[str]:
    """Return the texts that took a placeholder's place."""
    said = [each.message for each in talk.stream.told.of(MessageCommitted)]
    return [each.plain_text() for each in said if each.replaces_message_id]


async def until_replaced(talk: RunTalk) -> None:
    """Read until a text has taken the placeholder's place."""
    await talk.stream.until(
        lambda e: isinstance(e.body, MessageCommitted) and bool(e.body.message.replaces_message_id)
    )


async def test_a_result_takes_the_placeholders_place_within_the_turn() -> None:
    """The agent speaks behind it, and its values have landed with their source."""
    async with run_talk(SPAWN, TALKS, nodes=[FOUND, "YES", RESULT], actions=(AGENT,)) as talk:
        ended = await talk.says("m1", "帮我查查")
        assert (ended.outcome, ended.degradations) == (Outcome.WAITING, ())
        messages = talk.stream.told.messages()[-3:]
        assert [each.completeness for each in messages] == [
            Completeness.PLACEHOLDER,
            Completeness.COMPLETE,
            Completeness.COMPLETE,
        ]
        assert messages[1].replaces_message_id == messages[0].message_id
        assert [each.plain_text() for each in messages[1:]] == [RESULT, "想先试哪一样？"]
        listed, _ = await talk.running.neighbours.store.list_messages(talk.key, Page(size=9))
        assert [each.plain_text() for each in listed][-2:] == [RESULT, "想先试哪一样？"]
        landed = await talk.variable("findings")
        assert landed is not None
        assert (landed.value, landed.support) == (FOUND, ValueSupport.RUN)
        assert landed.source.startswith("thread_")


async def test_a_position_says_where_the_thread_is_that_a_turn_waits_for() -> None:
    """Its path is that of the placeholder; without a turn there is none."""
    node = gated(FOUND)
    async with run_talk(SPAWN, TALKS, nodes=[node, "YES", RESULT], actions=(AGENT,)) as talk:
        asked = session_pb2.GetExecutionStateRequest(session_id=talk.session_id)
        stub = talk.running.client.stubs.session
        await talk.stream.say("m1", "帮我查查")
        await node.started.wait()
        waiting = await stub.GetExecutionState(asked)
        assert waiting.state.position.thread_path == "messages.2.meta._thread"
        opened(node)
        await talk.stream.until_body(TurnEnded)
        over = await stub.GetExecutionState(asked)
        assert over.state.position.thread_path == ""


async def test_a_thread_that_outlasts_its_turn_is_told_of_once() -> None:
    """The placeholder stands alone, and the result takes its place later."""
    node, environ = gated(FOUND), {"HEARTRULE_TURN_TIMEOUT": "10"}
    nodes: list[Reply | str] = [node, "YES", RESULT]
    async with run_talk(SPAWN, TALKS, nodes=nodes, actions=(AGENT,), environ=environ) as talk:
        before = len(talk.stream.told.messages())
        ended = await talk.says("m1", "帮我查查")
        assert ended.outcome is Outcome.WAITING
        assert [each.reason for each in ended.degradations] == ["RUN_STILL_GOING"]
        (said,) = talk.stream.told.messages()[before:]
        assert said.completeness is Completeness.PLACEHOLDER
        opened(node)
        await until_replaced(talk)
        assert replacing(talk) == [RESULT]


async def test_a_result_comes_by_itself_where_no_turn_waits() -> None:
    """Nobody has to write for it; its values land with the next turn."""
    node = gated(FOUND)
    async with run_talk(SPAWN, TALKS, nodes=[node, "YES", RESULT], actions=(AGENT,)) as talk:
        await talk.stream.say("m1", "帮我查查")
        queued = await talk.stream.until(lambda e: isinstance(e.body, RunChanged))
        await node.started.wait()
        await talk.stream.interrupt(queued.turn_id)
        ended = await talk.stream.until_body(TurnEnded)
        assert ended.outcome is Outcome.INTERRUPTED
        opened(node)
        await until_replaced(talk)
        assert await talk.variable() is None
        await talk.says("m2", "好了吗")
        landed = await talk.variable()
        assert landed is not None
        assert landed.value == RESULT
        assert f'"text": "{RESULT}"' in talk.model.last_prompt()


async def test_a_sub_agent_that_fails_leaves_no_placeholder() -> None:
    """A plain line takes its place, and the agent knows why."""
    async with run_talk(SPAWN, TALKS, nodes=[broken()], actions=(AGENT,)) as talk:
        await talk.says("m1", "帮我查查")
        assert replacing(talk) == [UNDELIVERED]
        assert '"code": "MODEL_ERROR"' in talk.model.last_prompt()
        assert await talk.variable() is None
        (run,) = await talk.runs()
        assert run.state is RunState.FAILED


async def test_a_result_waits_while_the_session_is_frozen() -> None:
    """It neither takes its placeholder's place nor reaches a variable until the freeze is over."""
    node = gated(FOUND)
    async with run_talk(SPAWN, TALKS, nodes=[node, "YES", RESULT], actions=(AGENT,)) as talk:
        await talk.stream.say("m1", "帮我查查")
        queued = await talk.stream.until(lambda e: isinstance(e.body, RunChanged))
        await node.started.wait()
        await talk.stream.interrupt(queued.turn_id)
        await talk.stream.until_body(TurnEnded)
        await talk.says("m2", "我想自杀")
        opened(node)
        await talk.ended()
        await talk.says("m3", "不知道")
        assert (replacing(talk), await talk.variable()) == ([], None)
        await talk.thaws()
        await talk.says("m4", "好些了")
        assert replacing(talk) == [RESULT]
        assert await talk.variable() is not None


async def test_what_is_said_in_a_thread_is_no_message_of_the_talk() -> None:
    """Operators hear of it; its model calls are in the ledger, with run and thread."""
    async with run_talk(SPAWN, TALKS, nodes=[FOUND, "YES", RESULT], actions=(AGENT,)) as talk:
        await talk.says("m1", "帮我查查")
        store = talk.running.neighbours.store
        assert FOUND not in talk.stream.told.texts()
        events = await store.read_events(talk.key, 0, 500)
        said = [e.body.text for e in events if isinstance(e.body, ThreadMessageAdded)]
        assert said[1::2] == [FOUND, RESULT]
        ledger, _ = await store.list_ledger(talk.key, Page(size=20))
        of_thread = [each for each in ledger if each.thread_id]
        assert len(of_thread) == 3
        (thread,) = (await store.list_threads(talk.key, Page()))[0]
        assert {each.thread_id for each in of_thread} == {thread.thread.thread_id}
        assert (thread.thread.state, thread.is_shown) == (ThreadState.COMPLETED, True)
