"""The messages of the main thread as paths number them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import Message
from heartrule.domain.keys import SessionKey
from session_store.records import Page
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, invalid_token, number_of
from session_store.sql.database.tables import messages
from session_store.sql.sessions import messages as message_rows
from session_store.sql.sessions import sessions
from session_store.sql.threads.thread_paths import IN_ORDER, STANDING

_MOST = 2**31 - 1
_PAGE = Prepared(
    select(messages)
    .where(*STANDING)
    .order_by(*IN_ORDER)
    .limit(bindparam("at_most", type_=sa.Integer))
    .offset(bindparam("at_first", type_=sa.Integer))
)


def list_main_messages(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[Message], str]:
    """Return messages of the main thread as paths count them, and the next page's token.

    The token is the number of that page's first message. Of a placeholder and what took its
    place, the latter.
    """
    sessions.read(db, key)
    first = number_of(page.token or "0")
    if not 0 <= first <= _MOST:
        raise invalid_token()
    rows = _PAGE.rows(db, at(key) | {"at_most": page.size + 1, "at_first": first})
    found = message_rows.in_their_places(db, key, rows[: page.size])
    return found, str(first + page.size) if len(rows) > page.size else ""
