"""The rpcs about assets: the pictures that scripts show."""

from __future__ import annotations

from collections.abc import AsyncIterator

from executor_service.rpc.requests import Context, refused
from executor_service.scripts.loading.bundle import sha256_of
from heartrule.domain.errors import NotFound
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.pictures import LARGEST_ASSET, picture_type
from heartrule.v1 import asset_pb2
from heartrule.wire.request_parsing import require
from session_store.ports import Store
from session_store.records import AssetRecord

# Bytes of one piece of a picture that is read: far below gRPC's limit of 4 MiB for a message.
CHUNK = 262_144


class AssetRpcs:
    """UploadAsset, GetAsset."""

    def __init__(self, store: Store) -> None:
        """Keep pictures in `store`."""
        self._assets = store

    async def UploadAsset(  # noqa: N802  the contract's name
        self, requests: AsyncIterator[asset_pb2.UploadAssetRequest], _context: Context
    ) -> asset_pb2.UploadAssetResponse:
        """Store a picture under the hash of its bytes; the same bytes are one asset.

        Raises:
            InvalidRequest: It is too large, no picture, or not of the kind that was promised.
        """
        promised, content = await _received(requests)
        kind = picture_type(content)
        if not kind or promised not in {"", kind}:
            raise refused("chunk", _wrong_kind(kind, promised), reason="ASSET_NOT_A_PICTURE")
        stored = await self._assets.save_asset(new_asset(content))
        return asset_pb2.UploadAssetResponse(asset=_asset(stored))

    async def GetAsset(  # noqa: N802
        self, request: asset_pb2.GetAssetRequest, context: Context
    ) -> None:
        """Write a picture in pieces, its description with the first of them.

        Raises:
            NotFound: There is no such asset, script, version or path.
        """
        record = await self._assets.load_asset(DEFAULT_TENANT, await self._named(request))
        for start in range(0, record.size, CHUNK):
            chunk = record.content[start : start + CHUNK]
            described = _asset(record) if start == 0 else None
            await context.write(asset_pb2.GetAssetResponse(chunk=chunk, asset=described))

    async def _named(self, request: asset_pb2.GetAssetRequest) -> str:
        kind = request.WhichOneof("name")
        if kind is None:
            raise refused("name", "set one of sha256, script_file")
        if kind == "sha256":
            require(sha256=request.sha256)
            return request.sha256
        file = request.script_file
        require(script_id=file.script_id, path=file.path)
        record = await self._assets.load_script(DEFAULT_TENANT, file.script_id, file.version)
        if file.path not in record.assets:
            raise NotFound("asset", file.path)
        return record.assets[file.path]


def new_asset(content: bytes) -> AssetRecord:
    """Return a picture as it is kept."""
    return AssetRecord(
        tenant=DEFAULT_TENANT,
        sha256=sha256_of(content),
        mime_type=picture_type(content),
        size=len(content),
        content=content,
    )


async def _received(requests: AsyncIterator[asset_pb2.UploadAssetRequest]) -> tuple[str, bytes]:
    """Return the kind that was promised, and all the bytes; one too many ends the upload."""
    promised, pieces, size = "", [], 0
    async for request in requests:
        promised = promised or request.mime_type
        size += len(request.chunk)
        if size > LARGEST_ASSET:
            problem = f"a picture has at most {LARGEST_ASSET} bytes"
            raise refused("chunk", problem, reason="ASSET_TOO_LARGE")
        pieces.append(request.chunk)
    return promised, b"".join(pieces)


def _wrong_kind(kind: str, promised: str) -> str:
    if kind:
        return f"begins like {kind}, not like {promised}"
    return "is no picture: png, jpeg, gif or webp, as its first bytes tell"


def _asset(record: AssetRecord) -> asset_pb2.Asset:
    return asset_pb2.Asset(
        sha256=record.sha256,
        mime_type=record.mime_type,
        size_bytes=record.size,
        create_time=record.create_time,
    )
