"""Published scripts, and the pictures they show. Every method is one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from session_store.records import AssetRecord, Page, ScriptRecord


class ScriptStore(Protocol):
    """Published scripts."""

    async def save_script(self, record: ScriptRecord) -> ScriptRecord:
        """Store a version and return it; the same content again returns the first."""

    async def load_script(self, tenant: str, script_id: str, version: str = "") -> ScriptRecord:
        """Return that version, or the newest; NotFound otherwise."""

    async def list_scripts(self, tenant: str, page: Page) -> tuple[list[ScriptRecord], str]:
        """Return newest versions by script_id without their files, and the next page's token."""

    async def list_script_versions(
        self, tenant: str, script_id: str, page: Page
    ) -> tuple[list[ScriptRecord], str]:
        """Return a script's versions, newest first, without files; NotFound where it has none."""


class AssetStore(Protocol):
    """Pictures of scripts, by the hash of their bytes."""

    async def save_asset(self, record: AssetRecord) -> AssetRecord:
        """Store an asset and return its description; the same bytes again return the first."""

    async def find_assets(self, tenant: str, hashes: Iterable[str]) -> dict[str, AssetRecord]:
        """Return the descriptions of those that are there, by hash."""

    async def load_asset(self, tenant: str, sha256: str) -> AssetRecord:
        """Return the whole asset; NotFound otherwise."""
