"""Clients that misuse the executor's port, while others talk: no other client may suffer.

Slow readers, a flood of connections, streams reset as soon as they are opened, oversized and
malformed frames. The executor must not end, its memory must stay bounded, and the turns of the
others go on; their 99th percentile is a figure of the report, the limit of 200 ms a goal for a
machine that is not loaded otherwise. Recovery: each turn of the others.
"""

from __future__ import annotations

import asyncio
import random
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress

from tests.chaos.faults.model import peak, reset_peak
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.result import Result
from tests.chaos.services import Shape
from tests.chaos.watching import watched
from tests.chaos.world import INPUTS, Scene, World

MOST_BYTES = 150_000_000
CONNECTIONS = 200
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RESET, _SETTINGS, _PING = 0, 1, 3, 4, 6
_END_HEADERS, _END_STREAM = 4, 1
_PATH = b"/heartrule.v1.ConversationService/Converse"

Abuse = Callable[[int, random.Random], Awaitable[int]]


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return an HTTP/2 frame."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(
        ">I", stream) + payload  # fmt: skip


def _field(name: bytes, value: bytes) -> bytes:
    """Return a header field as a literal without any compression."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


_HEAD = b"".join([
    _field(b":method", b"POST"), _field(b":scheme", b"http"), _field(b":path", _PATH),
    _field(b":authority", b"x"), _field(b"content-type", b"application/grpc"),
    _field(b"te", b"trailers"),
])  # fmt: skip
_OPENING = _PREFACE + frame(_SETTINGS, 0, 0, b"")


async def _spoken(port: int, data: bytes, *, hold_s: float = 0.0) -> None:
    """Write bytes to a connection of its own, and leave."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(5.0):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(data)
                await writer.drain()
                await asyncio.sleep(hold_s)
            finally:
                writer.transport.abort()


async def flood(port: int, _: random.Random) -> int:
    """Open many connections at once; half of them say nothing at all."""
    each = (_spoken(port, _OPENING if n % 2 else b"", hold_s=1.0) for n in range(CONNECTIONS))
    await asyncio.gather(*each)
    return CONNECTIONS


async def rapid_reset(port: int, _: random.Random) -> int:
    """Open streams and reset them at once, two thousand on a connection."""
    streams = range(1, 4001, 2)
    pairs = (
        frame(_HEADERS, _END_HEADERS, stream, _HEAD)
        + frame(_RESET, 0, stream, struct.pack(">I", 8))
        for stream in streams
    )
    await _spoken(port, _OPENING + b"".join(pairs), hold_s=0.3)
    return len(streams)


async def oversized(port: int, _: random.Random) -> int:
    """Announce messages and frames larger than any that is taken."""
    head = frame(_HEADERS, _END_HEADERS, 1, _HEAD)
    huge = struct.pack(">BI", 0, 2**31 - 1) + b"x" * 16_000
    for data in (
        head + frame(_DATA, 0, 1, huge),
        head + frame(_DATA, _END_STREAM, 1, b"x" * 60_000),
        head + b"\xff\xff\xff" + bytes([_DATA, 0]) + struct.pack(">I", 1) + b"x" * 200_000,
        frame(_HEADERS, _END_HEADERS, 1, _field(b"x-long", b"y" * 120) * 130),
    ):
        await _spoken(port, _OPENING + data, hold_s=0.1)
    return 4


async def malformed(port: int, rng: random.Random) -> int:
    """Write noise, and frames of any kind with anything in them."""
    for number in range(40):
        noise = rng.randbytes(rng.randrange(1, 400))
        anything = frame(rng.randrange(12), rng.randrange(256), rng.randrange(8), noise)
        head = frame(_HEADERS, _END_HEADERS, 1, _HEAD)
        message = frame(_DATA, 0, 1, struct.pack(">BI", number % 2, len(noise)) + noise)
        await _spoken(port, (noise, _OPENING + anything, _OPENING + head + message)[number % 3])
    return 40


async def slow_readers(port: int, _: random.Random) -> int:
    """Open streams and never read what comes, with a window of a byte."""
    window = frame(_SETTINGS, 0, 0, struct.pack(">HI", 4, 1))
    stream = frame(_HEADERS, _END_HEADERS, 1, _HEAD)
    each = (
        _spoken(port, _PREFACE + window + stream + frame(_PING, 0, 0, b"12345678"), hold_s=1.0)
        for _ in range(50)
    )
    await asyncio.gather(*each)
    return 50


ABUSES: Mapping[str, Abuse] = {
    "slow readers": slow_readers,
    "connection flood": flood,
    "rapid reset": rapid_reset,
    "oversized frames": oversized,
    "malformed frames": malformed,
}


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Let clients talk alone, then beside each abuse, on one executor."""
    folder = world.new_folder("abuse")
    database = await world.database("sqlite", folder)
    async with world.scene("abuse", database, folder, Shape(monitor=False)) as scene:
        scene.profile.read_back = 0.0
        yield await _beside(scene, options, "no one else", None)
        for name, abuse in ABUSES.items():
            yield await _beside(scene, options, name, abuse)
        checked = Result(fault="abuse", database="sqlite", what="history of the others")
        checked.turns = len(scene.clients) * len(INPUTS)
        checked.add(await scene.verdict(compare=False))
        yield checked


async def _beside(scene: Scene, options: Options, name: str, abuse: Abuse | None) -> Result:
    """Let clients have conversations while a port is misused over and over."""
    result = Result(fault="abuse", database="sqlite", what=name, runs=1)
    executor = scene.cluster.executors[0]
    began, before = now(), reset_peak(executor)
    first = len(scene.clients)
    rng = scene.world.rng(f"abuse/{name}")
    async with watched(executor) as probes:
        talking = scene.beside(scene.talk(max(options.clients // 3, 2)))
        while abuse is not None and not talking.done():
            result.kills += await abuse(executor.running.port, rng)
        await talking
    clients = scene.clients[first:]
    times = sorted(took for client in clients for took in client.latencies)
    result.recovered_s, result.turns = times, len(times)
    grew = peak(executor) - before
    result.require(executor.running.runs, "the executor ended")
    result.require(probes.always_alive(), "it did not say that it lives")
    result.require(grew <= MOST_BYTES, f"memory grew by {grew / 1e6:.0f} MB")
    result.require(not sum(client.errors for client in clients), "others lost their streams")
    p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
    result.notes = {"others' turns p50 ms": round(times[len(times) // 2] * 1000),
                    "p99 ms": round(p99 * 1000), "memory MB": round(grew / 1e6, 1)}  # fmt: skip
    result.took_s = now() - began
    return result
