"""Sessions: made, locked, read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import AlreadyExists, InvalidRequest, NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.labels import MOST_LABELS, LabelChange
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from heartrule.domain.variables import VariableDefinition, VariableValue
from session_store.codec import dump, load
from session_store.past import begun_with
from session_store.records import NewSession, Page, SessionRecord
from session_store.sql.database.engine import note_change
from session_store.sql.database.prepared import PendingRows, Prepared, now_of
from session_store.sql.database.schema import blank, database_now
from session_store.sql.database.statements import (
    Found,
    at,
    insert_new,
    of,
    owned,
)
from session_store.sql.database.tables import HAS_REQUEST, sessions
from session_store.sql.database.tables_beside import session_labels
from session_store.sql.decisions import brought_workflows
from session_store.sql.lists.list_fields import SESSION_FIELDS
from session_store.sql.lists.listing import Listing, numbered
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import variables
from session_store.sql.sessions.session_records import WITH_ITS_OWN, listed, record

T = TypeVar("T")
# When a lease without a holder ran out.
FREE = datetime.fromtimestamp(0, UTC)

_LIVE = sa.and_(of(sessions), sessions.c.deleted.is_(False))
_READ = Prepared(select(sessions).where(_LIVE))
_LOCK = Prepared(select(sessions, database_now().label("now")).where(_LIVE).with_for_update())
_BY_REQUEST = Prepared(
    select(sessions).where(
        sessions.c.tenant == bindparam("at_tenant"),
        sessions.c.request_id == bindparam("at_request"),
        HAS_REQUEST,
    )
)
# Gives no row where the session_id, or the request_id, is taken.
INSERT = Prepared(insert_new(sessions).returning(sessions))
_UPDATE = Prepared(sessions.update().where(of(sessions)))
# The columns of a session in which nothing has happened.
BLANK = blank(sessions) | {"next_seq": 1, "lease_until": FREE}
NEW = RowsOf(NewSession, sessions)
SESSIONS_LISTED = Listing(
    rows=WITH_ITS_OWN.where(
        sessions.c.tenant == bindparam("at_tenant"), sessions.c.deleted.is_(False)
    ),
    name=sessions.c.session_id,
    fields=SESSION_FIELDS,
    orders={"create_time": sessions.c.create_time, "update_time": sessions.c.update_time},
    order_by="create_time desc",
)
_CLEAR_LABELS = Prepared(session_labels.delete().where(of(session_labels)))
_INSERT_LABELS = Prepared(session_labels.insert())
_MADE = Prepared(select(sessions.c.create_time).where(of(sessions)))


@dataclass(frozen=True, slots=True)
class Locked:
    """A session's row, locked until the transaction ends, and the time it was read."""

    key: SessionKey
    row: Found
    now: datetime

    @property
    def is_held(self) -> bool:
        """Return True while a lease is live."""
        return bool(self.row.lease_owner) and bool(self.now < self.row.lease_until)


def lock(db: sa.Connection, key: SessionKey) -> Locked:
    """Lock the session; NotFound where there is none or it was deleted."""
    found = try_lock(db, key)
    if found is None:
        raise NotFound("session", key.session_id)
    return found


def try_lock(db: sa.Connection, key: SessionKey) -> Locked | None:
    """Lock the session where there is one."""
    return locked_by(key, ask_lock(db, key))


def ask_lock(db: sa.Connection, key: SessionKey) -> PendingRows:
    """Send for the session's lock, for `locked_by`; what is sent behind it sees its rows locked."""
    return _LOCK.ask(db, at(key))


def locked_by(key: SessionKey, asked: PendingRows) -> Locked | None:
    """Return the session that `ask_lock` locked, where there is one."""
    for row in asked.rows():
        return Locked(key, row, row.now)
    return None


def read(db: sa.Connection, key: SessionKey) -> Found:
    """Return the row; NotFound where there is none or it was deleted."""
    row = _READ.row(db, at(key))
    if row is None:
        raise NotFound("session", key.session_id)
    return row


def update(db: sa.Connection, key: SessionKey, values: dict[str, object]) -> None:
    """Write columns of the session's row; other processes learn of it after the commit."""
    _UPDATE.run(db, at(key) | values)
    note_change(db, key, urgent=bool(values.get("stop_request")))


def change(db: sa.Connection, locked: Locked, values: dict[str, object]) -> Found:
    """Write columns of a locked session's row, and return the row as it is then."""
    update(db, locked.key, values)
    return locked.row._replace(**values)


