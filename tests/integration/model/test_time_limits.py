"""How long a call of a model takes at most, whatever its server does, with both readers."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress

import pytest

from heartrule.domain.errors import ModelUnavailable
from heartrule.model import model_failures as failures
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.time_limits import Timeouts
from tests.support.model_client import ModelClient
from tests.support.scripted_model import Pause, Reply, delta, event

REPLY = '{"EXIT":"NO","content":"你好，😀！","BRIEF":"问候"}'
DONE = b"data: [DONE]\n\n"
STOP = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})


async def test_silent_server(client: ModelClient) -> None:
    """A server that never begins is given up in time."""
    client.server.say(Reply(REPLY, pauses={0: Pause()}))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(client.model(timeouts=Timeouts(first_token=0.1)))
    assert caught.value.reason == failures.TIMEOUT


async def test_server_that_stalls(client: ModelClient) -> None:
    """So is one that stops in the middle; what came is in the record."""
    client.server.say(Reply(REPLY, pauses={2: Pause()}))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(client.model(timeouts=Timeouts(between_tokens=0.1)))
    assert caught.value.reason == failures.TIMEOUT
    assert client.calls[0].output == REPLY[:8]


async def test_a_reply_without_end(client: ModelClient) -> None:
    """However long its tokens take, a reply is given up when its whole time is over."""
    client.server.say(Reply(REPLY, pauses={2: Pause()}))
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(client.model(timeouts=Timeouts(total=1.5)))
    assert (caught.value.reason, client.calls[0].output) == (failures.TIMEOUT, REPLY[:8])


async def test_an_answer_without_end(client: ModelClient) -> None:
    """A server that answers at once instead of streaming is given up in time as well."""
    begun = Reply(raw=(b"{", b"}"), pauses={1: Pause()}, content_type="application/json")
    client.server.say(begun)
    with pytest.raises(ModelUnavailable) as caught:
        await client.ask(client.model(timeouts=Timeouts(total=0.5)))
    assert caught.value.reason == failures.TIMEOUT


async def test_events_without_a_token(client: ModelClient) -> None:
    """An event without text is no first token; a thought is one."""
    role = event({"choices": [{"delta": {"role": "assistant", "content": ""}, "index": 0}]})
    thought = event({"choices": [{"delta": {"reasoning_content": "想"}, "index": 0}]})
    limits = Timeouts(first_token=0.5, between_tokens=60)
    for begun, pause in ((role, Pause()), (thought, Pause())):
        client.server.say(Reply(raw=(begun, delta(REPLY), STOP, DONE), pauses={1: pause}))
        asking = asyncio.create_task(client.ask(client.model(timeouts=limits)))
        await client.server.received(len(client.server.requests) or 1)
        done, _ = await asyncio.wait([asking], timeout=1)
        assert bool(done) is (begun is role)
        pause.go.set()
        await asyncio.gather(asking, return_exceptions=True)
    assert client.got == [REPLY]


async def test_the_callers_time_limit_holds_where_all_limits_pass_at_once(
    client: ModelClient,
) -> None:
    """The event loop may be late: then the call's limits and its caller's pass in one iteration."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        model = client.model(base_url=address, timeouts=Timeouts(total=0.3))
        await model.prepare()
        asyncio.get_running_loop().call_later(0.25, threading.Event().wait, 0.1)
        with pytest.raises(TimeoutError):
            await _asked_once(client, model, within_s=0.3)


async def _asked_once(client: ModelClient, model: ProviderChatModel, *, within_s: float) -> None:
    async with asyncio.timeout(within_s):
        with suppress(ModelUnavailable):
            await client.ask(model)
        pytest.fail("the caller's limit was lost")
