"""Loaded scripts by version, kept in memory: a published version never changes."""

from __future__ import annotations

from collections import OrderedDict

from executor_service.scripts.environment import trusting
from executor_service.scripts.loader import load_script
from executor_service.scripts.model import Script
from heartrule.domain.errors import NotReady
from session_store.ports import ScriptStore

_KEPT = 128
"""Versions in memory; the least recently used goes first."""


class StoredScripts:
    """A ScriptLibrary over the store."""

    def __init__(self, store: ScriptStore) -> None:
        """Read nothing before the first `get`."""
        self._store = store
        self._loaded: OrderedDict[tuple[str, str, str], Script] = OrderedDict()

    async def get(self, tenant: str, script_id: str, version: str) -> Script:
        """Return a published version, loaded.

        Raises:
            NotFound: It was never published.
            NotReady: This release can no longer read it.
        """
        key = (tenant, script_id, version)
        if key in self._loaded:
            self._loaded.move_to_end(key)
            return self._loaded[key]
        record = await self._store.load_script(tenant, script_id, version)
        loaded = load_script(record.files, main=record.main, environment=trusting())
        if loaded.script is None:
            raise NotReady(
                f"script {script_id!r} version {version} no longer loads: {loaded.errors[0]}",
                reason="SCRIPT_NO_LONGER_LOADS",
            )
        self._loaded[key] = loaded.script
        if len(self._loaded) > _KEPT:
            self._loaded.popitem(last=False)
        return loaded.script
