"""Several processes over one database, as one store; what they keep is held against its rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition
from session_store.codec import load
from session_store.sql import (
    advice,
    attempts,
    messages,
    origins,
    plans,
    sessions,
    tables_edits,
    variables,
)
from session_store.sql.kept import Kept
from session_store.sql.rows import lines_of
from session_store.sql.sessions import Locked
from session_store.sql.statements import at, of
from session_store.sql.store import SqlStore
from session_store.sql.tables import messages as messages_table
from session_store.sql.tables import sessions as sessions_table
from session_store.sql.tables_going_back import action_replacements
from session_store.sql.tables_mind import action_instances
from session_store.sql.tables_mind import advice as advice_table
from session_store.sql.tables_mind import variables as variables_table
from session_store.turn_rules import window_start

CLOCKS = ("lease_until", "update_time", "now")
"""Columns nobody goes by."""
TOLD = (
    messages_table,
    advice_table,
    action_instances,
    variables_table,
    action_replacements,
    tables_edits.plan_edits,
)
"""Where a snapshot comes from."""
MOVES_ON = 0.2
"""How often the next call goes to any process, and not where the one before went."""


class Replicas:
    """Calls go now here, now there; afterwards what each keeps is proven true or outdated."""

    def __init__(self, stores: Sequence[SqlStore], keys: Sequence[SessionKey], seed: int) -> None:
        self.proven = 0
        """How often something was kept that is true."""
        self._stores = stores
        self._keys = keys
        self._dice = Random(seed)
        self._at = stores[0]
        self._seen: dict[SessionKey, tuple[int, str]] = {}

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        async def call(*args: object, **more: object) -> object:
            try:
                if self._dice.random() < MOVES_ON:
                    self._at = self._dice.choice(self._stores)
                return await getattr(self._at, name)(*args, **more)
            finally:
                for key in self._keys:
                    await self._prove(key)

        return call

    async def _prove(self, key: SessionKey) -> None:
        """What changes anything counts the revision; what is kept of this one is what rows say."""
        engine = self._stores[0]._engine
        revision, rows = await engine.read(lambda db: everything(db, key))
        before = self._seen.get(key)
        assert before is None or before[0] != revision or before[1] == rows
        self._seen[key] = revision, rows
        for store in self._stores:
            kept = store._kept.get(key)
            if kept is not None and kept.row.revision == revision:
                fresh = await engine.read(partial(read_anew, key=key, kept=kept))
                assert plain(kept, kept) == plain(fresh, kept)
                self.proven += 1


def everything(db: sa.Connection, key: SessionKey) -> tuple[int, str]:
    """Return a session's revision, and all that a snapshot is made of as text."""
    row = db.execute(sa.select(sessions_table).where(of(sessions_table)), at(key)).first()
    if row is None:
        return -1, ""
    held = {name: value for name, value in row._mapping.items() if name not in CLOCKS}
    found = [held | {"revision": 0}]
    for table in TOLD:
        rows = db.execute(sa.select(table).where(of(table)), at(key))
        found.append({"rows": sorted(map(repr, rows))})
    return row.revision, repr(found)


def read_anew(db: sa.Connection, key: SessionKey, kept: Kept) -> Kept:
    """Return what would be kept of a session now, read from its rows."""
    row = sessions.read(db, key)
    position = load(ExecutionPosition, row.position)
    recent = messages.window(db, key, window_start(row.next_turn - 1))
    told = zip(recent, lines_of(recent), strict=True)
    return Kept(
        row=row,
        position=position,
        window=tuple((each.turn_no, each.sequence, line) for each, line in told),
        last_text=messages.spoken(db, key, row.last_message),
        replacements=origins.replacements(db, key),
        plan=plans.of_topic(db, key, position),
        variables=variables.local(db, key),
        advice=tuple(advice.pending(db, key)),
        attempt=attempts.unfinished(db, Locked(key, row, row.update_time))
        if kept.attempt
        else None,
    )


def plain(one: Kept, like: Kept) -> dict[str, Any]:
    """Return what is kept as data, without what `like` does not know."""
    columns = [each.name for each in sessions_table.columns if each.name not in CLOCKS]
    names = sorted(vars(like.attempt)) if like.attempt is not None else []
    return {
        "row": {name: getattr(one.row, name) for name in columns},
        "position": one.position,
        "window": one.window,
        "last_text": one.last_text,
        "replacements": one.replacements,
        "plan": one.plan if like.plan is not None else None,
        "variables": one.variables if like.variables is not None else None,
        "advice": one.advice if like.advice is not None else None,
        "attempt": {name: getattr(one.attempt, name) for name in names},
    }
