"""The rows by which sessions are found by their labels; sessions.labels is what is read."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, of, owned
from session_store.sql.database.tables_beside import session_labels

_CLEAR = Prepared(session_labels.delete().where(of(session_labels)))
_INSERT = Prepared(session_labels.insert())


def index(db: sa.Connection, key: SessionKey, labels: Mapping[str, str]) -> None:
    """Write the rows of a session that has none and gets these labels."""
    own = owned(key)
    _INSERT.run_each(db, [own | {"name": name, "value": labels[name]} for name in labels])


def reindex(db: sa.Connection, key: SessionKey, labels: Mapping[str, str]) -> None:
    """Write the rows of a session whose labels are these now."""
    _CLEAR.run(db, at(key))
    index(db, key, labels)
