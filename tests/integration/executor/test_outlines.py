"""The outline of a script over gRPC: what a front end draws the position in."""

from __future__ import annotations

import pytest
from google.protobuf.struct_pb2 import Struct
from grpc import StatusCode, aio

from heartrule.v1 import fork_and_retry_pb2, outline_pb2, replacement_pb2
from tests.support.conversing import Client
from tests.support.executors import running_executor
from tests.support.scripts import ask_script


async def outline(client: Client, **named: str) -> outline_pb2.ScriptOutline:
    """Return the outline of what is named."""
    request = outline_pb2.GetScriptOutlineRequest(**named)
    return (await client.stubs.script.GetScriptOutline(request)).outline


async def test_an_outline_has_every_action_with_its_config_as_written() -> None:
    """Phases, topics and actions stand in order; without a version the newest is meant."""
    async with running_executor() as running:
        await running.client.publish(ask_script(1))
        await running.client.publish(ask_script(2))
        told = await outline(running.client, script_id="asking")
    (phase,) = told.phases
    (topic,) = phase.topics
    assert (phase.phase_id, topic.topic_id) == ("p1", "t1")
    listed = [(each.action_id, each.action_type) for each in topic.actions]
    assert listed == [("ask_name", "ai_ask"), ("say_bye", "ai_say")]
    ask, say = topic.actions
    assert ask.config["max_rounds"] == 2
    assert (list(ask.writes), list(say.reads)) == (["称呼"], ["称呼"])
    assert (ask.file, 0 < ask.line < say.line) == ("script.yaml", True)


async def test_the_outline_of_a_session_has_its_own_replacements() -> None:
    """A fork with another config shows that config; its source shows the script's."""
    config = Struct()
    config.update({"content": "贵姓", "output": [{"get": "称呼"}]})
    tried = replacement_pb2.ActionReplacement(
        phase_id="p1", topic_id="t1", action_id="ask_name", config=config
    )
    async with running_executor() as running:
        session_id = await running.client.start(ask_script())
        await running.client.initialize(session_id)
        request = fork_and_retry_pb2.ForkSessionRequest(session_id=session_id, replacement=tried)
        forked = (await running.client.stubs.session.ForkSession(request)).session
        theirs = await outline(running.client, session_id=forked.session_id)
        ours = await outline(running.client, session_id=session_id)
    spoken = [told.phases[0].topics[0].actions[0].config["content"] for told in (theirs, ours)]
    assert spoken == ["贵姓", "怎么称呼你"]


@pytest.mark.parametrize("named", [{}, {"script_id": "asking", "session_id": "s"}])
async def test_an_outline_is_of_one_thing(named: dict[str, str]) -> None:
    """Neither and both are INVALID_ARGUMENT."""
    async with running_executor() as running:
        with pytest.raises(aio.AioRpcError) as caught:
            await outline(running.client, **named)
    assert caught.value.code() is StatusCode.INVALID_ARGUMENT
