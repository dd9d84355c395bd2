"""An input in danger that the store takes late, or whose turn it does not let commit."""

from __future__ import annotations

from typing import Any

from heartrule.domain.events import InputRejected
from heartrule.v1 import safety_request_pb2 as pb
from tests.support.doors import by_retry_turn, by_submit_input, typed
from tests.support.executors import Neighbours, running_executor
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


async def test_an_input_that_is_stored_late_is_one_hit() -> None:
    """Its client was shown the card in time; the turn that runs later records it, nobody else."""
    store = StoppableStore()
    around = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]), store=store.as_store())
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        inputs = running.executor.sessions.inputs
        inputs.deadline_s = 0.05
        store.stop(Stopped.HANGS)
        await by_submit_input(running.client, session_id, typed(CRISIS))
        store.resume()
        await inputs.background.idle()
        await running.executor.turns.idle()
        request = pb.ListSafetyEventsRequest(session_id=session_id)
        (event,) = (await running.client.stubs.safety.ListSafetyEvents(request)).events
    assert not event.refused


async def test_a_retry_that_is_stored_late_is_run_at_once_and_is_one_hit() -> None:
    """No sweep is waited for, and its turn alone records what it says."""
    store = StoppableStore()
    model = FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")])
    async with running_executor(Neighbours(model=model, store=store.as_store())) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m0", "叫我小明")
        inputs = running.executor.sessions.inputs
        inputs.deadline_s = 0.05
        store.stop(Stopped.HANGS)
        assert "12356" in await by_retry_turn(running.client, session_id, typed(CRISIS))
        store.resume()
        await inputs.background.idle()
        await running.executor.turns.idle()
        request = pb.ListSafetyEventsRequest(session_id=session_id)
        (event,) = (await running.client.stubs.safety.ListSafetyEvents(request)).events
    assert not event.refused


async def test_a_retry_whose_turn_commits_nothing_is_answered_by_the_card() -> None:
    """Whoever watches the session is told where help is, though the store hangs by now."""
    store = StopsAtCommit()
    model = FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")])
    async with running_executor(Neighbours(model=model, store=store.as_store())) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m0", "叫我小明")
        running.executor.sessions.inputs.turn_deadline_s = 0.3
        async with running.client.converse(session_id) as stream:
            store.stops = True
            assert not await by_retry_turn(running.client, session_id, typed(CRISIS))
            try:
                rejected = await stream.until_body(InputRejected)
            finally:
                store.stops = False
                store.resume()
    assert rejected.fallback is not None
    assert "12356" in rejected.fallback.card.text
