"""Report rounds to a monitor and do nothing else: `python -m tests.benchmarks.report_alone`.

Arguments: two databases (ours, the floor's) and a monitor. It answers lines of JSON on stdin:

    {"which": "ours", "rounds": 10, "every_ms": 0}  milliseconds of this process's CPU per report

Sixteen sessions have a turn judged in every round; its turns are made beforehand and not counted.
`every_ms` lies between two reports of a round; 0 hands over all at once, so that they find the
process awake. `ours` is the executor's desk: report, call, answer, and the transaction with advice,
ledger and events; `bare` is the floor's call and its transaction, on plain drivers. Spans are made
where OTEL_* say so.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Protocol

from executor_service.hub import SessionHub
from executor_service.monitoring.client import GrpcMonitor
from executor_service.monitoring.desk import DeskDeps, MonitorDesk
from heartrule.chassis.channels import open_channel
from heartrule.chassis.telemetry_setup import setup_telemetry
from heartrule.chassis.warm_up import warm_up
from heartrule.domain.keys import SessionKey
from heartrule.v1 import conversation_pb2
from session_store.open import open_store
from session_store.ports import Store
from session_store.records import MonitorWork, TurnSnapshot
from tests.benchmarks import workload
from tests.benchmarks.floor_report import FloorReports
from tests.benchmarks.floor_store import FloorStore, open_floor
from tests.benchmarks.lines import Answer, answer_lines, run
from tests.benchmarks.serving import Turn
from tests.support import store_builders as build
from tests.support.engine_builders import ask, script
from tests.support.turn_runner import Shelf

SESSIONS = 16
_OWNER = "bench"
_DEADLINE_S = 30.0


class _Kind(Protocol):
    """Somebody's reports."""

    async def prepared(self) -> Sequence[Callable[[], object]]:
        """Make a turn in every session; each function hands the report of one over."""

    async def idle(self) -> None:
        """Return when every answer is stored."""


class Ours:
    """The executor's desk on our store."""

    def __init__(self, store: Store, keys: Sequence[SessionKey], desk: MonitorDesk) -> None:
        """Go on after the opening turns."""
        self._store = store
        self._keys = keys
        self._desk = desk
        self._rounds = count(1)
        self.idle = desk.idle

    async def prepared(self) -> Sequence[Callable[[], object]]:
        """Commit steps that claim their analysis, as a turn's step does."""
        round_ = next(self._rounds)
        works = [await self._turn(key, round_) for key in self._keys]
        return [lambda work=work: self._desk.hand_over(work) for work in works]  # type: ignore[misc]

    async def _turn(self, key: SessionKey, round_: int) -> MonitorWork:
        mark = f"{round_:08x}"
        said = build.user_input(mark, workload.client_text(mark))
        _, begun = await self._store.accept_and_begin(key, said, owner=_OWNER, ttl=build.LONG)
        assert isinstance(begun, TurnSnapshot), begun
        spoken = workload.spoken(mark)
        step = build.last_step(
            begun,
            build.said(spoken),
            position=build.at_round(round_ + 1, max_rounds=1_000_000_000),
            result=build.judged(round_, ai_message=spoken),
            instances=(build.instance(),),
            monitor_requested=True,
        )
        claiming = replace(step, monitor_owner=_OWNER, monitor_ttl=build.LONG)
        work = (await self._store.commit_step(begun.lease, claiming)).monitor_work
        assert work is not None
        return work


class Bare:
    """The floor's."""

    def __init__(self, store: FloorStore, reports: FloorReports) -> None:
        """Sessions are begun by `prepared`."""
        self._store = store
        self._reports = reports
        self._rounds = count(1)
        self.idle = reports.idle

    async def prepared(self) -> Sequence[Callable[[], object]]:
        """Commit replies that ask for a judgement."""
        round_ = next(self._rounds)
        made = [await self._turn(f"s{number}", round_) for number in range(SESSIONS)]
        return [lambda one=one: self._reports.hand_over(*one) for one in made]  # type: ignore[misc]

    async def _turn(self, session_id: str, round_: int) -> tuple[Turn, int, str, str]:
        store, mark = self._store, f"{round_:08x}"
        if round_ == 1:
            await store.run(store.begin, session_id)
        said = conversation_pb2.UserInput(client_message_id=mark)
        said.parts.add(text=workload.client_text(mark))
        turn, spoken = Turn(None, session_id, said), workload.spoken(mark)
        await store.run(store.accept, session_id, mark, turn.words)
        number = await store.run(
            lambda: store.commit(session_id, turn.message_id, spoken, b'{"round":1}', asks=True)
        )
        return turn, number, spoken, spoken


async def weigh(kind: _Kind, rounds: int, every_s: float) -> float:
    """Return milliseconds of CPU per report."""
    used = 0.0
    for _ in range(rounds):
        handing = await kind.prepared()
        began = time.process_time()
        for hand_over in handing:
            hand_over()
            if every_s:
                await asyncio.sleep(every_s)
        await kind.idle()
        used += time.process_time() - began
    return 1000 * used / (rounds * SESSIONS)


async def serve(address: str, bare: str, monitor: str) -> None:
    """Open both databases and obey until standard input ends."""
    setup_telemetry(service="reports", version="0", environ=os.environ).use()
    store, floor = open_store(address), open_floor(bare)
    await store.start()
    keys = [await build.opened(store, f"s{number}") for number in range(SESSIONS)]
    channel = open_channel(monitor)
    deps = DeskDeps(
        store=store,
        hub=SessionHub(),
        scripts=Shelf(script(ask())),
        monitor=GrpcMonitor(channel, deadline_s=_DEADLINE_S),
        owner=_OWNER,
    )
    kinds: dict[str, _Kind] = {
        "ours": Ours(store, keys, MonitorDesk(deps)),
        "bare": Bare(floor, FloorReports(floor, monitor)),
    }

    async def obey(command: Answer) -> Answer:
        every_s = float(str(command["every_ms"])) / 1000
        kind = kinds[str(command["which"])]
        return {"cpu_ms": await weigh(kind, int(str(command["rounds"])), every_s)}

    warm_up()
    print("reports listening on standard input:0", flush=True)
    await answer_lines(obey)
    await channel.close()
    await store.aclose()


if __name__ == "__main__":
    run(serve(*sys.argv[1:]))
