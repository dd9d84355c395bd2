"""Loaded scripts by version, kept in memory: a published version never changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import NamedTuple

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.loading.replaced import replaced_files
from executor_service.scripts.model.script import Script
from heartrule.chassis.latest import Latest
from heartrule.domain.errors import NotReady
from heartrule.domain.replacement import ActionReplacement
from session_store.ports import Store
from session_store.records import ScriptRecord

# Versions in memory, some megabytes: a server has few scripts in use.
_KEPT = 128


class _Loaded(NamedTuple):
    """A version in memory: the script and the hashes of its pictures."""

    script: Script
    assets: Mapping[str, str]


class StoredScripts:
    """A ScriptLibrary over the store."""

    def __init__(self, store: Store) -> None:
        """Read nothing before the first `get`."""
        self._store = store
        self._loaded = Latest[tuple[str, ...], _Loaded](_KEPT)
        self._loading: dict[tuple[str, ...], asyncio.Task[_Loaded]] = {}

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
        if (known := self._loaded.used(key)) is not None:
            return known
        loading = self._loading.get(key)
        if loading is None:
            loading = asyncio.create_task(self._load(key, replacements))
            self._loading[key] = loading
            loading.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(loading)  # others wait for it too

    async def _load(
        self, key: tuple[str, ...], replacements: tuple[ActionReplacement, ...]
    ) -> _Loaded:
        record = await self._store.load_script(*key[:3])
        # A large script takes seconds, and a loaded one cannot leave a worker process.
        script = await asyncio.to_thread(_parsed, record, replacements)
        return _Loaded(script, record.assets)

    def _keep(self, key: tuple[str, ...], done: asyncio.Task[_Loaded]) -> None:
        del self._loading[key]
        if not done.cancelled() and done.exception() is None:
            self._loaded[key] = done.result()


def _parsed(record: ScriptRecord, replacements: tuple[ActionReplacement, ...]) -> Script:
    """Return the script of a version, with configs in the place of its own."""
    files = record.files
    if replacements:
        files = replaced_files(files, record.main, replacements)
    loaded = load_script(files, main=record.main, environment=trusting())
    if loaded.script is None:
        raise NotReady(
            f"script {record.script_id!r} version {record.version} no longer loads: "
            f"{loaded.errors[0]}",
            reason="SCRIPT_NO_LONGER_LOADS",
        )
    return loaded.script


def _name(replacement: ActionReplacement) -> str:
    """Return the key of a replaced config among the loaded scripts: all of its content."""
    place = [replacement.phase_id, replacement.topic_id, replacement.action_id]
    return json.dumps([*place, replacement.config], sort_keys=True, default=dict)
