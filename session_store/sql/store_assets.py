"""The assets of the store over SQL."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from session_store.records import AssetRecord
from session_store.sql import assets
from session_store.sql.engine import Engine


class SqlAssets:
    """AssetStore over SQL."""

    _engine: Engine

    async def save_asset(self, record: AssetRecord) -> AssetRecord:
        """Store an asset and return its description; the same bytes again return the first."""
        return await self._engine.write(partial(assets.save_asset, record=record))

    async def find_assets(self, tenant: str, hashes: Iterable[str]) -> dict[str, AssetRecord]:
        """Return the descriptions of those that are there, by hash."""
        wanted = tuple(hashes)
        return await self._engine.read(partial(assets.find_assets, tenant=tenant, hashes=wanted))

    async def load_asset(self, tenant: str, sha256: str) -> AssetRecord:
        """Return the whole asset; NotFound otherwise."""
        return await self._engine.read(partial(assets.load_asset, tenant=tenant, sha256=sha256))
