"""A model's server does everything wrong, before the first word is shown and after it.

Each turn must end with the right status, within its deadline of six seconds give or take one, and
the client's retry must end it well; text is never doubled, which the history checker sees. Memory
may grow by 50 MB. After five failures in a row the model is left alone; recovery is the time from
the model's return to the first turn that ends well.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from heartrule.domain.events import TurnEnded, TurnStarted
from heartrule.v1 import conversation_pb2
from tests.chaos import bad_model as bad
from tests.chaos.client import publish
from tests.chaos.fuzz.target import SCRIPT
from tests.chaos.history import ReceivedEvent, now
from tests.chaos.options import Options
from tests.chaos.result import Result
from tests.chaos.services import Replica, Shape, start_cluster
from tests.chaos.streams import ClientProfile
from tests.chaos.world import Scene, World

DEADLINE_S = 6.0
MOST_BYTES = 50_000_000
PAUSE_S = 5.0
"""How long a model is left alone, by default."""
_LINGER_S = 15.0
_GARBAGE = bytes(range(256)) * 40
_CUT = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 900\r\n\r\ndata: {"
_NONE = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 0\r\n\r\n"
_ERROR = b'data: {"error":{"message":"no"}}\n\n'
_INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n" * 50
LATE = "late"
"""Matches every reason a passed deadline has."""

Case = tuple[bad.Behaviour, int, frozenset[str]]


def _case(behaviour: bad.Behaviour, times: int, *reasons: str) -> Case:
    return behaviour, times, frozenset(reasons)


CASES: Mapping[str, Case] = {
    "429, Retry-After 1": _case(bad.status(429, "Retry-After: 1"), 1, ""),
    "429, Retry-After 60": _case(bad.status(429, "Retry-After: 60"), 1, "MODEL_RATE_LIMITED"),
    "500": _case(bad.status(500), 3, "MODEL_SERVER_ERROR"),
    "stall": _case(bad.stall, 1, LATE),
    "slow first token": _case(bad.slow, 1, ""),
    "cut": _case(bad.raw(_CUT), 3, "MODEL_CONNECTION", "MODEL_STREAM_CUT"),
    "garbage": _case(bad.raw(_GARBAGE), 3, "MODEL_CONNECTION"),
    "empty": _case(bad.raw(_NONE), 3, "MODEL_STREAM_CUT", "MODEL_CONNECTION"),
    "1 byte/s": _case(bad.byte_by_byte, 1, LATE),
    "endless, says nothing": _case(bad.endless_silence, 1, LATE),
    "endless interim answers": _case(bad.raw(_INTERIM, times=100_000), 3, "MODEL_CONNECTION"),
    "10 MB": _case(bad.ten_megabytes, 1, "", "MODEL_STOPPED_EARLY"),
    "endless": _case(bad.endless, 1, "", "MODEL_STOPPED_EARLY"),
    "shown, then cut": _case(bad.begun(bad.raw(b"")), 1, ""),
    "shown, then stall": _case(bad.begun(bad.stall), 1, ""),
    "shown, then garbage": _case(bad.begun(bad.raw(_GARBAGE)), 1, ""),
    "shown, then an error": _case(bad.begun(bad.raw(bad.chunk(_ERROR))), 1, ""),
    "shown, then 1 letter/s": _case(bad.begun(bad.crawl), 1, ""),
}  # fmt: skip


A_FEW = ("500", "garbage", "endless interim answers", "10 MB", "shown, then cut")
"""What a short run plays: those that wait for no deadline."""


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Play every case on one executor, then fail until no request comes any more."""
    folder = world.new_folder("model")
    database = await world.database("sqlite", folder)
    limits = ("HEARTRULE_TURN_TIMEOUT", "HEARTRULE_REPLY_TIMEOUT")
    environ = dict.fromkeys(limits, str(DEADLINE_S))
    shape = Shape(monitor=False, environ=environ)
    names = CASES if options.kills > 2 else A_FEW
    async with bad.bad_model() as model:
        cluster = await start_cluster(
            world.processes, database, folder, shape, model=model.base_url
        )
        try:
            stubs = cluster.executors[0].needed_stubs()
            script_id = await publish(stubs, SCRIPT)
            profile = ClientProfile(rng=world.rng("model"), patience_s=60.0)
            scene = Scene(world, cluster, folder, script_id, profile)
            for name in names:
                yield await _play(scene, model, name, timed=options.timed)
            yield await _breaker(scene, model, timed=options.timed)
            checked = Result(fault="model", database="sqlite", what="history of all cases")
            checked.turns = len(scene.clients)
            checked.add(await scene.verdict(compare=False))
            yield checked
        finally:
            await cluster.aclose()


