"""How long a card takes behind the echo of its input, while sixteen sessions are busy."""

from __future__ import annotations

import asyncio
import time
from itertools import count

from heartrule.v1 import conversation_pb2, event_pb2, message_pb2
from tests.benchmarks import workload
from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.figures import percentile
from tests.benchmarks.goals import Row, at_most
from tests.benchmarks.lines import Answer
from tests.benchmarks.load import Client
from tests.benchmarks.rows.paced import EVERY_S, SESSIONS
from tests.benchmarks.rows.row_parts import Progress, Size

_TARGET = Target(database="sqlite", traced=True, copy="card")
_DANGER = "我想自杀"
_PACED: Answer = {"first_s": 0.05, "gap_s": 0.02}
_LIMIT_MS = 20.0
# What the clients in danger say before; the busy sessions count their marks from 1.
_MARKS = count(0xF0000000)


class ClientInDanger(Client):
    """A client whose next message calls for a card."""

    async def card_ms(self, *, running: bool) -> float:
        """Return the time from the echo of that message to its card; `running`: in a turn."""
        if running:
            mark = f"{next(_MARKS):08x}"
            await self._say(mark, workload.client_text(mark))
            await self._until("draft_delta")
        await self._say("danger", _DANGER)
        while "danger" not in _ids(await self._until("input_accepted")):
            pass
        echoed = time.monotonic()
        while (await self._until("message_committed")).message_committed.role != _SYSTEM:
            pass
        return 1000 * (time.monotonic() - echoed)

    async def close(self) -> None:
        """Hang up."""
        await self._channel.close()

    async def _say(self, name: str, text: str) -> None:
        said = conversation_pb2.UserInput(client_message_id=name)
        said.parts.add(text=text)
        await self._call.write(conversation_pb2.ConverseRequest(input=said))

    async def _until(self, kind: str) -> event_pb2.SessionEvent:
        while True:
            response = await self._call.read()
            assert isinstance(response, conversation_pb2.ConverseResponse), "the stream ended"
            if response.event.WhichOneof("event") == kind:
                return response.event


_SYSTEM = message_pb2.ROLE_SYSTEM


def _ids(event: event_pb2.SessionEvent) -> list[str]:
    return [each.client_message_id for each in event.input_accepted.messages]


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Open all sessions, make sixteen of them busy, and let the others ask for a card in turns."""
    bench = await processes.bench(_TARGET)
    server = bench.servers[_TARGET.name].target
    await bench.warm_up(SESSIONS, turns=3)
    number = size.of(400, 60)
    progress(f"opening {number} sessions")
    clients = [ClientInDanger(server) for _ in range(number)]
    script_id = await clients[0].publish("bench")
    for client in clients:
        await client.open(script_id)
    await bench.model.ask(_PACED)
    command = {"target": server, "sessions": SESSIONS, "turns": size.of(40, 8),
               "rate": SESSIONS / EVERY_S}  # fmt: skip
    busy = asyncio.ensure_future(bench.load.ask(command, within_s=600))
    progress(f"{number} cards while {SESSIONS} sessions are busy")
    found: dict[bool, list[float]] = {False: [], True: []}
    for index, client in enumerate(clients):
        if not busy.done():
            running = index % 2 == 1
            found[running].append(await client.card_ms(running=running))
        await client.close()
    await busy
    await processes.end(_TARGET.name)
    whats = {
        False: "the card behind the echo of its input, p99, session at rest",
        True: "the card behind the echo of its input, p99, while its model writes",
    }
    return Row(
        title=f"cards while {SESSIONS} sessions are busy, paced model, tracing on, SQLite",
        goals=[
            at_most(whats[each], _LIMIT_MS, percentile(ms, 99), "ms") for each, ms in found.items()
        ],
        lines=[
            f"{whats[each]}: p50 {percentile(ms, 50):.1f} ms, {len(ms)} cards"
            for each, ms in found.items()
        ],
        figures={"at_rest_ms": found[False], "running_ms": found[True]},
    )
