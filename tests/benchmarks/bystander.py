#!/usr/bin/env python3
"""What others notice while scripts are checked: `tests/benchmarks/bystander.py [--seconds N]`.

An executor of its own process; one bystander reads a session's state every 20 ms: alone, while six
clients check, publish and outline the largest legal script without a pause, and while sessions on
new versions of it begin, which are parsed in a thread. Printed are the bystander's percentiles, how
the six were answered, the first check of the process, and the memory of its workers.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from grpc import aio

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # run as a file, from anywhere
    sys.path.insert(0, str(ROOT))

from heartrule.chassis.channels import open_channel  # noqa: E402
from heartrule.v1 import outline_pb2, script_pb2, session_pb2  # noqa: E402
from tests.benchmarks.children import machine  # noqa: E402
from tests.support.conversing import Client  # noqa: E402
from tests.support.largest_script import largest_script  # noqa: E402
from tests.support.processes import Service, service  # noqa: E402
from tests.support.scripts import ask_script  # noqa: E402

CHECKERS = 6
GOAL_MS = 100.0
"""The most the bystander's 99th percentile may be beside the six."""
_EVERY_S = 0.02
_RESTED_S = 0.5


async def main() -> int:
    """Measure and print; 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description="What others notice while scripts are checked.")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each part")
    seconds = parser.parse_args().seconds
    environ = {"HEARTRULE_PORT": "0", "HEARTRULE_MONITOR_ADDRESS": "off"}
    environ |= {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "OPENAI_API_KEY": "none",
        "HEARTRULE_MODEL": "none",
    }
    with tempfile.TemporaryDirectory() as folder:
        async with service("executor_service", Path(folder), environ) as running:
            return await _measure(running, seconds)


async def _measure(running: Service, seconds: float) -> int:
    async with open_channel(running.address) as channel:
        client = Client(channel)
        began = time.monotonic()
        await client.publish(ask_script())
        print(f"the first publication, a worker's start with it: {time.monotonic() - began:.2f} s")
        session_id = await client.start(ask_script())
        worst = 0.0
        for title, busy, count in (
            ("alone", None, 0),
            ("beside checks", _check, CHECKERS),
            ("beside new sessions", _begin, 1),
        ):
            answers: Counter[str] = Counter()
            async with _busy(running.address, busy, count, answers):
                times = await _watch(client, session_id, seconds)
            p50, p99 = (1000 * times[int(len(times) * part)] for part in (0.5, 0.99))
            worst = max(worst, p99)
            shown = ", ".join(f"{name} {number}" for name, number in answers.items())
            print(f"{title:<20} p50 {p50:6.1f} ms  p99 {p99:6.1f} ms  {shown}")
    for pid in _children(running.process.pid):
        print(f"worker {pid}: {_resident(pid):.0f} MB at most")
    print(f"on {machine()['cpu']}, load average {machine()['load_average']}")
    return 0 if worst <= GOAL_MS else 1


async def _watch(client: Client, session_id: str, seconds: float) -> list[float]:
    """Return how long each call of the bystander took, sorted."""
    request = session_pb2.GetExecutionStateRequest(session_id=session_id)
    until, times = time.monotonic() + seconds, []
    while time.monotonic() < until:
        began = time.monotonic()
        await client.stubs.session.GetExecutionState(request)
        times.append(time.monotonic() - began)
        await asyncio.sleep(_EVERY_S)
    return sorted(times)


Work = Callable[[Client, int], Awaitable[object]]


@asynccontextmanager
async def _busy(
    address: str, work: Work | None, count: int, answers: Counter[str]
) -> AsyncIterator[None]:
    """Let clients of their own work without a pause for the length of a block."""

    async def client(number: int) -> None:
        async with open_channel(address) as channel:
            own = Client(channel)
            while work is not None:
                number += CHECKERS
                try:
                    await work(own, number)
                    answers["OK"] += 1
                except aio.AioRpcError as error:
                    answers[error.code().name] += 1
                    await asyncio.sleep(_RESTED_S)

    tasks = [asyncio.create_task(client(number)) for number in range(count)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _bundle(number: int) -> script_pb2.ScriptBundle:
    """Return the largest script, in a version of its own."""
    text = largest_script().replace(
        b"session_id: largest", b"session_id: large%d" % (number % 1000)
    )
    return script_pb2.ScriptBundle(files={"s.yaml": text[:1_048_576]}, main_path="s.yaml")


async def _check(client: Client, number: int) -> None:
    script = client.stubs.script
    if number % 3 == 0:
        await script.CheckScript(script_pb2.CheckScriptRequest(bundle=_bundle(number)))
        return
    request = script_pb2.PublishScriptRequest(bundle=_bundle(number % 3))
    published = (await script.PublishScript(request)).script
    if number % 3 == 2:
        named = outline_pb2.GetScriptOutlineRequest(script_id=published.script_id)
        await script.GetScriptOutline(named)


async def _begin(client: Client, number: int) -> None:
    request = script_pb2.PublishScriptRequest(bundle=_bundle(number))
    published = (await client.stubs.script.PublishScript(request)).script
    start = session_pb2.StartSessionRequest(script_id=published.script_id)
    await client.stubs.session.StartSession(start)


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in listed.read_text().split()] if listed.exists() else []


def _resident(pid: int) -> float:
    """Return the largest resident set a process had, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
