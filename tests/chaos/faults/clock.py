"""One replica's clock is a day ahead, or an hour behind: leases go by the database's clock.

While nothing dies no lease is taken before its time, but for an urgent input; when the other
replica is killed, the one with the wrong clock finishes its turns within the lease and a second.
Recovery: from the kill until the turns that ran are ended.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from session_store.step_events import ATTEMPT_LOST
from tests.chaos.databases import Database, running_turns, undone_among
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.processes import Process
from tests.chaos.result import Result
from tests.chaos.services import Shape, Trigger
from tests.chaos.watching import LONG_S, until
from tests.chaos.world import INPUTS, Scene, World

TTL_S = 4.0
PACE_S = 0.002
SKEWS = ("+1d", "-1h")
_BEGUN = """
    SELECT e.turn_id, e.attempt, e.create_time, COALESCE(v.body, 'null') FROM events e
    LEFT JOIN events v ON v.kind = 'draft_voided'
    AND (v.session_id, v.turn_id, v.attempt) = (e.session_id, e.turn_id, e.attempt)
    AND v.sequence < e.sequence
    WHERE e.kind = 'turn_started' ORDER BY e.session_id, e.sequence
"""


@dataclass(frozen=True, slots=True)
class Begun:
    """An attempt, begun by the database's clock."""

    turn_id: str
    attempt: int
    at: datetime
    lost: str
    """Why the attempt before it has no end; empty where it has one."""


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Set one replica's clock wrong, in each way."""
    for skew in SKEWS if "postgresql" in options.databases else ():
        yield await skewed(world, skew, options)


async def skewed(world: World, skew: str, options: Options) -> Result:
    """Talk with both replicas, then kill the one whose clock is right."""
    result = Result(fault="clock", database="postgresql", what=f"one replica {skew}",
                    limit_s=options.limit(TTL_S + 1.0), lease_s=TTL_S)  # fmt: skip
    if shutil.which("faketime") is None:
        result.skipped = "faketime is not installed"
        return result
    began = now()
    folder = world.new_folder("clock")
    database = await world.database("postgresql", folder)
    trigger = Trigger(folder / "executor1.trigger")
    shape = Shape(
        executors=2,
        triggers=True,
        monitor=False,
        lease_ttl_s=TTL_S,
        prefixes={"executor2": ("env", *_faked(skew))},
    )
    async with world.scene("clock", database, folder, shape, pace_s=PACE_S) as scene:
        scene.profile.silence_s = 4.0
        await scene.talk(4, INPUTS[:4])
        begun = await asyncio.to_thread(_attempts_of, database)
        result.notes.update(Counter(each.lost for each in begun if each.lost))
        for early in taken_early(begun, lease_s=TTL_S):
            result.require(holds=False, what=f"{early}, and no process had died")
        await _kill_the_right_one(scene, result, trigger)
        result.runs = len(scene.clients)
        result.turns = sum(len(client.latencies) for client in scene.clients)
        result.add(await scene.verdict(compare=False))
    result.took_s = now() - began
    return result


def taken_early(begun: Sequence[Begun], *, lease_s: float) -> list[str]:
    """Return which attempts took a lease that was live; one that is silent for so long has none."""
    before = {(each.turn_id, each.attempt): each.at for each in begun}
    early = []
    for each in begun:
        if each.lost == ATTEMPT_LOST:
            waited = (each.at - before[each.turn_id, each.attempt - 1]).total_seconds()
            if waited < lease_s:
                early.append(f"attempt {each.attempt} of {each.turn_id} began after {waited:.2f} s")
    return early


def _attempts_of(database: Database) -> list[Begun]:
    rows = database.rows(_BEGUN)
    return [
        Begun(str(turn), int(str(attempt)), at, (json.loads(str(voided)) or {}).get("reason", ""))
        for turn, attempt, at, voided in rows
        if isinstance(at, datetime)
    ]


def _faked(skew: str) -> tuple[str, ...]:
    """Return the environment of a wrong clock; `faketime` itself would stand before the service."""
    preloaded = subprocess.run(
        ("faketime", "-f", skew, "printenv", "LD_PRELOAD"),
        check=True,
        capture_output=True,
        text=True,
    )
    # A step of the wall clock leaves the clock that counts seconds alone. Without the last one
    # threads wait for Python's lock up to seconds too long, and live leases run out.
    monotonic = (
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        "DONT_FAKE_MONOTONIC=1",
        "FAKETIME_FORCE_MONOTONIC_FIX=0",
    )
    return (f"LD_PRELOAD={preloaded.stdout.strip()}", f"FAKETIME={skew}", *monotonic)


async def _talk_until_ended(scene: Scene, process: Process) -> None:
    """Hold conversations, again where all clients happened to choose the other replica."""
    while process.runs:
        await scene.talk(4, INPUTS[:4])


async def _kill_the_right_one(scene: Scene, result: Result, trigger: Trigger) -> None:
    """Kill the first replica in the middle of a turn; the second has the wrong clock."""
    right, _ = scene.cluster.executors
    database = scene.cluster.database
    trigger.arm("mid_stream", 3)
    talking = scene.beside(_talk_until_ended(scene, right.running))
    await right.running.died()
    killed, result.kills = now(), 1
    running = await asyncio.to_thread(running_turns, database)

    async def done() -> bool:
        return not await asyncio.to_thread(undone_among, database, tuple(running))

    result.require(await until(done, within_s=LONG_S), "a turn was never finished")
    result.recovered(now() - killed)
    await talking
