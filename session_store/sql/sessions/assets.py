"""Assets: one row each, its bytes read only where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import NotFound
from session_store.records import AssetRecord
from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import Found, insert_new
from session_store.sql.database.tables import assets

_DESCRIBED = (assets.c.tenant, assets.c.sha256, assets.c.mime_type, assets.c.size)
_FIND = select(*_DESCRIBED, assets.c.create_time).where(
    assets.c.tenant == bindparam("at_tenant"),
    assets.c.sha256.in_(bindparam("hashes", expanding=True)),
)
_LOAD = select(assets).where(
    assets.c.tenant == bindparam("at_tenant"), assets.c.sha256 == bindparam("at_sha256")
)
_INSERT = insert_new(assets)
_NOW = select(database_now())


def save_asset(db: sa.Connection, record: AssetRecord) -> AssetRecord:
    """Store an asset and return its description; the same bytes again return the first."""
    row = {
        "tenant": record.tenant,
        "sha256": record.sha256,
        "mime_type": record.mime_type,
        "size": record.size,
        "content": record.content,
        "create_time": record.create_time or db.execute(_NOW).scalar_one(),
    }
    db.execute(_INSERT, row)
    return find_assets(db, record.tenant, (record.sha256,))[record.sha256]


def find_assets(db: sa.Connection, tenant: str, hashes: Sequence[str]) -> dict[str, AssetRecord]:
    """Return the descriptions of those that are there, by hash."""
    if not hashes:
        return {}
    rows = db.execute(_FIND, {"at_tenant": tenant, "hashes": list(hashes)})
    return {row.sha256: _record(row, b"") for row in rows}


def load_asset(db: sa.Connection, tenant: str, sha256: str) -> AssetRecord:
    """Return the whole asset; NotFound otherwise."""
    row = db.execute(_LOAD, {"at_tenant": tenant, "at_sha256": sha256}).one_or_none()
    if row is None:
        raise NotFound("asset", sha256)
    return _record(row, bytes(row.content))


def _record(row: Found, content: bytes) -> AssetRecord:
    return AssetRecord(
        tenant=row.tenant,
        sha256=row.sha256,
        mime_type=row.mime_type,
        size=row.size,
        content=content,
        create_time=row.create_time,
    )
