"""Pictures over real gRPC: uploaded in pieces, published by hash, shown by bytes or address."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from grpc import aio

from heartrule.domain.conversation import Media
from heartrule.domain.events import TurnEnded
from heartrule.v1 import asset_pb2, script_pb2, session_pb2
from tests.support.conversing import Client
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel
from tests.support.scripts import topic_script

PNG = b"\x89PNG\r\n\x1a\n"
SMALL = PNG + b"s" * 1000
LARGE = PNG + b"l" * 1_500_000
SCRIPT = topic_script(
    "{action_type: show_pic, action_id: a, config: {source: assets/small.png, caption: 小}}",
    "{action_type: show_pic, action_id: b, config: {source: assets/large.png, caption: 大}}",
)


async def pieces(data: bytes, mime_type: str = "") -> AsyncIterator[asset_pb2.UploadAssetRequest]:
    """Yield an upload in pieces of a megabyte."""
    for start in range(0, len(data) or 1, 1_000_000):
        chunk = data[start : start + 1_000_000]
        yield asset_pb2.UploadAssetRequest(mime_type=mime_type, chunk=chunk)


async def upload(client: Client, data: bytes, mime_type: str = "") -> asset_pb2.Asset:
    response: asset_pb2.UploadAssetResponse = await client.stubs.asset.UploadAsset(
        pieces(data, mime_type)
    )
    return response.asset


async def fetch(client: Client, request: asset_pb2.GetAssetRequest) -> bytes:
    return b"".join([response.chunk async for response in client.stubs.asset.GetAsset(request)])


def bundle(**assets: str) -> script_pb2.ScriptBundle:
    """Return the script with the small picture inside and the large one by its hash."""
    files = {"script.yaml": SCRIPT.encode(), "assets/small.png": SMALL}
    named = {f"assets/{name}.png": sha256 for name, sha256 in assets.items()}
    return script_pb2.ScriptBundle(files=files, assets=named)


async def published(client: Client) -> str:
    asset = await upload(client, LARGE)
    request = script_pb2.PublishScriptRequest(bundle=bundle(large=asset.sha256))
    response: script_pb2.PublishScriptResponse = await client.stubs.script.PublishScript(request)
    return str(response.script.version)


async def test_an_upload_is_read_back_by_its_hash() -> None:
    """Larger than one message may be, in pieces both ways."""
    async with running_executor(Neighbours(model=FakeModel())) as running:
        asset = await upload(running.client, LARGE, "image/png")
        assert (asset.mime_type, asset.size_bytes) == ("image/png", len(LARGE))
        assert await upload(running.client, LARGE) == asset
        request = asset_pb2.GetAssetRequest(sha256=asset.sha256)
        assert await fetch(running.client, request) == LARGE


@pytest.mark.parametrize(
    ("data", "mime_type"), [(b"<svg/>", ""), (SMALL, "image/gif"), (b"", ""), (PNG * 1_100_000, "")]
)
async def test_what_is_no_picture_is_refused(data: bytes, mime_type: str) -> None:
    """A script in it, another kind than promised, nothing at all, or too much of it."""
    async with running_executor(Neighbours(model=FakeModel())) as running:
        with pytest.raises(aio.AioRpcError) as refused:
            await upload(running.client, data, mime_type)
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_publishing_with_an_unknown_hash_is_a_located_error() -> None:
    """CheckScript says so at the picture's path; PublishScript refuses."""
    async with running_executor(Neighbours(model=FakeModel())) as running:
        unknown = bundle(large="ab" * 32)
        checked: script_pb2.CheckScriptResponse = await running.client.stubs.script.CheckScript(
            script_pb2.CheckScriptRequest(bundle=unknown)
        )
        assert [found.file for found in checked.findings] == ["assets/large.png"]
        with pytest.raises(aio.AioRpcError, match="upload it first"):
            await running.client.stubs.script.PublishScript(
                script_pb2.PublishScriptRequest(bundle=unknown)
            )


async def test_small_pictures_come_by_their_bytes_and_large_ones_by_address() -> None:
    """The address is an asset's, which GetAsset gives, by hash or by place in the script."""
    async with running_executor(Neighbours(model=FakeModel())) as running:
        client = running.client
        version = await published(client)
        request = session_pb2.StartSessionRequest(script_id="one_topic", script_version=version)
        session_id = (await client.stubs.session.StartSession(request)).session.session_id
        async with client.converse(session_id, accepts=("FEATURE_PICTURE",)) as stream:
            await stream.until_body(TurnEnded)
        small, large = (message.parts[0].media for message in stream.told.messages())
        assert small == Media(mime_type="image/png", caption="小", data=SMALL)
        assert large is not None
        assert large.uri is not None
        sha256 = large.uri.removeprefix("asset:")
        assert await fetch(client, asset_pb2.GetAssetRequest(sha256=sha256)) == LARGE
        place = asset_pb2.ScriptFile(script_id="one_topic", path="assets/small.png")
        assert await fetch(client, asset_pb2.GetAssetRequest(script_file=place)) == SMALL


async def test_only_pictures_are_handed_out() -> None:
    """The script's own text is none of them."""
    async with running_executor(Neighbours(model=FakeModel())) as running:
        await published(running.client)
        place = asset_pb2.ScriptFile(script_id="one_topic", path="script.yaml")
        with pytest.raises(aio.AioRpcError) as refused:
            await fetch(running.client, asset_pb2.GetAssetRequest(script_file=place))
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND
