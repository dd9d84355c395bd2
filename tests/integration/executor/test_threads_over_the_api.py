"""Threads of agents over gRPC, as an executor keeps them, and as a terminal shows them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from grpc import StatusCode, aio

from heartrule.v1 import thread_pb2, thread_request_pb2
from heartrule_cli.chat.event_printer import EventPrinter
from heartrule_cli.chat.screen import Screen
from heartrule_cli.narration.session_record import Record
from heartrule_cli.style import Style
from tests.integration.executor.test_agents_with_threads import (
    AGENT,
    FOUND,
    RESULT,
    SPAWN,
    TALKS,
)
from tests.support.agent_runs import RunTalk, run_talk
from tests.support.scripts import topic_script

PATH = "messages.2.meta._thread"


async def read(talk: RunTalk, **named: Any) -> thread_request_pb2.GetThreadResponse:
    """Read a thread of the talk."""
    asked = {"session_id": talk.session_id, **named}
    request = thread_request_pb2.GetThreadRequest(**asked)
    return await talk.running.client.stubs.thread.GetThread(request)


async def test_an_agents_thread_is_read_by_path_and_as_a_document() -> None:
    """Its result stands in the conversation, what was said nested in it."""
    async with run_talk(SPAWN, TALKS, nodes=[FOUND, "YES", RESULT], actions=(AGENT,)) as talk:
        await talk.says("m1", "帮我查查")
        found = await read(talk, path=PATH)
        stub = talk.running.client.stubs.thread
        asked = thread_request_pb2.ListThreadsRequest(session_id=talk.session_id)
        (listed,) = (await stub.ListThreads(asked)).threads
        document = json.loads((await read(talk, as_document=True)).document)
    said = document["messages"][2]
    assert (listed.thread_id, listed.path) == (found.thread.thread_id, PATH)
    assert found.thread.state == thread_pb2.THREAD_STATE_COMPLETED
    assert found.thread.result_text == RESULT == said["text"]
    nested = said["meta"]["_thread"]["messages"]
    assert [each["text"] for each in nested] == [each.text for each in found.messages]
    assert FOUND in [each.text for each in found.messages]


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"thread_id": "thr_9"}, StatusCode.NOT_FOUND),
        ({"path": "messages.1.meta._thread"}, StatusCode.NOT_FOUND),
        ({"path": "messages.2.meta"}, StatusCode.INVALID_ARGUMENT),
        ({"path": "messages.1.meta._thread", "is_its": True}, StatusCode.ABORTED),
    ],
    ids=str,
)
async def test_a_wrong_name_has_its_status(named: dict[str, Any], code: StatusCode) -> None:
    """The id is the truth: a path that leads elsewhere is overtaken."""
    async with run_talk(SPAWN, TALKS, nodes=[FOUND, "YES", RESULT], actions=(AGENT,)) as talk:
        await talk.says("m1", "帮我查查")
        if named.pop("is_its", False):
            named["thread_id"] = (await read(talk, path=PATH)).thread.thread_id
        with pytest.raises(aio.AioRpcError) as refused:
            await read(talk, **named)
    assert refused.value.code() is code


async def test_a_thread_of_another_session_is_not_there() -> None:
    """Its id, which is right, leads nowhere: neither to it nor to what was said in it."""
    async with run_talk(SPAWN, TALKS, nodes=[FOUND, "YES", RESULT], actions=(AGENT,)) as talk:
        await talk.says("m1", "帮我查查")
        name = (await read(talk, path=PATH)).thread.thread_id
        other = await talk.running.client.start(topic_script(AGENT))
        listing = thread_request_pb2.ListThreadMessagesRequest(session_id=other, thread_id=name)
        with pytest.raises(aio.AioRpcError) as unread:
            await read(talk, session_id=other, thread_id=name)
        with pytest.raises(aio.AioRpcError) as unlisted:
            await talk.running.client.stubs.thread.ListThreadMessages(listing)
    assert {unread.value.code(), unlisted.value.code()} == {StatusCode.NOT_FOUND}


async def test_a_terminal_shows_one_line_that_becomes_the_result() -> None:
    """And `show` prints the thread beneath it."""
    async with run_talk(SPAWN, TALKS, nodes=[FOUND, "YES", RESULT], actions=(AGENT,)) as talk:
        await talk.says("m1", "帮我查查")
        told = talk.stream.told.events
    out, record = io.StringIO(), Record()
    printer = EventPrinter(Screen(out, Style(colours=False), live=True), debug=False)
    for event in told:
        printer.show(event)
        record.add(event)
    screen = out.getvalue()
    (result,) = (each for each in record.messages if each.replaces_message_id)
    lines = list(record.threads.lines(result.message_id, replaces=result.replaces_message_id))
    assert f"\x1b[J{RESULT}\n" in screen
    assert [each.plain_text() for each in record.messages] == [
        "帮我查查",
        RESULT,
        "想先试哪一样？",
    ]
    assert lines[0].startswith("thread researcher: completed")
    assert f"  bot   {FOUND}" in lines
