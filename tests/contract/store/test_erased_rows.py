"""An erasure leaves no row of a session in any table, whichever call it was."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from session_store.records import SafetyClosing
from session_store.sql.database.schema import metadata
from session_store.sql.database.tables import sessions
from session_store.sql.store import SqlStore
from tests.support.session_rows import rows_by_session, whole_life
from tests.support.store_builders import AT_ONCE

KEPT = {"sessions", "erasures"}
"""A tombstone (RESOLUTIONS C32), and on PostgreSQL what a scrub has yet to overwrite (ADR 20)."""


async def by_session(store: SqlStore, *keys: SessionKey) -> None:
    """Delete one session after the other."""
    for key in keys:
        await store.delete_session(key)


async def by_user(store: SqlStore, *_keys: SessionKey) -> None:
    """Delete all that is a user's."""
    await store.delete_user_data("t", "u")


async def by_age(store: SqlStore, *keys: SessionKey) -> None:
    """Take the sessions off the crisis path, and let retention find them."""
    for key in keys:
        await store.close_safety(key, SafetyClosing(operator="ann"))
    assert await store.delete_untouched(AT_ONCE) == len(keys)


async def rows(store: SqlStore, key: SessionKey) -> dict[str, int]:
    """Return how many rows the session has in each table."""
    found = await store._engine.read(rows_by_session)
    return {table: counts[key.session_id] for table, counts in found.items()}


async def test_a_whole_life_has_rows_everywhere(store: SqlStore) -> None:
    """A new table of sessions has to be filled here, or the tests below prove nothing of it."""
    source, fork = [await rows(store, key) for key in await whole_life(store)]
    assert {name for name in source if not source[name] + fork[name]} == {"erasures"}
    assert set(source) >= {each.name for each in metadata.tables.values() if each.info}


@pytest.mark.parametrize("erase", [by_session, by_user, by_age])
async def test_an_erasure_empties_every_table(
    store: SqlStore, erase: Callable[..., Awaitable[None]]
) -> None:
    """A session with a crisis, retried and forked, and its fork leave their tombstones alone."""
    keys = await whole_life(store)
    await erase(store, *keys)
    for key in keys:
        left = await rows(store, key)
        assert {name for name, number in left.items() if number} <= KEPT


async def test_an_erasure_takes_one_session_alone(store: SqlStore) -> None:
    """A fork keeps every row when its source goes."""
    source, fork = await whole_life(store)
    before = await rows(store, fork)
    await store.delete_session(source)
    assert await rows(store, fork) == before


async def test_a_tombstone_has_no_text(store: SqlStore) -> None:
    """Beside its name every text of the row is empty; a new column has to be emptied, too."""
    key, _ = await whole_life(store)
    await store.delete_session(key)
    texts = [each for each in sessions.c if isinstance(each.type, sa.Text) and not each.primary_key]
    wanted = sa.select(*texts).where(sessions.c.session_id == key.session_id)
    found = await store._engine.read(lambda db: db.execute(wanted).one())
    assert [text for text in found if text] == []