async def _play(scene: Scene, model: bad.BadModel, name: str, *, timed: bool) -> Result:
    """Let one turn meet the behaviour; its client asks again until it ends well."""
    behaviour, times, allowed = CASES[name]
    result = Result(fault="model", database="sqlite", what=name, runs=1, kills=times)
    began, client = now(), scene.client()
    await client.begin(scene.script_id)
    before = reset_peak(scene.cluster.executors[0])
    model.plan = [behaviour] * times
    await client.say("bad", "我叫小林")
    model.plan.clear()
    grew = peak(scene.cluster.executors[0]) - before
    await client.close()
    took, reason = _first_end(scene, client.name)
    late = not timed or DEADLINE_S - 1 <= took <= DEADLINE_S + 1
    result.require(reason in allowed or (LATE in allowed and late and bool(reason)),
                   f"ended with {reason or 'no problem'} after {took:.1f} s")  # fmt: skip
    result.require(not timed or took <= DEADLINE_S + 1, f"ended {took:.1f} s after it began")
    result.require(grew <= MOST_BYTES, f"memory grew by {grew / 1e6:.0f} MB")
    result.turns, result.took_s = 2, now() - began
    result.notes = {"first end": reason or "ok", "after s": round(took, 2),
                    "memory MB": round(grew / 1e6, 1)}  # fmt: skip
    return result


async def _breaker(scene: Scene, model: bad.BadModel, *, timed: bool) -> Result:
    """Answer 500 until no request comes; then answer well, and time the first good turn."""
    result = Result(fault="model", database="sqlite", what="breaker: 500, then well", runs=1,
                    limit_s=PAUSE_S + 3.0 if timed else None)  # fmt: skip
    began, client = now(), scene.client()
    await client.begin(scene.script_id)
    asked, model.always = model.asked, bad.status(500)
    reasons: list[str] = []
    while "MODEL_PAUSED" not in reasons and now() - began < _LINGER_S:
        reasons.append(await _ask(scene, client.session_id))
    result.kills = model.asked - asked
    result.require(result.kills <= 5, f"{result.kills} calls before it was left alone")
    result.require("MODEL_PAUSED" in reasons, f"no client received MODEL_PAUSED: {reasons}")
    model.always, healed = None, now()
    while await _ask(scene, client.session_id) and now() - healed < _LINGER_S:
        await asyncio.sleep(0.5)
    result.recovered(now() - healed)
    await client.close()
    result.notes = {"calls until left alone": result.kills}
    result.turns, result.took_s = 1, now() - began
    return result


async def _ask(scene: Scene, session_id: str) -> str:
    """Say the same thing again; return the reason its turn failed for, or nothing."""
    stubs = scene.cluster.executors[0].needed_stubs()
    user_input = conversation_pb2.UserInput(client_message_id="bad")
    user_input.parts.add(text="我叫小林")
    request = conversation_pb2.SendMessageRequest(session_id=session_id, input=user_input)
    answers = stubs.conversation.SendMessage(request, timeout=_LINGER_S)
    ends = [each.event.turn_ended async for each in answers if each.event.HasField("turn_ended")]
    return str(ends[-1].problem.reason)


def _ends(scene: Scene, client: str) -> list[tuple[str, float]]:
    """Return how the turns of a client ended that began with its input, and after how long."""
    began, found = 0.0, []
    for record in scene.history.records:
        if not isinstance(record, ReceivedEvent) or record.client != client:
            continue
        body = record.event.body
        if isinstance(body, TurnStarted):
            began = record.at
        elif isinstance(body, TurnEnded) and body.client_message_ids:
            found.append((body.problem.reason if body.problem else "", record.at - began))
    return found


def _first_end(scene: Scene, client: str) -> tuple[float, str]:
    reason, took = _ends(scene, client)[0]
    return took, reason


def reset_peak(replica: Replica) -> int:
    """Forget the process's greatest size, and return its size."""
    folder = Path(f"/proc/{replica.running.pid}")
    (folder / "clear_refs").write_text("5", encoding="ascii")
    return _status(folder, "VmRSS")


def peak(replica: Replica) -> int:
    """Return the greatest size since `reset_peak`."""
    return _status(Path(f"/proc/{replica.running.pid}"), "VmHWM")


def _status(folder: Path, name: str) -> int:
    lines = (folder / "status").read_text(encoding="ascii", errors="replace").splitlines()
    line = next(each for each in lines if each.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024
