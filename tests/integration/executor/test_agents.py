"""Agents through a whole executor: the flow of section 6.1 in the log, and what a retry takes."""

from __future__ import annotations

from collections.abc import Sequence

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import DecisionState
from heartrule.domain.events import HistoryRewound, SessionEvent, TurnEnded
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.v1 import fork_and_retry_pb2
from session_store.records import Page
from tests.support.agent_talk import answers, ask_back, decision, node, respond
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel
from tests.support.scripts import topic_script
from tests.support.watching import watching

SCRIPT = topic_script(
    "{action_type: ai_agent, action_id: talk, goal: 陪他谈谈, allowed_decisions: "
    "[respond, request_clarification, continue, create_node, modify_node]}"
)
HELLO = answers(respond("你好，想谈点什么？", intent="greeting"), intent="greeting")
WRONG = answers(node("取天气", node_type="HTTP", config={}), intent="complex_task")
DRAFTED = answers(node("写小结"), intent="complex_task")
DONE = answers(respond("写成草稿了，还没有运行。"))


def saying(*replies: str) -> Neighbours:
    """Return surroundings in which the model says these one after the other."""
    return Neighbours(model=FakeModel([HELLO, *replies]))


def flow(events: Sequence[SessionEvent]) -> list[tuple[str, str]]:
    """Return the kinds of decisions' events, each with its decision."""
    kinds = (DecisionMade, DecisionValidated, DecisionRejected, WorkflowChanged)
    return [
        (type(each.body).__name__, each.body.decision_id)
        for each in events
        if isinstance(each.body, kinds)
    ]


async def opened(running: Running) -> str:
    """Start a session whose agent has greeted."""
    session_id = await running.client.start(SCRIPT)
    await running.client.initialize(session_id)
    return session_id


async def kept(running: Running, session_id: str) -> list[tuple[str, DecisionState]]:
    """Return each decision of a session with its state."""
    key = SessionKey(DEFAULT_TENANT, session_id)
    found, _ = await running.neighbours.store.list_decisions(key, Page(size=50))
    return [(each.decision.decision_type, each.state) for each in found]


async def test_every_decision_is_made_then_judged_then_done() -> None:
    """Section 6.1, sequence for sequence; a rejected one is followed by what replaces it."""
    async with running_executor(saying(WRONG, DRAFTED, DONE)) as running:
        session_id = await opened(running)
        told = await running.client.send(session_id, "m1", "帮我写个小结")
        names = [type(each.body).__name__ for each in told.durable() if each.turn_id]
        made = [each.decision_id for each in told.of(DecisionMade)]
        assert flow(told.durable()) == [
            ("DecisionMade", made[0]),
            ("DecisionRejected", made[0]),
            ("DecisionMade", made[1]),
            ("DecisionValidated", made[1]),
            ("WorkflowChanged", made[1]),
            ("DecisionMade", made[2]),
            ("DecisionValidated", made[2]),
        ]
        assert names[-3:] == ["ActionResultRecorded", "MessageCommitted", "TurnEnded"]
        correlations = [each.correlation_id for each in told.of(DecisionMade)]
        assert correlations[0] == correlations[1] != correlations[2]


async def test_the_flow_is_told_the_same_on_resume() -> None:
    """Payloads stand in `decisions`, and are put in when an event is read."""
    async with running_executor(saying(DRAFTED, DONE)) as running:
        session_id = await opened(running)
        live = await running.client.send(session_id, "m1", "帮我写个小结")
        async with running.client.converse(session_id, after=0) as stream:
            await stream.until(lambda e: e.sequence == live.durable()[-1].sequence)
        resumed = [each for each in stream.told.durable() if each in live.durable()]
        assert [each for each in live.durable() if each.turn_id] == [
            each for each in resumed if each.turn_id
        ]
        assert live.of(DecisionMade)[0].payload == node("写小结")["payload"]


