"""How PostgreSQL keeps the rows a turn rewrites, and finds the few it looks for."""

from __future__ import annotations

from tests.support.postgres import PostgresServer
from tests.support.store_builders import accept, begun, ended, opened, said
from tests.support.stores import postgres_store


async def test_updates_of_sessions_are_hot(server: PostgresServer) -> None:
    """No index holds what a turn changes, and a page has room: every update stays on its page."""
    name = server.create()
    async with postgres_store(server.url(name)) as store:
        keys = [await opened(store, f"s{number}") for number in range(3)]
        for number in range(20):
            for key in keys:
                await accept(store, key, f"m{number}")
                await ended(store, await begun(store, key), said("answer"))
    with server.connect(name) as connection:
        query = (
            "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'sessions'"
        )
        updates, hot = connection.execute(query).fetchone() or (0, 0)
    server.drop(name)
    assert updates >= 3 * 20 * 3
    assert hot == updates
