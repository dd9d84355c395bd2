"""Loaded scripts by version, kept in memory: a published version never changes."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.loading.replaced import replaced_files
from executor_service.scripts.model.script import Script
from heartrule.domain.errors import NotReady
from heartrule.domain.replacement import ActionReplacement
from session_store.ports import ScriptStore

# Versions in memory, some megabytes: a server has few scripts in use.
_KEPT = 128


class _Loaded(NamedTuple):
    """A version in memory: the script and the hashes of its pictures."""

    script: Script
    assets: Mapping[str, str]


class StoredScripts:
    """A ScriptLibrary over the store."""

    def __init__(self, store: ScriptStore) -> None:
        """Read nothing before the first `get`."""
        self._store = store
        self._loaded: OrderedDict[tuple[str, ...], _Loaded] = OrderedDict()

    async def get(
        self,
        tenant: str,
        script_id: str,
        version: str,
        replacements: tuple[ActionReplacement, ...] = (),
    ) -> Script:
        """Return a published version, loaded; with configs in the place of its own.

        Raises:
            NotFound: It was never published.
            InvalidRequest: It has no such action.
            NotReady: This release can no longer read it.
        """
        return (await self._get(tenant, script_id, version, replacements)).script

    async def assets(self, tenant: str, script_id: str, version: str) -> Mapping[str, str]:
        """Return the hash of each of its pictures by path.

        Raises:
            NotFound: It was never published.
            NotReady: This release can no longer read it.
        """
        return (await self._get(tenant, script_id, version, ())).assets

    async def _get(
        self,
        tenant: str,
        script_id: str,
        version: str,
        replacements: tuple[ActionReplacement, ...],
    ) -> _Loaded:
        key = (tenant, script_id, version, *map(_name, replacements))
        if key in self._loaded:
            self._loaded.move_to_end(key)
            return self._loaded[key]
        record = await self._store.load_script(tenant, script_id, version)
        files = record.files
        if replacements:
            files = replaced_files(files, record.main, replacements)
        loaded = load_script(files, main=record.main, environment=trusting())
        if loaded.script is None:
            raise NotReady(
                f"script {script_id!r} version {version} no longer loads: {loaded.errors[0]}",
                reason="SCRIPT_NO_LONGER_LOADS",
            )
        self._loaded[key] = _Loaded(loaded.script, record.assets)
        if len(self._loaded) > _KEPT:
            self._loaded.popitem(last=False)
        return self._loaded[key]


def _name(replacement: ActionReplacement) -> str:
    """Return the key of a replaced config among the loaded scripts: all of its content."""
    place = [replacement.phase_id, replacement.topic_id, replacement.action_id]
    return json.dumps([*place, replacement.config], sort_keys=True, default=dict)
