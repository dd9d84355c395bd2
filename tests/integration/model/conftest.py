"""The real client at the scripted server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.model_client import ModelClient
from tests.support.scripted_model import ScriptedModel


@pytest.fixture(params=[False, True], ids=["own_reader", "sdk_objects"])
async def client(request: pytest.FixtureRequest) -> AsyncIterator[ModelClient]:
    """A client that reads events itself, and one that lets the SDK do it."""
    async with ScriptedModel() as server:
        made = ModelClient(server, sdk_objects=request.param)
        yield made
        await made.aclose()
