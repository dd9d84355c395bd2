"""The script and the session of a rehearsal, as the rpcs would store them."""

from __future__ import annotations

from pathlib import PurePosixPath

from executor_service.scripts.loading.bundle import Bundle, hashes_of, own_pictures, sha256_of
from executor_service.scripts.model.script import Script
from executor_service.variables.declared import definitions_of, session_values
from executor_service.variables.migration import migrate_state
from executor_service.workflows.bundled_workflows import bundled_workflows
from heartrule.domain.keys import SessionKey
from heartrule.domain.pictures import ANY_PICTURE, MIME_TYPES, picture_type
from heartrule_cli.rehearsal.written_conversation import DEFAULT_LOCALE, WrittenConversation
from session_store.ports import Store
from session_store.records import AssetRecord, NewSession, ScriptRecord


async def publish(script: Script, bundle: Bundle, tenant: str, store: Store) -> None:
    """Store the script and its pictures; one too large for a bundle is stored empty."""
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
    pictures = [
        (sha256_of(data), picture_type(data), data) for data in own_pictures(bundle.files).values()
    ]
    for path, sha256 in bundle.assets.items():
        kind = MIME_TYPES.get(PurePosixPath(path).suffix.lower(), ANY_PICTURE)
        pictures.append((sha256, kind, b""))
    for sha256, kind, data in pictures:
        await store.save_asset(
            AssetRecord(tenant=tenant, sha256=sha256, mime_type=kind, size=len(data), content=data)
        )


def new_session(
    key: SessionKey, script: Script, bundle: Bundle, beginning: WrittenConversation
) -> NewSession:
    """Return the session as it begins.

    Raises:
        InvalidRequest: The imported state it begins with has another shape.
    """
    now = beginning.now
    imported = migrate_state(beginning.imported, now) if beginning.imported else ()
    return NewSession(
        key=key,
        script_id=script.session_id,
        script_version=bundle.version,
        variables=(*session_values(script.declarations, now), *imported),
        definitions=definitions_of(script),
        workflows=bundled_workflows(bundle.files, bundle.main),
        strategy_engine=beginning.strategy_engine,
        locale=beginning.locale or DEFAULT_LOCALE,
        language=beginning.locale,
        time_zone=beginning.time_zone,
    )