def was_created(db: sa.Connection, created: SessionRecord) -> bool:
    """Return True where the session was created by this transaction, or before it."""
    return bool(_MADE.scalar(db, at(created.key)) == created.create_time)


def create_session(db: sa.Connection, new: NewSession) -> SessionRecord:
    """Create it; the same request_id returns the first, a taken session_id AlreadyExists."""
    first = of_request(db, new.key.tenant, new.request_id)
    if first is not None:
        return record(db, first)
    now = now_of(db)
    row = INSERT.row(db, new_row(new, now))
    if row is None:
        # Another transaction made it meanwhile, with this request or this id.
        first = of_request(db, new.key.tenant, new.request_id)
        if first is None:
            raise AlreadyExists("session", new.key.session_id)
        return record(db, first)
    variables.declare(db, variables.VariableOwner(new.key, new.user_id), new.variables, now)
    variables.store_definitions(db, new.key, new.definitions, now)
    variables.store_first(db, new.key, begun_with(new.variables, now))
    brought_workflows.store(db, new.key, new.workflows, now)
    _index_labels(db, new.key, new.labels)
    return record(db, row)


def get_session(db: sa.Connection, key: SessionKey) -> SessionRecord:
    """Return it; NotFound where there is none or it was deleted."""
    return record(db, read(db, key))


def update_labels(db: sa.Connection, key: SessionKey, wanted: LabelChange) -> SessionRecord:
    """Change its labels and return it; repeated, it changes nothing more.

    NotFound for a deleted session; InvalidRequest, reason TOO_MANY_LABELS, for more than 64.
    """
    locked = lock(db, key)
    after = wanted.applied(load(dict, locked.row.labels))
    if len(after) > MOST_LABELS:
        raise InvalidRequest(
            f"a session has at most {MOST_LABELS} labels", reason="TOO_MANY_LABELS"
        )
    _CLEAR_LABELS.run(db, at(key))
    _index_labels(db, key, after)
    return record(db, change(db, locked, {"labels": dump(after)}))


def _index_labels(db: sa.Connection, key: SessionKey, labels: Mapping[str, str]) -> None:
    """Write the rows by which a session is found by its labels; sessions.labels is what is read."""
    own = owned(key)
    _INSERT_LABELS.run_each(db, [own | {"name": name, "value": labels[name]} for name in labels])


def list_sessions(
    db: sa.Connection, tenant: str, page: Page, *, user_id: str = ""
) -> tuple[list[SessionRecord], str]:
    """Return sessions, newest first by default, and the next page's token: the last one's id."""
    of_user = (sessions.c.user_id == user_id,) if user_id else ()
    rows, token = SESSIONS_LISTED.page(db, {"at_tenant": tenant}, page, *of_user)
    return [listed(db, row) for row in rows], token


def paged(
    rows: sa.Select[Any], value_of: Callable[[Found], T], column: sa.Column[int]
) -> Callable[[sa.Connection, SessionKey, Page], tuple[list[T], str]]:
    """Return the read of a list by page; `column` is the number it is ordered by.

    It returns the page's values and the next one's token; NotFound for a deleted session.
    """
    listing = numbered(rows, column)

    def page_of(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[T], str]:
        read(db, key)
        found, token = listing.page(db, at(key), page)
        return [value_of(row) for row in found], token

    return page_of


def list_variables(db: sa.Connection, key: SessionKey) -> tuple[VariableValue, ...]:
    """Return live and archived variables and the user's globals."""
    return variables.visible(db, variables.VariableOwner(key, read(db, key).user_id))


def list_definitions(db: sa.Connection, key: SessionKey) -> tuple[VariableDefinition, ...]:
    """Return what its script declares and what was registered, by scope, scope id and name."""
    read(db, key)
    return variables.definitions_of(db, key)


def of_request(db: sa.Connection, tenant: str, request_id: str) -> Found | None:
    """Return the session that a request made; None for the empty id."""
    if not request_id:
        return None
    return _BY_REQUEST.row(db, {"at_tenant": tenant, "at_request": request_id})


def new_row(new: NewSession, now: datetime) -> dict[str, object]:
    """Return the row of a session that is made."""
    return {
        **owned(new.key),
        **BLANK,
        **NEW.columns(new),
        "status": ExecutionStatus.RUNNING.value,
        "position": dump(ExecutionPosition()),
        "create_time": now,
        "update_time": now,
    }
