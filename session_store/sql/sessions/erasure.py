"""Erasure: every row of a session goes, a tombstone without content stays."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from session_store.records import ErasedSessions
from session_store.sql.database.engine import note_change
from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import at, of, owned
from session_store.sql.database.tables import sessions
from session_store.sql.database.tables_beside import erasures, user_variables
from session_store.sql.exports.belongings import OF_SESSION, OF_USER, SESSIONS_OF_USER, of_user
from session_store.sql.sessions.sessions import BLANK

_EMPTIED = [table.delete().where(of(table)) for table in OF_SESSION]
_KNOWN = select(sessions.c.deleted, sessions.c.user_id).where(of(sessions)).with_for_update()
_ENTOMB = (
    sessions.update()
    .where(of(sessions))
    .values(BLANK | {"deleted": True, "update_time": database_now()})
)
_NOTED = erasures.insert()
_OF_USER = SESSIONS_OF_USER.with_for_update()
_USER_EMPTIED = [table.delete().where(of_user(table)) for table in OF_USER]
# By the user too, whom the index begins with: a session writes no other's globals.
_WRITTEN = user_variables.delete().where(
    of_user(user_variables), user_variables.c.writer == bindparam("at_session")
)


def delete_session(db: sa.Connection, key: SessionKey) -> None:
    """Erase all content and the globals it wrote last, and leave a tombstone.

    A repeat changes nothing; NotFound if unknown.
    """
    known = db.execute(_KNOWN, at(key)).first()
    if known is None:
        raise NotFound("session", key.session_id)
    if not known.deleted:
        db.execute(_WRITTEN, at(key) | {"at_user": known.user_id})
        _erase(db, [key])


def delete_user_data(db: sa.Connection, tenant: str, user_id: str) -> ErasedSessions:
    """Erase every session and global of the user; repeated, it erases nothing more.

    The empty id names no user.
    """
    if not user_id:
        return ErasedSessions(session_ids=())
    user = {"at_tenant": tenant, "at_user": user_id}
    found = db.execute(_OF_USER, user).scalars().all()
    _erase(db, [SessionKey(tenant, each) for each in found])
    for statement in _USER_EMPTIED:
        db.execute(statement, user)
    return ErasedSessions(session_ids=tuple(found))


def _erase(db: sa.Connection, keys: Sequence[SessionKey]) -> None:
    for key in keys:
        for statement in _EMPTIED:
            db.execute(statement, at(key))
        db.execute(_ENTOMB, at(key))
        note_change(db, key)
        if db.dialect.name == "postgresql":  # SQLite leaves no byte, PostgreSQL until a vacuum
            db.execute(_NOTED, owned(key))
