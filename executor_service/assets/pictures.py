"""Pictures on their way to a client: kept in messages by hash, small ones sent with their bytes."""

from __future__ import annotations

from dataclasses import replace

from executor_service.ports import ScriptPictures
from heartrule.chassis.latest import Latest
from heartrule.domain.conversation import Media, Part
from heartrule.domain.errors import NotFound
from heartrule.domain.events import MessageCommitted, SessionEvent
from heartrule.domain.pictures import ASSET_SCHEME, LARGEST_INLINE
from session_store.ports import Store

# Small pictures in memory, of at most LARGEST_INLINE bytes each; the least recently shown goes.
_KEPT = 64


class Pictures:
    """Finds the pictures of scripts, and fills their bytes into the events a client receives."""

    def __init__(self, store: Store, scripts: ScriptPictures) -> None:
        """Read nothing before the first picture."""
        self._store = store
        self._scripts = scripts
        self._small = Latest[tuple[str, str], bytes](_KEPT)

    async def find(self, tenant: str, script_id: str, version: str, path: str) -> Media:
        """Return the picture at a path of a script's version, by its hash.

        Raises:
            NotFound: The version has none at that path.
        """
        sha256 = (await self._scripts.assets(tenant, script_id, version)).get(path, "")
        described = await self._store.find_assets(tenant, (sha256,))
        if sha256 not in described:
            raise NotFound("asset", path)
        return Media(mime_type=described[sha256].mime_type, uri=f"{ASSET_SCHEME}{sha256}")

    async def with_bytes(self, event: SessionEvent, tenant: str) -> SessionEvent:
        """Return the event with the bytes of its small pictures, for a client that shows them."""
        body = event.body
        if not isinstance(body, MessageCommitted):
            return event
        if not any(_by_hash(part) for part in body.message.parts):
            return event
        parts = [await self._part(part, tenant) for part in body.message.parts]
        filled = replace(body.message, parts=tuple(parts))
        return replace(event, body=MessageCommitted(message=filled))

    async def _part(self, part: Part, tenant: str) -> Part:
        sha256 = _by_hash(part)
        if not sha256 or part.media is None:
            return part
        data = await self._bytes(tenant, sha256)
        return replace(part, media=replace(part.media, uri=None, data=data)) if data else part

    async def _bytes(self, tenant: str, sha256: str) -> bytes:
        """Return the bytes of a small picture; none of a large one, or where it is gone."""
        name = (tenant, sha256)
        if (known := self._small.used(name)) is not None:
            return known
        described = await self._store.find_assets(tenant, (sha256,))
        if sha256 not in described or described[sha256].size > LARGEST_INLINE:
            return b""
        data = (await self._store.load_asset(tenant, sha256)).content
        self._small[name] = data
        return data


def _by_hash(part: Part) -> str:
    """Return the hash by which a part names its picture; "" for anything else."""
    uri = part.media.uri if part.media is not None else None
    return uri.removeprefix(ASSET_SCHEME) if uri and uri.startswith(ASSET_SCHEME) else ""
