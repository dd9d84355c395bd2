"""A conversation over real gRPC that survives its streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import grpc
import pytest

from heartrule.domain.conversation import Audience
from heartrule.domain.events import MessageCommitted, Opened, SessionEvent
from heartrule_cli.chat.conversation_stream import ConversationStream, LinkChanged, Update, Wish
from heartrule_cli.executor_client import executor_at
from heartrule_cli.failure import Failure, Unreachable
from tests.support.fake_executor import SESSION, FakeExecutor, serving


def wish(*, session_id: str = SESSION, after: int = 0, patience_s: float = 20.0) -> Wish:
    return Wish(
        session_id=session_id,
        after_sequence=after,
        drafts=False,
        audiences=frozenset({Audience.CLIENT}),
        patience_s=patience_s,
    )


@asynccontextmanager
async def conversing(
    fake: FakeExecutor, asked: Wish | None = None
) -> AsyncIterator[tuple[ConversationStream, AsyncIterator[Update]]]:
    """Yield a conversation with the fake and its events."""
    async with serving(fake) as address, executor_at(address) as executor:
        conversation = ConversationStream(executor, asked or wish())
        events = conversation.events()
        yield conversation, events
        await events.aclose()  # type: ignore[attr-defined]


async def until(events: AsyncIterator[Update], wanted: Callable[[Update], bool]) -> list[Update]:
    """Return what is told up to the wanted event."""
    told: list[Update] = []
    async with asyncio.timeout(20):
        async for one in events:
            told.append(one)
            if wanted(one):
                return told
    raise AssertionError("the events ended")


def says(text: str) -> Callable[[Update], bool]:
    def wanted(told: Update) -> bool:
        return spoken(told) == text

    return wanted


def spoken(told: Update) -> str:
    if isinstance(told, SessionEvent) and isinstance(told.body, MessageCommitted):
        return told.body.message.plain_text()
    return ""


async def test_an_input_is_answered() -> None:
    """Opened, the opening turn, then the answer to what was said."""
    async with conversing(FakeExecutor()) as (conversation, events):
        told = await until(events, says("hello"))
        assert isinstance(told[0], SessionEvent)
        assert isinstance(told[0].body, Opened)
        await conversation.say("c-1", "hi")
        assert spoken((await until(events, says("echo hi")))[-1]) == "echo hi"


async def test_after_a_lost_stream_the_same_input_is_sent_again() -> None:
    """It goes on by sequence with the same id, and each message is told once."""
    fake = FakeExecutor(drop_inputs=1)
    async with conversing(fake) as (conversation, events):
        await until(events, says("hello"))
        await conversation.say("c-1", "hi")
        told = await until(events, says("echo hi"))
        await conversation.say("c-2", "on")
        told += await until(events, says("echo on"))
    assert fake.received == ["c-1", "c-1", "c-2"]
    assert fake.opened_after[1] > 0
    assert [spoken(one) for one in told if spoken(one)] == ["echo hi", "echo on"]
    assert [one.up for one in told if isinstance(one, LinkChanged)] == [False, True]


async def test_an_answered_input_is_not_sent_again() -> None:
    """After a reconnection only what is open goes out."""
    fake = FakeExecutor()
    async with conversing(fake) as (conversation, events):
        await until(events, says("hello"))
        await conversation.say("c-1", "hi")
        await until(events, lambda one: getattr(one, "sequence", 0) == 4)
        fake.drop_inputs = 1
        await conversation.say("c-2", "on")
        await until(events, says("echo on"))
    assert fake.received == ["c-1", "c-2", "c-2"]


@pytest.mark.parametrize(
    "status", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED, grpc.StatusCode.CANCELLED]
)
async def test_a_passing_status_is_tried_again(status: grpc.StatusCode) -> None:
    """A server that stops or restarts ends streams with these."""
    async with conversing(FakeExecutor(refuse=[status])) as (_, events):
        told = await until(events, says("hello"))
    assert [one.up for one in told if isinstance(one, LinkChanged)] == [False, True]


async def test_a_silent_stream_is_replaced() -> None:
    """Three heartbeats that fail to come mean a broken stream."""
    fake = FakeExecutor(heartbeat=timedelta(milliseconds=1))
    async with conversing(fake) as (_, events):
        await until(events, says("hello"))
        await until(events, lambda one: isinstance(one, LinkChanged) and one.up)
    assert len(fake.opened_after) == 2


async def test_a_resumed_conversation_begins_after_what_is_known() -> None:
    """Nothing of before is told again."""
    fake = FakeExecutor()
    async with conversing(fake) as (_, events):
        await until(events, lambda one: getattr(one, "sequence", 0) == 2)
    async with conversing(fake, wish(after=2)) as (conversation, events):
        await conversation.say("c-1", "hi")
        told = await until(events, says("echo hi"))
    assert [spoken(one) for one in told if spoken(one)] == ["echo hi"]


async def test_an_unknown_session_is_said_at_once() -> None:
    """Trying again would not help."""
    async with conversing(FakeExecutor(), wish(session_id="nosuch")) as (_, events):
        with pytest.raises(Failure, match="session was not found"):
            await until(events, says("hello"))


async def test_nobody_waits_for_ever_for_a_server_that_is_gone() -> None:
    """When the patience is over, the address is named."""
    asked = wish(patience_s=0.1)
    async with executor_at("127.0.0.1:1") as executor:
        events = ConversationStream(executor, asked).events()
        with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1"):
            await until(events, says("hello"))
