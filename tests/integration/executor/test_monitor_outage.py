"""A monitor that is away or dies at random: conversations go on, and every report has its end."""

from __future__ import annotations

import asyncio
import random

import pytest

from heartrule.domain.events import AnalysisEnded, Outcome, TurnEnded
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisOutcome, AnalysisReport
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises
from tests.support.scripts import ask_script

SESSIONS, TURNS = 8, 4
LOST = RuntimeError("the monitor was killed")


class MortalMonitor(FakeMonitor):
    """Dies before, or after, it has judged; the same rounds each time."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._dice = random.Random(seed)

    async def analyze(self, report: AnalysisReport, *, judged_turn: str) -> AnalysisAnswer:
        """Answer half of the time."""
        self.reports.append(report)
        if self._dice.random() < 0.5:
            raise LOST
        return advises("慢一点")


def load(monitor: FakeMonitor) -> Neighbours:
    """Return neighbours whose model has a reply for every turn of every session."""
    replies = [ask_reply("慢慢说。")] * (SESSIONS * (TURNS + 1))
    return Neighbours(model=FakeModel(replies), monitor=monitor)


async def talk(running: Running) -> tuple[str, list[TurnEnded]]:
    """Hold one conversation as fast as it goes, and return how its turns ended."""
    session_id = await running.client.start(ask_script(9))
    async with running.client.converse(session_id) as stream:
        await stream.until_body(TurnEnded)
        ends = [await stream.turn(f"m{number}", "嗯") for number in range(TURNS)]
    return session_id, ends


async def analyses(running: Running, session_id: str) -> list[AnalysisEnded]:
    """Return how the analyses of a session ended, by its events."""
    key = SessionKey(DEFAULT_TENANT, session_id)
    events = await running.neighbours.store.read_events(key, 0)
    return [event.body for event in events if isinstance(event.body, AnalysisEnded)]


@pytest.mark.parametrize("seed", range(3))
async def test_no_turn_fails_when_the_monitor_is_killed_at_random(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Every turn waits for the client again, whatever became of its analysis."""
    del caplog
    async with running_executor(load(MortalMonitor(seed))) as running:
        talks = await asyncio.gather(*(talk(running) for _ in range(SESSIONS)))
    ends = [end.outcome for _, turns in talks for end in turns]
    assert ends == [Outcome.WAITING] * (SESSIONS * TURNS)


async def test_an_outage_delays_no_reply_and_loses_no_report() -> None:
    """The monitor answers nobody while all talk; afterwards each round has an end, once."""
    monitor = FakeMonitor(gate=asyncio.Event())
    async with running_executor(load(monitor)) as running:
        talks = await asyncio.gather(*(talk(running) for _ in range(SESSIONS)))
        assert monitor.gate is not None
        monitor.gate.set()
        await running.executor.dispatcher.background.idle()
        await running.executor.dispatcher.sweep()
        await running.executor.dispatcher.background.idle()
        for session_id, _ in talks:
            ended = await analyses(running, session_id)
            assert sorted(each.about_round for each in ended) == list(range(1, TURNS + 1))
            counted = {AnalysisOutcome.NO_ADVICE, AnalysisOutcome.DROPPED, AnalysisOutcome.SKIPPED}
            assert {each.result for each in ended} <= counted
