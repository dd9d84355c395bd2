"""Inputs that are refused because their stream cannot begin."""

from __future__ import annotations

import asyncio

import pytest

from executor_service.streams.converse import ConverseStream
from executor_service.streams.relay import View
from heartrule.domain.errors import NotFound
from heartrule.domain.events import InputRejected, SessionEvent
from tests.support.store_builders import user_input
from tests.support.turn_builders import KEY, bodies, house, screened


async def read_into(told: list[SessionEvent], stream: ConverseStream) -> None:
    """Keep what is told before the stream ends with its error."""
    async for event in stream.events(None):
        told.append(event)  # noqa: PERF401  see above


async def test_a_stream_that_cannot_begin_gives_each_input_its_own_card() -> None:
    """One error refuses them all, and what one of them means says nothing of the next."""
    home, said = house(), {"m1": "THIRD_PARTY", "m2": "CRISIS"}
    stream = ConverseStream(home.streams, KEY, View())
    inputs = [screened(home, user_input(*each)) for each in said.items()]
    sent = asyncio.gather(*map(stream.submit, inputs))
    await asyncio.sleep(0)
    stream.end_input()
    told: list[SessionEvent] = []
    with pytest.raises(NotFound):
        await read_into(told, stream)
    await sent
    refused = bodies(told, InputRejected)
    cards = {e.client_message_id: e.fallback and e.fallback.card.level.name for e in refused}
    assert cards == said
