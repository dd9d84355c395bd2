"""A client against a server that sends what the test says: pace, end, loss, reuse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from heartrule.model.openai_client import Client, ModelResponse, make_client
from heartrule.model.providers import ModelNames, Provider
from heartrule.model.time_limits import Timeouts

LOST = (ConnectionError, aiohttp.ClientError)
TIMEOUTS = Timeouts(connect=20, first_token=0.3, between_tokens=0.3)
SIZED = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n"
CLOSING = b"HTTP/1.1 200 OK\r\n\r\n"


class Server:
    """Answers every request with the bytes put into `says`; None closes the connection."""

    def __init__(self) -> None:
        self.says: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.requests: list[bytes] = []
        self.connections = 0
        self.port = 0
        self.writers: list[asyncio.StreamWriter] = []
        self.left = asyncio.Event()
        """Set once a connection has ended."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        while data := await reader.read(65_536):
            self.requests.append(data)
            while (said := await self.says.get()) not in (None, b""):
                assert said is not None
                writer.write(said)
            if said is None:
                break
        writer.close()
        self.left.set()

    def say(self, *texts: bytes | None) -> None:
        for text in texts:
            self.says.put_nowait(text)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A server on a free port."""
    made = Server()
    listening = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = listening.sockets[0].getsockname()[1]
    yield made
    listening.close()
    for writer in made.writers:
        writer.close()


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    """A client of the server that takes 0.3 s of silence for a time-out."""
    url = f"http://127.0.0.1:{server.port}/v1"
    provider = Provider(base_url=url, models=ModelNames(talk="m"), timeouts=TIMEOUTS)
    made = await make_client(provider, "sk")
    yield made
    await made.aclose()


def in_s(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


async def post(client: Client, body: bytes = b"{}", *, within_s: float = 10) -> ModelResponse:
    return await client.post(body, timeouts=TIMEOUTS, deadline=in_s(within_s))


async def whole(response: ModelResponse) -> bytes:
    parts = []
    while data := await response.read():
        parts.append(data)
    response.release()
    return b"".join(parts)


async def test_request(server: Server, client: Client) -> None:
    """The body arrives as it was meant, with the SDK's headers, and asks for no encoding."""
    server.say(SIZED % 2 + b"ok", b"")
    assert await whole(await post(client, b"body")) == b"ok"
    head, _, body = b"".join(server.requests).partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/chat/completions HTTP/1.1\r\n")
    assert b"\r\nAuthorization: Bearer sk\r\n" in head
    assert b"\r\nAccept-Encoding: identity\r\n" in head
    assert body == b"body"


async def test_reading_seldom_gathers(server: Server, client: Client) -> None:
    """Bytes that come before the time of a read are returned together."""
    server.say(SIZED % 5 + b"a")
    response = await post(client)
    assert await response.read() == b"a"
    server.say(b"b", b"c")
    assert await response.read(in_s(0.1)) == b"bc"
    server.say(b"de", b"")
    assert await whole(response) == b"de"


async def test_the_end_of_the_body_ends_a_wait(server: Server, client: Client) -> None:
    """A read that would last a thousand seconds returns when the body ends, and then at once."""
    server.say(SIZED % 2 + b"a")
    response = await post(client)
    assert await response.read() == b"a"
    reading = asyncio.create_task(response.read(in_s(1000)))
    server.say(b"b", b"")
    async with asyncio.timeout(5):
        assert await reading == b"b"
        assert await response.read(in_s(1000)) == b""
    response.release()


@pytest.mark.parametrize(("interim", "fails"), [(1, False), (1000, True)])
async def test_interim_responses_are_few(
    server: Server, client: Client, interim: int, *, fails: bool
) -> None:
    """A server may say Continue before its response, and is left when it goes on saying so."""
    server.say(b"HTTP/1.1 100 Continue\r\n\r\n" * interim + SIZED % 1 + b"a")
    if fails:
        with pytest.raises(LOST):
            await post(client)
    else:
        assert await (await post(client)).read() == b"a"


async def test_a_loss_ends_a_wait(server: Server, client: Client) -> None:
    """So does the loss of the connection: what came is returned, the next read raises it."""
    server.say(SIZED % 9 + b"a")
    response = await post(client)
    assert await response.read() == b"a"
    reading = asyncio.create_task(response.read(in_s(1000)))
    server.say(b"b", None)
    async with asyncio.timeout(5):
        assert await reading == b"b"
        with pytest.raises(LOST):
            await response.read(in_s(1000))
    response.release()


