"""Published scripts in memory."""

from __future__ import annotations

from dataclasses import replace

from heartrule.domain.errors import NotFound
from session_store.memory.paging import page_of
from session_store.memory.rows import Tables
from session_store.records import Page, ScriptRecord


class MemoryScripts:
    """ScriptStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def save_script(self, record: ScriptRecord) -> ScriptRecord:
        """Store a version and return it; the same content again returns the first."""
        name = (record.tenant, record.script_id, record.version)
        made = record.create_time or self._tables.now()
        number = len(self._versions(record.tenant, record.script_id)) + 1
        new = replace(record, create_time=made, number=number)
        return self._tables.scripts.setdefault(name, new)

    async def load_script(self, tenant: str, script_id: str, version: str = "") -> ScriptRecord:
        """Return that version, or the newest; NotFound otherwise."""
        versions = self._versions(tenant, script_id)
        if version:
            versions = [each for each in versions if each.version == version]
        if not versions:
            raise NotFound("script", script_id)
        return versions[-1]

    async def list_scripts(self, tenant: str, page: Page) -> tuple[list[ScriptRecord], str]:
        """Return newest versions by script_id without their files, and the next page's token."""
        ids = sorted({each for owner, each, _ in self._tables.scripts if owner == tenant})
        newest = {each: replace(self._versions(tenant, each)[-1], files={}) for each in ids}
        return page_of(newest, page)

    async def list_script_versions(
        self, tenant: str, script_id: str, page: Page
    ) -> tuple[list[ScriptRecord], str]:
        """Return a script's versions, newest first, without files; NotFound where it has none."""
        versions = self._versions(tenant, script_id)
        if not versions:
            raise NotFound("script", script_id)
        newest_first = reversed(versions)
        return page_of({str(each.number): replace(each, files={}) for each in newest_first}, page)

    def _versions(self, tenant: str, script_id: str) -> list[ScriptRecord]:
        """Return a script's versions, oldest first."""
        found = self._tables.scripts.items()
        return [record for name, record in found if name[:2] == (tenant, script_id)]
