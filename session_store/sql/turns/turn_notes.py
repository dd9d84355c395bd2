"""What operators noted at turns: a row for each turn that has a note."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.notes import MOST_NOTES
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, of, owned
from session_store.sql.database.tables_beside import turn_notes
from session_store.sql.sessions.sessions import lock
from session_store.sql.turns import attempts

_REMOVE = Prepared(
    turn_notes.delete().where(of(turn_notes), turn_notes.c.turn_id == bindparam("at_turn"))
)
_INSERT = Prepared(turn_notes.insert())
_READ = Prepared(select(turn_notes.c.turn_id, turn_notes.c.text).where(of(turn_notes)))


def write_notes(db: sa.Connection, key: SessionKey, notes: Mapping[str, str]) -> None:
    """Note the texts at the turns, an empty one removes; repeated, it changes nothing more.

    NotFound for a deleted session or a turn that it does not have; InvalidRequest, reason
    TOO_MANY_NOTES, where it would have notes at more than 200 turns.
    """
    lock(db, key)
    written = {turn_id: text for turn_id, text in notes.items() if text}
    for turn_id in written:
        if attempts.newest(db, key, turn_id) is None:
            raise NotFound("turn", turn_id)
    kept = list_notes(db, key).keys() - notes.keys()
    if len(kept) + len(written) > MOST_NOTES:
        raise InvalidRequest(
            f"a session has notes at {MOST_NOTES} turns at most", reason="TOO_MANY_NOTES"
        )
    for turn_id in notes:
        _REMOVE.run(db, at(key) | {"at_turn": turn_id})
    own = owned(key)
    _INSERT.run_each(db, [own | {"turn_id": each, "text": written[each]} for each in written])


def list_notes(db: sa.Connection, key: SessionKey) -> dict[str, str]:
    """Return the notes by turn; none for a deleted session."""
    return {row.turn_id: row.text for row in _READ.rows(db, at(key))}