async def test_an_operator_watches_the_same_live_and_later() -> None:
    """WatchSession tells section 6.1 sequence for sequence, read from the log too."""
    async with running_executor(saying(WRONG, DRAFTED, DONE)) as running:
        session_id = await running.client.start(SCRIPT)
        async with watching(running, session_id) as live:
            await running.client.initialize(session_id)
            await running.client.send(session_id, "m1", "帮我写个小结")
            await live.until(2, TurnEnded)
        async with watching(running, session_id) as later:
            await later.until(2, TurnEnded)
    read = [each for each in later.told if each.sequence]
    assert [each for each in live.told if each.sequence] == read
    assert [each.sequence for each in read] == list(range(1, len(read) + 1))
    assert [kind for kind, _ in flow(read)] == [
        "DecisionMade",
        "DecisionValidated",
        "DecisionMade",
        "DecisionRejected",
        "DecisionMade",
        "DecisionValidated",
        "WorkflowChanged",
        "DecisionMade",
        "DecisionValidated",
    ]


async def test_a_question_survives_its_turn() -> None:
    """What it holds is a row, and goes on after the answer."""
    asks = answers(
        node("写小结"), ask_back("写给谁看？", options=["自己", "老师"]), intent="unknown"
    )
    async with running_executor(saying(asks, DONE)) as running:
        session_id = await opened(running)
        await running.client.send(session_id, "m1", "帮我写个小结")
        assert await kept(running, session_id) == [
            ("respond", DecisionState.DONE),
            ("create_node", DecisionState.HELD),
            ("request_clarification", DecisionState.RUNNING),
        ]
        told = await running.client.send(session_id, "m2", "老师")
        assert told.texts()[-1] == "写成草稿了，还没有运行。"
        assert {state for _, state in await kept(running, session_id)} == {DecisionState.DONE}


async def test_a_retry_takes_back_what_the_turn_decided() -> None:
    """Drafts and decisions of the turn go; the answer is found anew."""
    neighbours = saying(DRAFTED, DONE, answers(respond("先说说写什么。")))
    async with running_executor(neighbours) as running:
        session_id = await opened(running)
        await running.client.send(session_id, "m1", "帮我写个小结")
        request = fork_and_retry_pb2.RetryTurnRequest(session_id=session_id)
        await running.client.stubs.session.RetryTurn(request)
        async with running.client.converse(session_id, after=0) as stream:
            await stream.until_body(HistoryRewound)
            await stream.until_body(TurnEnded)
        assert [kind for kind, _ in await kept(running, session_id)] == ["respond", "respond"]
        key = SessionKey(DEFAULT_TENANT, session_id)
        workflows, _ = await neighbours.store.list_workflows(key, Page(size=9))
        assert workflows == []


async def test_a_draft_goes_on_in_a_later_turn() -> None:
    """The session's newest draft is changed by the id that its prompt tells."""
    change = decision("modify_node", node_id="node_1", updates={"config.temperature": 0.9})
    changes = answers(change, intent="workflow_request")
    neighbours = saying(DRAFTED, DONE, changes, answers(respond("改了。")))
    async with running_executor(neighbours) as running:
        session_id = await opened(running)
        await running.client.send(session_id, "m1", "帮我写个小结")
        told = await running.client.send(session_id, "m2", "温度高一点")
        (changed,) = told.of(WorkflowChanged)
        assert changed.revision == 2
        prompt = neighbours.model.requests[-2].messages[-1].content
        assert '"node_id": "node_1"' in prompt


async def test_a_fork_has_the_draft_as_it_was_then() -> None:
    """What a later turn changed is not there, and the fork drafts on by itself."""
    change = decision("modify_node", node_id="node_1", updates={"config.temperature": 0.9})
    changes = answers(change, intent="workflow_request")
    further = (answers(respond("改了。")), DRAFTED, answers(respond("又加了一步。")))
    neighbours = saying(DRAFTED, DONE, changes, *further)
    async with running_executor(neighbours) as running:
        client = running.client
        session_id = await opened(running)
        first = await client.send(session_id, "m1", "帮我写个小结")
        await client.send(session_id, "m2", "温度高一点")
        turn_id = next(e.turn_id for e in first.events if isinstance(e.body, TurnEnded))
        request = fork_and_retry_pb2.ForkSessionRequest(session_id=session_id, from_turn_id=turn_id)
        forked = (await client.stubs.session.ForkSession(request)).session.session_id
        key = SessionKey(DEFAULT_TENANT, forked)
        ((before,), _) = await neighbours.store.list_workflows(key, Page(size=9))
        assert (before.workflow.revision, len(before.workflow.nodes)) == (1, 1)
        await client.send(forked, "m3", "再加一步")
        ((after,), _) = await neighbours.store.list_workflows(key, Page(size=9))
        assert (after.workflow.revision, len(after.workflow.nodes)) == (2, 2)
