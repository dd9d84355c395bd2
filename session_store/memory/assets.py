"""Assets in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from heartrule.domain.errors import NotFound
from session_store.memory.rows import Tables
from session_store.records import AssetRecord


class MemoryAssets:
    """AssetStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def save_asset(self, record: AssetRecord) -> AssetRecord:
        """Store an asset and return its description; the same bytes again return the first."""
        name = (record.tenant, record.sha256)
        made = record.create_time or self._tables.now()
        stored = self._tables.assets.setdefault(name, replace(record, create_time=made))
        return replace(stored, content=b"")

    async def find_assets(self, tenant: str, hashes: Iterable[str]) -> dict[str, AssetRecord]:
        """Return the descriptions of those that are there, by hash."""
        kept = self._tables.assets
        found = {each: kept.get((tenant, each)) for each in hashes}
        return {name: replace(each, content=b"") for name, each in found.items() if each}

    async def load_asset(self, tenant: str, sha256: str) -> AssetRecord:
        """Return the whole asset; NotFound otherwise."""
        found = self._tables.assets.get((tenant, sha256))
        if found is None:
            raise NotFound("asset", sha256)
        return found
