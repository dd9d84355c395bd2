"""The messages of the main thread as paths count them."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import InvalidRequest
from session_store.ports import Store
from session_store.records import Page
from tests.support.store_builders import accept
from tests.support.store_threads import going_on, well


async def test_messages_of_the_main_thread_are_read_as_paths_count_them(store: Store) -> None:
    """In the conversation's order, a result in its placeholder's place, page by page."""
    key, lease, announced = await going_on(store)
    await accept(store, key, "m2")
    await store.finish_thread(lease, well())
    first, token = await store.list_main_messages(key, Page(size=2))
    rest, last = await store.list_main_messages(key, Page(size=2, token=token))
    index = (await store.paths_of(key, ["thr_1"]))["thr_1"][0]
    assert (token, last) == ("2", "")
    assert [each.replaces_message_id for each in (*first, *rest)][index] == announced.message_id
    assert (await store.list_main_messages(key, Page(size=2, token="99"))) == ([], "")
    for wrong in ("x", "-1", "9" * 20):
        with pytest.raises(InvalidRequest):
            await store.list_main_messages(key, Page(token=wrong))
