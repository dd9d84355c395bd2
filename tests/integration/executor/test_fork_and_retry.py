"""Going back in a conversation over gRPC: forks, retries, configs that are tried."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct
from grpc import StatusCode, aio

from heartrule.domain.conversation import Role
from heartrule.domain.events import HistoryRewound, InputRejected, TurnEnded
from heartrule.v1 import fork_and_retry_pb2, replacement_pb2, session_pb2
from tests.support.conversing import Client
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script


async def texts(client: Client, session_id: str) -> list[str]:
    """Return what was said, by everybody."""
    request = session_pb2.ListMessagesRequest(session_id=session_id)
    listed = (await client.stubs.history.ListMessages(request)).messages
    return [message.parts[0].text for message in listed]


async def values(client: Client, session_id: str) -> dict[str, str]:
    """Return the variables of a session that are texts."""
    request = session_pb2.ListVariablesRequest(session_id=session_id)
    listed = (await client.stubs.history.ListVariables(request)).variables
    return {value.name: value.value.string_value for value in listed}


async def fork(client: Client, session_id: str, **fields: Any) -> session_pb2.Session:
    """Fork a session."""
    request = fork_and_retry_pb2.ForkSessionRequest(session_id=session_id, **fields)
    return (await client.stubs.session.ForkSession(request)).session


async def retry(client: Client, session_id: str, **fields: Any) -> Any:
    """Take the last turn back."""
    request = fork_and_retry_pb2.RetryTurnRequest(session_id=session_id, **fields)
    return await client.stubs.session.RetryTurn(request)


def tried(action_id: str = "ask_name", **config: Any) -> replacement_pb2.ActionReplacement:
    """Return another config for an action of the asking script."""
    struct = Struct()
    struct.update(config)
    return replacement_pb2.ActionReplacement(
        phase_id="p1", topic_id="t1", action_id=action_id, config=struct
    )


def talking(*replies: str) -> Neighbours:
    """Return surroundings in which the model says these one after the other."""
    return Neighbours(model=FakeModel(list(replies)))


def prompt(running: Running) -> str:
    """Return the text of the prompt sent last."""
    return "\n".join(each.content for each in running.neighbours.model.requests[-1].messages)


async def test_a_fork_goes_on_from_a_turn_of_the_past() -> None:
    """Its source stays where it is, and so does what each of them says next."""
    replies = [ask_reply(text) for text in ("一", "二", "三", "四")]
    async with running_executor(talking(*replies)) as running:
        client = running.client
        session_id = await client.start(ask_script(9))
        await client.initialize(session_id)
        first = await client.send(session_id, "m1", "甲")
        await client.send(session_id, "m2", "乙")
        turn_id = next(e.turn_id for e in first.events if isinstance(e.body, TurnEnded))
        made = await fork(client, session_id, from_turn_id=turn_id)
        assert (made.forked_from_session_id, made.forked_from_turn_id) == (session_id, turn_id)
        opening = await client.initialize(made.session_id)
        told = await client.send(made.session_id, "m2", "丙")
        assert await texts(client, made.session_id) == ["一", "甲", "二", "丙", "四"]
        assert await texts(client, session_id) == ["一", "甲", "二", "乙", "三"]
        assert "乙" not in prompt(running)
    assert (opening.texts(), told.texts()) == (["一"], ["四"])


async def test_a_fork_from_before_a_crisis_is_no_way_off_the_path() -> None:
    """Whatever is said next, the client is told where help is, and no model is asked."""
    async with running_executor(talking(ask_reply("一"))) as running:
        client = running.client
        session_id = await client.start(ask_script(9))
        opening = await client.initialize(session_id)
        await client.send(session_id, "m1", "我想自杀")
        turn_id = next(e.turn_id for e in opening.events if isinstance(e.body, TurnEnded))
        made = await fork(client, session_id, from_turn_id=turn_id)
        told = await client.send(made.session_id, "m2", "今天天气不错")
    assert "12356" in told.texts()[0]


async def test_a_retry_with_other_words_is_seen_by_every_watcher() -> None:
    """The one who resumes from the start comes to the same screen as the one who was there."""
    replies = [
        ask_reply("怎么称呼你？"),
        ask_reply("小明好", variables={"称呼": "小明"}),
        ask_reply("小红好", variables={"称呼": "小红"}),
    ]
    async with running_executor(talking(*replies)) as running:
        client = running.client
        session_id = await client.start(ask_script(9))
        await client.send(session_id, "m1", "我叫小明")
        async with client.converse(session_id, audiences=()) as watcher:
            await watcher.until(lambda event: event.sequence == 0)
            done = await retry(client, session_id, text="我叫小红", client_message_id="m2")
            rewound = await watcher.until_body(HistoryRewound)
            await watcher.until_body(TurnEnded)
        async with client.converse(session_id, after=0, audiences=()) as late:
            await late.until_body(HistoryRewound)
            await late.until_body(TurnEnded)
            shown = late.told
        assert await texts(client, session_id) == ["怎么称呼你？", "我叫小红", "小红好"]
        assert await values(client, session_id) == {"称呼": "小红"}
        assert "小明" not in prompt(running)
    assert list(done.rewound.removed_message_ids) == list(rewound.removed_message_ids)
    kept = [m for m in shown.messages() if m.message_id not in rewound.removed_message_ids]
    assert [m.plain_text() for m in kept if m.role is Role.ASSISTANT] == ["怎么称呼你？", "小红好"]
    assert [event.sequence for event in shown.durable()] == sorted(
        event.sequence for event in shown.durable()
    )


async def test_a_retry_is_safe_to_repeat() -> None:
    """One request takes one turn back; another one the turn that took its place."""
    replies = [ask_reply(text) for text in ("一", "二", "三")]
    async with running_executor(talking(*replies)) as running:
        client = running.client
        session_id = await client.start(ask_script(9))
        await client.send(session_id, "m1", "甲")
        async with client.converse(session_id) as watcher:
            await watcher.until(lambda event: event.sequence == 0)
            first = await retry(client, session_id, request_id="r")
            await watcher.until_body(TurnEnded)
        assert await retry(client, session_id, request_id="r") == first
        assert await texts(client, session_id) == ["一", "甲", "三"]


async def test_an_edited_action_is_tried_from_just_before_it() -> None:
    """The prompt is the new one, the published version the old one."""
    replies = [ask_reply("一"), ask_reply("二"), ask_reply("三")]
    async with running_executor(talking(*replies)) as running:
        client = running.client
        session_id = await client.start(ask_script(9))
        await client.send(session_id, "m1", "甲")
        edited = tried(content="请问您贵姓", output=[{"get": "称呼"}], max_rounds=2)
        made = await fork(client, session_id, replacement=edited)
        await client.initialize(made.session_id)
        assert "请问您贵姓" in prompt(running)
        assert await texts(client, made.session_id) == ["三"]
        again = await client.stubs.session.GetSession(
            session_pb2.GetSessionRequest(session_id=made.session_id)
        )
        source = await client.stubs.session.GetSession(
            session_pb2.GetSessionRequest(session_id=session_id)
        )
    assert list(again.session.replacements) == [edited]
    assert again.session.script_version == source.session.script_version
    assert not source.session.replacements


@pytest.mark.parametrize(
    ("edited", "field"),
    [
        (tried(content="你好", max_rounds="许多"), "script.yaml:"),
        (tried("nobody", content="你好"), "replacement.action_id"),
    ],
)
async def test_a_config_with_mistakes_makes_no_session(
    edited: replacement_pb2.ActionReplacement, field: str
) -> None:
    """Each mistake has its place."""
    async with running_executor() as running:
        session_id = await running.client.start(ask_script(9))
        with pytest.raises(aio.AioRpcError) as caught:
            await fork(running.client, session_id, replacement=edited)
        listed = await running.client.stubs.session.ListSessions(session_pb2.ListSessionsRequest())
    assert caught.value.code() is StatusCode.INVALID_ARGUMENT
    assert field in str(caught.value.trailing_metadata())
    assert len(listed.sessions) == 1


async def test_there_is_nothing_to_retry_before_the_client_has_spoken() -> None:
    """FAILED_PRECONDITION says that a state is missing."""
    async with running_executor(talking(ask_reply("一"))) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        with pytest.raises(aio.AioRpcError) as caught:
            await retry(running.client, session_id)
    assert caught.value.code() is StatusCode.FAILED_PRECONDITION


async def test_an_input_that_was_taken_back_is_refused_on_its_stream() -> None:
    """It neither replays nor runs; the stream goes on."""
    replies = [ask_reply(text) for text in ("一", "二", "三")]
    async with running_executor(talking(*replies)) as running:
        client = running.client
        session_id = await client.start(ask_script(9))
        await client.send(session_id, "m1", "甲")
        async with client.converse(session_id) as talk:
            await talk.until(lambda event: event.sequence == 0)
            await retry(client, session_id, text="乙")
            await talk.until_body(TurnEnded)
            await talk.say("m1", "甲")
            refused = await talk.until_body(InputRejected)
            await talk.finish()
    assert refused.problem.reason == "INPUT_TAKEN_BACK"
