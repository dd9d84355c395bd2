"""Notes at turns: written, changed, removed, copied into forks with their turns, erased."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import ForkOrder
from session_store.sql.turns import turn_notes
from tests.support.store_builders import accept, begun, created, last_step, opened, opening, said

HOSTILE = "'; DROP TABLE sessions; --\n\"\\%_\u202e🦊"


async def turns_of_two(store: Store) -> tuple[SessionKey, str, str]:
    """Return a session with the ids of its opening and of a turn after it."""
    key = await created(store)
    first = await opening(store, key)
    await store.commit_step(first.lease, last_step(first, said("question 1")))
    await accept(store, key)
    second = await begun(store, key)
    await store.commit_step(second.lease, last_step(second, said("question 2")))
    return key, first.turn_id, second.turn_id


async def test_notes_are_written_changed_and_removed(store: Store) -> None:
    """Text as it was, whatever it looks like; a repeat changes nothing more."""
    key, first, second = await turns_of_two(store)
    await store.write_notes(key, {first: "slow down", second: HOSTILE})
    for _ in range(2):
        await store.write_notes(key, {first: "", "no turn": ""})
    assert await store.list_notes(key) == {second: HOSTILE}
    await store.write_notes(key, {second: "well put"})
    assert await store.list_notes(key) == {second: "well put"}


async def test_a_note_leaves_the_session_as_it_was(store: Store) -> None:
    """No event tells of it, and the session counts as unchanged."""
    key, first, _ = await turns_of_two(store)
    before = (await store.get_session(key), await store.read_events(key, 0, limit=100))
    await store.write_notes(key, {first: "slow down"})
    assert before == (await store.get_session(key), await store.read_events(key, 0, limit=100))


async def test_a_note_stands_at_a_turn_of_its_session(store: Store) -> None:
    """A turn of another one is unknown here; nothing is written beside it."""
    key, first, _ = await turns_of_two(store)
    for turn_id in ("nobody's", ""):
        with pytest.raises(NotFound):
            await store.write_notes(key, {first: "kept?", turn_id: "x"})
    assert await store.list_notes(key) == {}


async def test_a_session_has_no_more_notes_than_the_contract_says(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note in the place of another is none more; a refused one changes nothing."""
    monkeypatch.setattr(turn_notes, "MOST_NOTES", 1)
    key, first, second = await turns_of_two(store)
    await store.write_notes(key, {first: "one"})
    with pytest.raises(InvalidRequest) as refused:
        await store.write_notes(key, {second: "two"})
    assert refused.value.reason == "TOO_MANY_NOTES"
    await store.write_notes(key, {first: "", second: "two"})
    assert await store.list_notes(key) == {second: "two"}


async def test_a_fork_has_the_notes_of_its_turns(store: Store) -> None:
    """As they are now, and from then on each session has its own."""
    key, first, second = await turns_of_two(store)
    await store.write_notes(key, {first: "one", second: "two"})
    order = ForkOrder(source=key, session_id="f1", from_turn_id=first)
    fork = (await store.fork_session(order)).session.key
    await store.write_notes(key, {first: "", second: ""})
    assert await store.list_notes(fork) == {first: "one"}


async def test_erasing_takes_the_notes(store: Store) -> None:
    """Of a session, and of all that a person has; nobody writes at one that is gone."""
    key, first, _ = await turns_of_two(store)
    other = await opened(store, "s2")
    await store.write_notes(key, {first: "slow down"})
    await store.delete_session(key)
    assert await store.list_notes(key) == {} == await store.list_notes(other)
    with pytest.raises(NotFound):
        await store.write_notes(key, {first: "x"})
