"""Input requests: what a form may answer; one row each, none where no form is asked for."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.input_request import InputRequested
from heartrule.domain.keys import SessionKey
from session_store.codec import dump, load
from session_store.sql.prepared import Prepared
from session_store.sql.statements import at, of, owned
from session_store.sql.tables import input_requests

_INSERT = Prepared(input_requests.insert())
_ONE = Prepared(
    select(input_requests.c.request).where(
        of(input_requests), input_requests.c.input_request_id == bindparam("at_request")
    )
)


def store(db: sa.Connection, key: SessionKey, request: InputRequested) -> None:
    """Insert a request."""
    row = {"input_request_id": request.input_request_id, "request": dump(request)}
    _INSERT.run(db, owned(key) | row)


def find(db: sa.Connection, key: SessionKey, input_request_id: str) -> InputRequested | None:
    """Return the request of that id."""
    text = _ONE.scalar(db, at(key) | {"at_request": input_request_id})
    return None if text is None else load(InputRequested, text)
