"""The rpcs about assets: the pictures that scripts show."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeAlias

from grpc import aio

from heartrule.domain.errors import NotSupported
from heartrule.v1 import asset_pb2

Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class AssetRpcs:
    """UploadAsset, GetAsset."""

    async def UploadAsset(  # noqa: N802  the contract's name
        self, requests: AsyncIterator[asset_pb2.UploadAssetRequest], _context: Context
    ) -> asset_pb2.UploadAssetResponse:
        """Refuse: assets are not kept yet."""
        del requests
        raise NotSupported("assets are not served yet", reason="ASSETS_NOT_SUPPORTED")

    async def GetAsset(  # noqa: N802
        self, request: asset_pb2.GetAssetRequest, _context: Context
    ) -> None:
        """Refuse: assets are not kept yet."""
        del request
        raise NotSupported("assets are not served yet", reason="ASSETS_NOT_SUPPORTED")