async def test_connections_are_used_again(server: Server, client: Client) -> None:
    """A response read to its end leaves its connection to the next request."""
    for _ in range(3):
        server.say(SIZED % 1 + b"a", b"")
        assert await whole(await post(client)) == b"a"
    assert server.connections == 1


@pytest.mark.parametrize("read", [False, True])
async def test_connections_that_end(server: Server, client: Client, *, read: bool) -> None:
    """A connection whose response was left, or ends with it, serves no further request."""
    server.say(CLOSING + b"a", None)
    response = await post(client)
    if read:
        assert await whole(response) == b"a"
    else:
        response.release()
    server.say(SIZED % 1 + b"b", b"")
    assert await whole(await post(client)) == b"b"
    assert server.connections == 2


async def test_bytes_between_requests(server: Server, client: Client) -> None:
    """What a server sends between two requests answers neither."""
    server.say(SIZED % 1 + b"a", b"")
    await whole(await post(client))
    server.writers[0].write(SIZED % 1 + b"x")
    server.say(SIZED % 1 + b"b", b"")
    await server.left.wait()
    assert await whole(await post(client)) == b"b"


async def test_broken_response(server: Server, client: Client) -> None:
    """A response that breaks off gives what came, and then the loss."""
    server.say(SIZED % 9 + b"abc", None)
    response = await post(client)
    assert await response.read() == b"abc"
    with pytest.raises(LOST):
        await response.read(in_s(0.02))
    response.release()


@pytest.mark.parametrize("said", [
    None,
    b"SSH-2.0-OpenSSH\r\n\r\n",
    b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
    b"HTTP/1.1 200 OK\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\na: " + b"x" * 100_000,
    b"HTTP/1.1 200 OK\r\n" + b"a: \r\n" * 10_000 + b"\r\n",
], ids=["nothing", "ssh", "negative", "length", "long", "fields"])  # fmt: skip
async def test_no_response(server: Server, client: Client, said: bytes | None) -> None:
    """A server that closes without a word, or sends no HTTP, is a lost connection."""
    server.say(said)
    with pytest.raises(LOST):
        await post(client)


@pytest.mark.parametrize("size", [b"g", b"-1", b"0x5", b"f" * 40])
async def test_a_chunk_of_no_size(server: Server, client: Client, size: bytes) -> None:
    """A body whose next chunk has no size is lost, at the deadline at the latest."""
    server.say(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n")
    response = await post(client, within_s=0.5)
    assert await response.read() == b"a"
    server.say(size + b"\r\n")
    with pytest.raises((*LOST, TimeoutError)):  # aiohttp's parser drops the body without an error
        await response.read()
    response.release()


async def test_silence(server: Server, client: Client) -> None:
    """A pause longer than the limit is a time-out, before a response and in it."""
    with pytest.raises(TimeoutError):
        await post(client)
    server.say(b"", SIZED % 2 + b"a")
    response = await post(client)
    assert await response.read() == b"a"
    with pytest.raises(TimeoutError):
        await response.read(in_s(0.05))
    response.release()


async def test_deadline(server: Server, client: Client) -> None:
    """The deadline ends a response that is still coming."""
    server.say(SIZED % 2 + b"a")
    response = await post(client, within_s=0.25)
    assert await response.read() == b"a"
    with pytest.raises(TimeoutError):
        await response.read(in_s(0.5))
    response.release()


async def test_a_deadline_while_nobody_reads(server: Server, client: Client) -> None:
    """The deadline closes the connection as well, so that a server that floods is left in time."""
    server.say(SIZED % 9 + b"a", b"")
    response = await post(client, within_s=0.1)
    async with asyncio.timeout(5):
        await server.left.wait()
    assert await response.read() == b"a"
    with pytest.raises(TimeoutError):
        await response.read()
    response.release()


async def test_large_response(server: Server, client: Client) -> None:
    """More than is held for a reader arrives whole."""
    text = bytes(range(256)) * 8_000
    server.say(SIZED % len(text) + text, b"")
    response = await post(client)
    begun = await response.read(in_s(0.1))
    assert begun + await whole(response) == text
