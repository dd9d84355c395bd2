"""A run with threads three deep is taken back, forked, left and erased at each kind of checkpoint.

Document 003, with RESOLUTIONS T10 and T13.
"""

from __future__ import annotations

import pytest

from heartrule.domain.events import HistoryRewound, Outcome, TurnEnded
from heartrule.domain.keys import SessionKey
from heartrule.v1 import erasure_pb2, fork_and_retry_pb2, session_pb2
from session_store.records import Page
from tests.support.thread_places import PLACES, RESULT_COMMITTED
from tests.support.thread_talks import CALLS, RESULT, WHOLE, thread_talk

HERE = "tests/integration/executor/test_threads_under_way.py"
SHORT = ("thread_opened", "message_written", RESULT_COMMITTED)
LONG = pytest.mark.long(short=f"{HERE}::test_an_interrupt_ends_the_wait_and_not_the_thread")
at_each_place = pytest.mark.parametrize(
    "place", [pytest.param(each, marks=() if each in SHORT else LONG) for each in PLACES]
)
GREETING = "你好，我在这里，想从哪里说起都可以。"
UNDELIVERED = "这件事这次没有查成。我们先接着谈，要的话待会儿再试一次。"
FOUND = [GREETING, "查一查睡眠", RESULT, "查到的在上面，你想先试哪一样？"]


async def test_a_turn_waits_for_threads_three_deep() -> None:
    """It speaks behind the result; the model was asked once for each answer."""
    async with thread_talk("thread_opened") as talk:
        await talk.held()
        talk.store.go_on.set()
        ended = await talk.stream.until_body(TurnEnded)
        assert (ended.outcome, ended.degradations) == (Outcome.WAITING, ())
        assert await talk.said() == FOUND
        assert await talk.threads() == list(WHOLE)
        asked = [each.prompt_type for each in talk.running.neighbours.model.requests]
        assert asked.count("thread_unit") == CALLS


@at_each_place
async def test_an_interrupt_ends_the_wait_and_not_the_thread(place: str) -> None:
    """The result comes by itself, and takes its placeholder's place."""
    async with thread_talk(place) as talk:
        await talk.stopped()
        talk.store.go_on.set()
        assert (await talk.replaced()).plain_text() == RESULT
        assert (await talk.said())[:3] == FOUND[:3]
        assert await talk.threads() == list(WHOLE)


@at_each_place
async def test_a_retry_takes_the_threads_back_and_begins_anew(place: str) -> None:
    """What the first run was at writes nothing more, and the second has threads of its own."""
    async with thread_talk(place) as talk:
        await talk.stopped()
        first, _ = await talk.store.list_threads(talk.key, Page(size=9))
        request = fork_and_retry_pb2.RetryTurnRequest(session_id=talk.key.session_id)
        await talk.running.client.stubs.session.RetryTurn(request)
        await talk.stream.until_body(HistoryRewound)
        talk.store.go_on.set()
        await talk.stream.until_body(TurnEnded)
        assert await talk.said() == FOUND
        assert await talk.threads() == list(WHOLE)
        second, _ = await talk.store.list_threads(talk.key, Page(size=9))
        names = [{each.thread.thread_id for each in threads} for threads in (first, second)]
        assert not names[0] & names[1]


@at_each_place
async def test_a_fork_has_no_thread_under_way_and_no_placeholder(place: str) -> None:
    """Its source's run goes on to the end, as if nobody had forked."""
    async with thread_talk(place) as talk:
        await talk.stopped()
        request = fork_and_retry_pb2.ForkSessionRequest(session_id=talk.key.session_id)
        made = (await talk.running.client.stubs.session.ForkSession(request)).session
        fork = SessionKey(talk.key.tenant, made.session_id)
        is_over = place == RESULT_COMMITTED
        assert await talk.threads(fork) == (list(WHOLE) if is_over else [])
        assert (await talk.said(fork))[:3] == [*FOUND[:2], RESULT if is_over else UNDELIVERED]
        talk.store.go_on.set()
        assert (await talk.replaced()).plain_text() == RESULT
        assert await talk.threads() == list(WHOLE)


@at_each_place
async def test_an_erasure_leaves_nothing_and_harms_nobody(place: str) -> None:
    """The run that was at work writes nothing more; others talk on."""
    async with thread_talk(place) as talk:
        await talk.stopped()
        client = talk.running.client
        request = erasure_pb2.DeleteSessionRequest(session_id=talk.key.session_id)
        await client.stubs.session.DeleteSession(request)
        talk.store.go_on.set()
        begin = session_pb2.StartSessionRequest(script_id=talk.script_id)
        other = (await client.stubs.session.StartSession(begin)).session.session_id
        await client.initialize(other)
        told = await client.send(other, "m1", "查一查睡眠")
        assert told.texts()[-1] == FOUND[-1]
        assert await talk.rows_left() == 0
