"""An input in danger that the store takes late, or whose turn it does not let commit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from executor_service.streams.client_inputs import ClientInputs
from heartrule.domain.events import InputRejected
from heartrule.v1 import safety_pb2
from heartrule.v1 import safety_request_pb2 as pb
from tests.support.doors import by_retry_turn, by_submit_input, typed
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script
from tests.support.stopped_stores import StoppableStore, Stopped

CRISIS = "我想自杀"


class StopsAtCommit(StoppableStore):
    """Stops before it commits the next step, once `stops` is set."""

    stops = False

    def __getattr__(self, name: str) -> Any:
        """Stop before a commit is begun."""
        if name == "commit_step" and self.stops:
            self.stop(Stopped.HANGS)
        return super().__getattr__(name)


@dataclass(frozen=True, slots=True)
class Talk:
    """A session in which the client has said a name, at a store that can be stopped."""

    running: Running
    store: StopsAtCommit
    session_id: str

    @property
    def inputs(self) -> ClientInputs:
        """What takes the inputs of the process."""
        return self.running.executor.sessions.inputs

    def stop(self) -> None:
        """Let the store hang, which is waited for a moment."""
        self.inputs.deadline_s = 0.05
        self.store.stop(Stopped.HANGS)

    async def hits(self) -> list[safety_pb2.SafetyEvent]:
        """Let the store work again, and return what it knows once everything has ended."""
        self.store.resume()
        await self.inputs.background.idle()
        await self.running.executor.turns.idle()
        request = pb.ListSafetyEventsRequest(session_id=self.session_id)
        return list((await self.running.client.stubs.safety.ListSafetyEvents(request)).events)


@pytest.fixture
async def talk() -> AsyncIterator[Talk]:
    """Such a session."""
    store, model = StopsAtCommit(), FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")])
    async with running_executor(Neighbours(model=model, store=store.as_store())) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m0", "叫我小明")
        yield Talk(running, store, session_id)


async def test_an_input_that_is_stored_late_is_one_hit(talk: Talk) -> None:
    """Its client was shown the card in time; the turn that runs later records it, nobody else."""
    talk.stop()
    await by_submit_input(talk.running.client, talk.session_id, typed(CRISIS))
    (event,) = await talk.hits()
    assert not event.refused


async def test_a_retry_that_is_stored_late_is_run_at_once_and_is_one_hit(talk: Talk) -> None:
    """No sweep is waited for, and its turn alone records what it says."""
    talk.stop()
    assert "12356" in await by_retry_turn(talk.running.client, talk.session_id, typed(CRISIS))
    (event,) = await talk.hits()
    assert not event.refused


async def test_a_retry_whose_turn_commits_nothing_is_answered_by_the_card(talk: Talk) -> None:
    """Whoever watches the session is told where help is, though the store hangs by now."""
    talk.inputs.turn_deadline_s = 0.3
    client = talk.running.client
    async with client.converse(talk.session_id) as stream:
        talk.store.stops = True
        assert not await by_retry_turn(client, talk.session_id, typed(CRISIS))
        try:
            rejected = await stream.until_body(InputRejected)
        finally:
            talk.store.stops = False
            talk.store.resume()
    assert rejected.fallback is not None
    assert "12356" in rejected.fallback.card.text
