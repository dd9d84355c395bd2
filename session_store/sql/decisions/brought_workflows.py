"""Rows of the workflows that a session's script brings: they are there before any event."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import Workflow
from session_store.codec import dump
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import owned
from session_store.sql.database.tables_of_decisions import workflows
from session_store.sql.rows_of import RowsOf

WORKFLOWS = RowsOf(Workflow, workflows)
_INSERT = Prepared(workflows.insert())


def store(db: sa.Connection, key: SessionKey, brought: Sequence[Workflow], now: datetime) -> None:
    """Insert them in their order, with numbers below those of all events."""
    rows = [
        owned(key)
        | WORKFLOWS.new_row(each, sequence=number, definition=dump(each), create_time=now)
        for number, each in enumerate(brought, start=-len(brought))
    ]
    _INSERT.run_each(db, rows)
