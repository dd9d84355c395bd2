"""kill -9 around an interrupt: what was asked of the turn holds, and nothing is said twice."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

import pytest

from heartrule.chassis.channels import open_channel
from heartrule.domain.events import DraftDelta, InputAccepted, Outcome, TurnEnded, TurnStarted
from heartrule.model.rehearsal.rehearsal_server import serve
from tests.support.conversing import Client, Conversing
from tests.support.databases import database_address
from tests.support.killing import environment, executor_here, history
from tests.support.processes import service
from tests.support.scripts import ask_script

SLOW_S = 0.3
"""Seconds between two pieces of the model: no turn ends before it is stopped."""
INTERRUPTED, COMPLETED = Outcome.INTERRUPTED, Outcome.SESSION_COMPLETED


@dataclass(frozen=True, slots=True)
class Case:
    """How a turn is stopped, and where its process dies."""

    how: str
    point: str

    def __str__(self) -> str:
        """Name the case."""
        return f"{self.how}-{self.point}"


CASES = (
    Case("rpc", "after_interrupt"),
    Case("rpc", "stopped"),
    Case("rpc", "before_commit"),
    Case("rpc", "after_commit"),
    Case("interrupt", "after_interrupt"),
    Case("interrupt", "stopped"),
    Case("restart", "after_interrupt"),
    Case("restart", "stopped"),
    Case("restart", "after_leave"),
)

PLAYED = (
    *((case, "sqlite") for case in CASES),
    *((case, "postgresql") for case in CASES if case.how != "rpc" and case.point != "stopped"),
)
"""Every case on SQLite; on PostgreSQL those in which another lease, or none, is left behind."""
SHORT = {("rpc", "stopped", "sqlite"), ("restart", "after_leave", "postgresql")}
LONG = pytest.mark.long(
    short="tests/e2e/kill/test_stopped_and_killed.py::test_what_was_asked_of_a_turn_outlives_its_process"
)
PARAMETERS = [
    pytest.param(case, kind, marks=() if (case.how, case.point, kind) in SHORT else LONG)
    for case, kind in PLAYED
]


async def stop(case: Case, client: Client, stream: Conversing, session_id: str) -> None:
    """Stop the turn of m1 in mid-stream, or before its first word where it is to begin anew."""
    await stream.say("m1", "嗯")
    if case.how == "restart":
        await stream.until(lambda e: isinstance(e.body, TurnStarted) and bool(_ids(e.body)))
        await stream.say("m2", "小明", if_busy="IF_BUSY_RESTART")
        return
    shown = await stream.until(lambda e: isinstance(e.body, DraftDelta))
    if case.how == "rpc":
        await client.interrupt(session_id, shown.turn_id)
    else:
        await stream.say("m2", "小明", if_busy="IF_BUSY_INTERRUPT")


def _ids(started: TurnStarted) -> tuple[str, ...]:
    return started.client_message_ids


async def talk(case: Case, client: Client, session_id: str) -> None:
    """Stop the turn and read on, until nobody answers."""
    async with client.converse(session_id) as stream:
        await stop(case, client, stream, session_id)
        await stream.until(lambda _: False)


async def killed(case: Case, environ: dict[str, str], folder: Path, session_id: str) -> None:
    """Stop a turn of an executor that dies on the way."""
    armed = {**environ, "HEARTRULE_TEST_MODE": "1", "HEARTRULE_FAILPOINT": case.point}
    async with service("executor_service", folder, armed) as doomed:
        channel = open_channel(doomed.address)
        client = Client(channel)
        with pytest.raises(Exception, match=r"UNAVAILABLE|CANCELLED|Socket|the stream ended"):
            await talk(case, client, session_id)
        await channel.close()
        assert await doomed.died() == -signal.SIGKILL


@pytest.mark.parametrize(("case", "database"), PARAMETERS, ids=str)
async def test_what_was_asked_of_a_turn_outlives_its_process(
    case: Case, database: str, tmp_path: Path
) -> None:
    """The next process ends, or restarts, the turn as was asked; each input is answered once."""
    slow, fast = await serve(pace_s=SLOW_S), await serve()
    async with database_address(database, tmp_path) as address:
        quick = environment(address, fast.base_url)
        async with executor_here(quick) as client:
            session_id = await client.start(ask_script())
            await client.initialize(session_id)
        await killed(case, environment(address, slow.base_url), tmp_path, session_id)
        async with executor_here(quick) as client:
            first = await client.send(session_id, "m1", "嗯")
            second = await client.send(session_id, "m2", "小明")
            told = await history(client, session_id)
    await slow.aclose()
    await fast.aclose()
    together = case.how == "restart"
    assert first.of(TurnEnded)[-1].outcome is (COMPLETED if together else INTERRUPTED)
    assert second.of(TurnEnded)[-1].outcome is COMPLETED
    ends = [end.client_message_ids for end in told.of(TurnEnded)]
    assert ends == [(), ("m1", "m2")] if together else [(), ("m1",), ("m2",)]
    numbers = [event.sequence for event in told.durable()]
    assert numbers == list(range(1, len(numbers) + 1))
    accepted = [m.client_message_id for body in told.of(InputAccepted) for m in body.messages]
    assert accepted == ["m1", "m2"]
    assert len(told.texts()) == len(set(told.texts()))
