"""A turn that another replica runs is stopped as promptly as one's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from heartrule.domain.events import Outcome, TurnStarted
from heartrule.domain.ids import new_id
from session_store.open import open_store
from tests.support.conversing import Client
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel
from tests.support.interrupting import Held, held
from tests.support.postgres import fresh_database


@asynccontextmanager
async def two_replicas(shown: str) -> AsyncIterator[tuple[Held, Client]]:
    """Begin a turn on one replica, and give a client of the other."""
    with fresh_database() as address:
        one, two = (open_store(address, boot_id=new_id("exe")) for _ in range(2))
        async with (
            held(shown, store=one) as talk,
            running_executor(Neighbours(model=FakeModel(), store=two)) as other,
        ):
            yield talk, other.client


@pytest.mark.parametrize("shown", ["", "好的，小明。我们"])
async def test_an_interrupt_reaches_the_replica_that_runs_the_turn(shown: str) -> None:
    """A stalled turn ends there, and its own client hears of it."""
    async with two_replicas(shown) as (talk, elsewhere):
        answer = await elsewhere.interrupt(talk.session_id, talk.turn_id)
        ended = await talk.ended()
        assert (answer.already_ended, ended.outcome) == (False, Outcome.INTERRUPTED)


async def test_an_input_elsewhere_interrupts_the_turn_here() -> None:
    """Both replicas' clients hear the stopped turn and the one that answers the input."""
    async with two_replicas("") as (talk, elsewhere):
        async with elsewhere.converse(talk.session_id) as stream:
            await stream.say("m2", "等等", if_busy="IF_BUSY_INTERRUPT")
            assert (await talk.ended()).outcome is Outcome.INTERRUPTED
            assert (await talk.ended()).client_message_ids == ("m2",)


async def test_an_input_elsewhere_restarts_the_turn_here() -> None:
    """The next attempt answers both inputs."""
    async with two_replicas("") as (talk, elsewhere):
        async with elsewhere.converse(talk.session_id) as stream:
            await stream.say("m2", "小红", if_busy="IF_BUSY_RESTART")
            assert (await talk.stream.until_body(TurnStarted)).client_message_ids == ("m1", "m2")
            assert (await talk.ended()).client_message_ids == ("m1", "m2")
