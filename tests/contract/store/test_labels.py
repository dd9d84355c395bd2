"""Labels of sessions: given, changed, copied into forks, erased."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.labels import MOST_LABELS, LabelChange
from session_store.ports import Store
from session_store.records import ForkOrder, Page
from tests.support.store_builders import new_session, opened

HOSTILE = {"备注": "'; DROP TABLE sessions; --", "x": '"\\%_\u202e🦊', "empty": ""}


async def test_a_session_keeps_the_labels_it_was_given(store: Store) -> None:
    """Text as it was, whatever it looks like; in lists too."""
    made = await store.create_session(new_session(labels=HOSTILE))
    (listed,), _ = await store.list_sessions("t", Page())
    assert made.labels == (await store.get_session(made.key)).labels == listed.labels == HOSTILE


async def test_labels_are_set_and_removed_by_name(store: Store) -> None:
    """What no change names stays; a repeat changes nothing more."""
    made = await store.create_session(new_session(labels={"a": "1", "b": "2"}))
    change = LabelChange(labels={"c": "3", "a": "9"}, removed=frozenset({"b", "unknown"}))
    first = await store.update_labels(made.key, change)
    again = await store.update_labels(made.key, change)
    assert first.labels == again.labels == {"a": "9", "c": "3"}
    assert again == await store.get_session(made.key)


async def test_all_labels_are_replaced_at_once(store: Store) -> None:
    """Those before are gone."""
    made = await store.create_session(new_session(labels={"a": "1"}))
    change = LabelChange(labels={"b": "2"}, replaces_all=True)
    assert (await store.update_labels(made.key, change)).labels == {"b": "2"}


async def test_a_session_has_no_more_labels_than_the_contract_says(store: Store) -> None:
    """Also where each change was small; a refused one changes nothing."""
    full = {f"l{number}": "" for number in range(MOST_LABELS)}
    made = await store.create_session(new_session(labels=full))
    with pytest.raises(InvalidRequest) as refused:
        await store.update_labels(made.key, LabelChange(labels={"more": ""}))
    assert refused.value.reason == "TOO_MANY_LABELS"
    assert (await store.get_session(made.key)).labels == full


async def test_labels_of_no_session_cannot_be_changed(store: Store) -> None:
    """One that never was, and one that was erased."""
    made = await store.create_session(new_session())
    await store.delete_session(made.key)
    for key in (made.key, SessionKey("t", "nobody")):
        with pytest.raises(NotFound):
            await store.update_labels(key, LabelChange(labels={"a": "1"}))


async def test_a_fork_begins_with_the_labels_of_its_source(store: Store) -> None:
    """As they are now, and from then on each has its own."""
    key = await opened(store, labels={"study": "autumn"})
    await store.update_labels(key, LabelChange(labels={"seen": "yes"}))
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session
    await store.update_labels(key, LabelChange(replaces_all=True))
    assert fork.labels == {"study": "autumn", "seen": "yes"}
    assert (await store.get_session(fork.key)).labels == fork.labels
