"""What is played: a script with all it needs, published as a service would publish it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from executor_service.assets.checks import hashes_of, own_pictures, sha256_of
from executor_service.scripts.loading.bundle import Bundle
from executor_service.scripts.model.script import Script
from executor_service.variables.declared import definitions_of, session_values
from executor_service.variables.migration import migrate_state
from heartrule.domain.keys import SessionKey
from heartrule.domain.pictures import ANY_PICTURE, MIME_TYPES, picture_type
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from session_store.ports import Store
from session_store.records import AssetRecord, NewSession, ScriptRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptUnderTest:
    """A script that loaded, and its bundle with all the script needs."""

    script: Script
    bundle: Bundle


async def publish(tested: ScriptUnderTest, tenant: str, store: Store) -> None:
    """Store the script and its pictures; of one too large for a bundle only that it is there."""
    script, bundle = tested.script, tested.bundle
    await store.save_script(
        ScriptRecord(
            tenant=tenant,
            script_id=script.session_id,
            version=bundle.version,
            main=bundle.main,
            files=bundle.files,
            session_name=script.session_name,
            assets=hashes_of(bundle),
        )
    )
    for data in own_pictures(bundle.files).values():
        await store.save_asset(_asset(tenant, sha256_of(data), picture_type(data), data))
    for path, sha256 in bundle.assets.items():
        kind = MIME_TYPES.get(PurePosixPath(path).suffix.lower(), ANY_PICTURE)
        await store.save_asset(_asset(tenant, sha256, kind, b""))


def new_session(
    key: SessionKey, tested: ScriptUnderTest, beginning: WrittenConversation
) -> NewSession:
    """Return the session as it begins.

    Raises:
        InvalidRequest: The state of another engine it is to begin with has another shape.
    """
    now = beginning.now
    imported = migrate_state(beginning.imported, now) if beginning.imported else ()
    return NewSession(
        key=key,
        script_id=tested.script.session_id,
        script_version=tested.bundle.version,
        variables=(*session_values(tested.script.declarations, now), *imported),
        definitions=definitions_of(tested.script),
        strategy_engine=beginning.strategy_engine,
        locale=beginning.locale,
        time_zone=beginning.time_zone,
    )


def _asset(tenant: str, sha256: str, mime_type: str, data: bytes) -> AssetRecord:
    return AssetRecord(
        tenant=tenant, sha256=sha256, mime_type=mime_type, size=len(data), content=data
    )
