"""Published scripts, by version, and their pictures, by the hash of their bytes."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import insert  # spelled the same on SQLite

from heartrule.domain.errors import NotFound
from session_store.records import AssetRecord, Page, ScriptRecord
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import Found, insert_new
from session_store.sql.database.tables import assets, script_files, script_versions, scripts
from session_store.sql.lists.list_fields import SCRIPT_FIELDS
from session_store.sql.lists.listing import Listing, numbered
from session_store.sql.rows_of import RowsOf


def _of(table: sa.Table) -> sa.ColumnElement[bool]:
    """Return the condition that a row belongs to the script of the parameters."""
    return sa.and_(
        table.c.tenant == bindparam("at_tenant"), table.c.script_id == bindparam("at_script")
    )


_VERSION = select(script_versions).where(
    _of(script_versions), script_versions.c.version == bindparam("at_version")
)
_IS_PUBLISHED = script_versions.c.number > 0  # 0: a trial, which is on no list
_VERSIONS = select(script_versions).where(_of(script_versions), _IS_PUBLISHED)
VERSIONS_LISTED = numbered(_VERSIONS, script_versions.c.number, down=True)
_NEWEST = _VERSIONS.order_by(script_versions.c.number.desc()).limit(1)
_FILES = select(script_files.c.path, script_files.c.content).where(
    _of(script_files), script_files.c.version == bindparam("at_version")
)
# Locks the script's row, so that two publishers of one script come one after the other.
_COUNT = (
    insert(scripts)
    .values(versions=1)
    .on_conflict_do_update(
        index_elements=["tenant", "script_id"], set_={"versions": scripts.c.versions + 1}
    )
    .returning(scripts.c.versions, database_now())
)
_RENUMBER = (
    script_versions.update()
    .where(_of(script_versions), script_versions.c.version == bindparam("at_version"))
    .values(number=bindparam("at_number"), create_time=bindparam("at_time"))
)
_UNCOUNT = scripts.update().where(_of(scripts)).values(versions=scripts.c.versions - 1)
_INSERT = script_versions.insert()
_SCRIPTS = RowsOf(ScriptRecord, script_versions)
_INSERT_FILES = Prepared(script_files.insert())
SCRIPTS_LISTED = Listing(
    rows=select(script_versions)
    .join(
        scripts,
        sa.and_(
            scripts.c.tenant == script_versions.c.tenant,
            scripts.c.script_id == script_versions.c.script_id,
            scripts.c.versions == script_versions.c.number,
        ),
    )
    .where(script_versions.c.tenant == bindparam("at_tenant"), _IS_PUBLISHED),
    name=script_versions.c.script_id,
    fields=SCRIPT_FIELDS,
    orders={
        "script_id": script_versions.c.script_id,
        "create_time": script_versions.c.create_time,
    },
    order_by="script_id",
)


def save_script(db: sa.Connection, record: ScriptRecord, *, trial: bool = False) -> ScriptRecord:
    """Store a version as the newest and return it; the newest again returns the first.

    An older one takes the next number. A trial has none, unless it was published before.
    """
    name = {"tenant": record.tenant, "script_id": record.script_id}
    at = {"at_tenant": record.tenant, "at_script": record.script_id}
    count, now = db.execute(_COUNT, name).one()
    known = _find(db, record)
    keeps = known is not None and (trial or 0 < known.number == count - 1)
    if trial or keeps:
        db.execute(_UNCOUNT, at)
    number, when = 0 if trial else count, record.create_time or now
    if known is None:
        _insert(db, record, number, when)
    elif not keeps:
        where = {"at_version": record.version, "at_number": number, "at_time": when}
        db.execute(_RENUMBER, at | where)
    stored = _find(db, record)
    assert stored is not None
    return _with_files(db, stored)


def _insert(db: sa.Connection, record: ScriptRecord, number: int, when: datetime) -> None:
    name = {"tenant": record.tenant, "script_id": record.script_id, "version": record.version}
    db.execute(_INSERT, _SCRIPTS.columns(record, number=number, create_time=when))
    files = [name | {"path": path, "content": text} for path, text in record.files.items()]
    _INSERT_FILES.run_each(db, files)


def load_script(db: sa.Connection, tenant: str, script_id: str, version: str = "") -> ScriptRecord:
    """Return that version, or the newest; NotFound otherwise."""
    name = {"at_tenant": tenant, "at_script": script_id, "at_version": version}
    row = db.execute(_VERSION if version else _NEWEST, name).one_or_none()
    if row is None:
        raise NotFound("script", script_id)
    return _with_files(db, row)


def list_scripts(db: sa.Connection, tenant: str, page: Page) -> tuple[list[ScriptRecord], str]:
    """Return newest versions without their files, by script_id by default; and the next token."""
    rows, token = SCRIPTS_LISTED.page(db, {"at_tenant": tenant}, page)
    return [_record(row, {}) for row in rows], token


def list_script_versions(
    db: sa.Connection, tenant: str, script_id: str, page: Page
) -> tuple[list[ScriptRecord], str]:
    """Return a script's versions, newest first, without files; NotFound where it has none."""
    script = {"at_tenant": tenant, "at_script": script_id}
    rows, token = VERSIONS_LISTED.page(db, script, page)
    if not rows and not page.token:
        raise NotFound("script", script_id)
    return [_record(row, {}) for row in rows], token


def _find(db: sa.Connection, record: ScriptRecord) -> Found | None:
    name = {"at_tenant": record.tenant, "at_script": record.script_id}
    return db.execute(_VERSION, name | {"at_version": record.version}).one_or_none()


def _with_files(db: sa.Connection, row: Found) -> ScriptRecord:
    name = {"at_tenant": row.tenant, "at_script": row.script_id, "at_version": row.version}
    return _record(row, {path: bytes(content) for path, content in db.execute(_FILES, name)})


def _record(row: Found, files: dict[str, bytes]) -> ScriptRecord:
    return _SCRIPTS.value(row, files=files)


_ASSETS = RowsOf(AssetRecord, assets, but="content")
_FIND = select(*(each for each in assets.c if each.name != "content")).where(
    assets.c.tenant == bindparam("at_tenant"),
    assets.c.sha256.in_(bindparam("hashes", expanding=True)),
)
_LOAD = select(assets).where(
    assets.c.tenant == bindparam("at_tenant"), assets.c.sha256 == bindparam("at_sha256")
)
_ASSETS_INSERT = insert_new(assets)


def save_asset(db: sa.Connection, record: AssetRecord) -> AssetRecord:
    """Store an asset and return its description; the same bytes again return the first."""
    now = record.create_time or now_of(db)
    row = _ASSETS.columns(record, content=record.content, create_time=now)
    db.execute(_ASSETS_INSERT, row)
    return find_assets(db, record.tenant, (record.sha256,))[record.sha256]


def find_assets(db: sa.Connection, tenant: str, hashes: Collection[str]) -> dict[str, AssetRecord]:
    """Return the descriptions of those that are there, by hash."""
    if not hashes:
        return {}
    rows = db.execute(_FIND, {"at_tenant": tenant, "hashes": list(hashes)})
    return {row.sha256: _ASSETS.value(row) for row in rows}


def load_asset(db: sa.Connection, tenant: str, sha256: str) -> AssetRecord:
    """Return the whole asset; NotFound otherwise."""
    row = db.execute(_LOAD, {"at_tenant": tenant, "at_sha256": sha256}).one_or_none()
    if row is None:
        raise NotFound("asset", sha256)
    return _ASSETS.value(row, content=bytes(row.content))
