"""Connections to a server that says what the test says: pace, end, loss, reuse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from heartrule.model.http_pool import Answer, Pool

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
async def pool(server: Server) -> AsyncIterator[Pool]:
    """A pool for it, whose patience for silence is short."""
    url = f"http://127.0.0.1:{server.port}/v1"
    made = Pool(url, {"a": "b"}, trusted=None, connect_s=2, read_s=0.3)
    yield made
    await made.aclose()


def in_s(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


async def post(pool: Pool, body: bytes = b"{}") -> Answer:
    return await pool.post(body, deadline=in_s(10))


async def whole(answer: Answer) -> bytes:
    parts = []
    while data := await answer.read():
        parts.append(data)
    answer.release()
    return b"".join(parts)


async def test_request(server: Server, pool: Pool) -> None:
    """Head and body arrive as they were meant."""
    server.say(SIZED % 2 + b"ok", b"")
    assert await whole(await post(pool, b"body")) == b"ok"
    (request,) = server.requests
    assert request.startswith(b"POST /v1 HTTP/1.1\r\na: b\r\nHost: 127.0.0.1:")
    assert request.endswith(b"Content-Length: 4\r\n\r\nbody")


async def test_reading_seldom_gathers(server: Server, pool: Pool) -> None:
    """What comes before the time of a read comes with it, as one."""
    server.say(SIZED % 5 + b"a")
    answer = await post(pool)
    assert await answer.read() == b"a"
    server.say(b"b", b"c")
    assert await answer.read(in_s(0.1)) == b"bc"
    server.say(b"de", b"")
    assert await whole(answer) == b"de"


async def test_end_needs_no_waiting(server: Server, pool: Pool) -> None:
    """After the end there is nothing to wait for, whatever time is named."""
    server.say(SIZED % 1 + b"a", b"")
    answer = await post(pool)
    assert await answer.read() == b"a"
    assert answer.ended
    assert await answer.read(in_s(1000)) == b""
    answer.release()


async def test_connections_are_used_again(server: Server, pool: Pool) -> None:
    """An answer read to its end leaves its connection to the next request."""
    for _ in range(3):
        server.say(SIZED % 1 + b"a", b"")
        assert await whole(await post(pool)) == b"a"
    assert server.connections == 1


@pytest.mark.parametrize("read", [False, True])
async def test_connections_that_end(server: Server, pool: Pool, *, read: bool) -> None:
    """One whose answer was left, or ends with its connection, serves no further request."""
    server.say(CLOSING + b"a", None)
    answer = await post(pool)
    if read:
        assert await whole(answer) == b"a"
    else:
        answer.release()
    server.say(SIZED % 1 + b"b", b"")
    assert await whole(await post(pool)) == b"b"
    assert server.connections == 2


async def test_bytes_nobody_asked_for(server: Server, pool: Pool) -> None:
    """What a server says between two requests is the answer to none of them."""
    server.say(SIZED % 1 + b"a", b"")
    await whole(await post(pool))
    server.writers[0].write(SIZED % 1 + b"x")
    server.say(SIZED % 1 + b"b", b"")
    await server.left.wait()
    assert await whole(await post(pool)) == b"b"


async def test_broken_answer(server: Server, pool: Pool) -> None:
    """An answer that breaks off gives what came, and then the loss."""
    server.say(SIZED % 9 + b"abc", None)
    answer = await post(pool)
    assert await answer.read() == b"abc"
    with pytest.raises(ConnectionError):
        await answer.read(in_s(0.02))
    answer.release()


async def test_no_answer(server: Server, pool: Pool) -> None:
    """A server that leaves without a word, or speaks no HTTP, is a lost connection."""
    for said in (None, b"SSH-2.0-OpenSSH\r\n\r\n"):
        server.say(said)
        with pytest.raises(ConnectionError):
            await post(pool)


async def test_silence(server: Server, pool: Pool) -> None:
    """A pause longer than the limit is the end, before an answer and in it."""
    with pytest.raises(TimeoutError):
        await post(pool)
    server.say(b"", SIZED % 2 + b"a")
    answer = await post(pool)
    assert await answer.read() == b"a"
    with pytest.raises(TimeoutError):
        await answer.read(in_s(0.05))
    answer.release()


async def test_a_rest_is_no_silence(server: Server, pool: Pool) -> None:
    """Who reads more seldom than the limit for silence misses nothing."""
    server.say(SIZED % 2 + b"a")
    answer = await post(pool)
    assert await answer.read() == b"a"
    server.say(b"b", b"")
    assert await answer.read(in_s(0.4)) == b"b"
    answer.release()


async def test_deadline(server: Server, pool: Pool) -> None:
    """The time for all of it ends an answer that still comes."""
    server.say(SIZED % 2 + b"a")
    answer = await pool.post(b"", deadline=in_s(0.05))
    assert await answer.read() == b"a"
    with pytest.raises(TimeoutError):
        await answer.read(in_s(1))
    answer.release()


async def test_large_answer(server: Server, pool: Pool) -> None:
    """More than is held for a reader arrives whole."""
    text = bytes(range(256)) * 8_000
    server.say(SIZED % len(text) + text, b"")
    answer = await post(pool)
    begun = await answer.read(in_s(0.1))
    assert begun + await whole(answer) == text
