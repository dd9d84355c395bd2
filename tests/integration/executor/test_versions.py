"""Versions of a script over gRPC: content makes them, sessions stay on theirs."""

from __future__ import annotations

import pytest
from grpc import StatusCode, aio

from heartrule.v1 import script_pb2, session_pb2
from tests.support.conversing import Client
from tests.support.executors import running_executor
from tests.support.scripts import ask_script


async def versions(
    client: Client, *, size: int = 0, token: str = ""
) -> script_pb2.ListScriptVersionsResponse:
    """Return a page of the versions of the asking script."""
    request = script_pb2.ListScriptVersionsRequest(
        script_id="asking", page_size=size, page_token=token
    )
    return await client.stubs.script.ListScriptVersions(request)


async def pinned(client: Client, session_id: str) -> str:
    """Return the version a session is pinned to."""
    request = session_pb2.GetSessionRequest(session_id=session_id)
    return str((await client.stubs.session.GetSession(request)).session.script_version)


async def test_versions_are_listed_newest_first_each_once() -> None:
    """The same content twice is one version; each has its number and time."""
    async with running_executor() as running:
        for rounds in (1, 2, 2, 3):
            await running.client.publish(ask_script(rounds))
        first = await versions(running.client, size=2)
        rest = await versions(running.client, token=first.next_page_token)
    listed = [*first.versions, *rest.versions]
    assert [each.number for each in listed] == [3, 2, 1]
    assert all(each.HasField("create_time") for each in listed)
    assert len({each.version for each in listed}) == 3


async def test_a_session_without_a_version_gets_the_newest_and_keeps_it() -> None:
    """Publishing again moves new sessions, none that was started."""
    async with running_executor() as running:
        old = await running.client.start(ask_script(1))
        new = await running.client.start(ask_script(2))
        await running.client.publish(ask_script(3))
        third, second, first = (await versions(running.client)).versions
        assert await pinned(running.client, old) == first.version
        assert await pinned(running.client, new) == second.version
        request = session_pb2.StartSessionRequest(script_id="asking")
        newest = (await running.client.stubs.session.StartSession(request)).session
    assert newest.script_version == third.version


async def test_an_unknown_script_has_no_versions() -> None:
    """It is NOT_FOUND, not an empty page."""
    async with running_executor() as running:
        with pytest.raises(aio.AioRpcError) as caught:
            await versions(running.client)
    assert caught.value.code() is StatusCode.NOT_FOUND
