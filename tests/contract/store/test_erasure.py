"""Erasing sessions and users (RESOLUTIONS C32)."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest

from heartrule.domain.errors import AlreadyExists, LeaseLost, NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import VariableScope
from session_store.ports import Store
from session_store.records import Page, ScriptRecord
from tests.support.store_builders import (
    LONG,
    accept,
    advised,
    analysed,
    begun,
    call,
    created,
    ended,
    failure,
    judged_turn,
    last_step,
    new_session,
    opened,
    ticket,
    user_input,
    variable,
)
from tests.support.strategies import decision


async def lived(store: Store) -> SessionKey:
    """Return a session that holds something of everything, and input that waits."""
    key = await opened(store, user_id="u", request_id="r")
    await judged_turn(
        store, key, variables=(variable("x", 1),), calls=(call(),), strategy=decision()
    )
    await advised(store)
    await judged_turn(store, key, 2)
    await accept(store, key, "waiting")
    return key


async def test_a_deleted_session_is_not_found(store: Store) -> None:
    """After the deletion every read and every new input is answered with NotFound."""
    key = await lived(store)
    turn_id = (await store.get_session(key)).opening_turn_id
    await store.delete_session(key)
    calls: list[Awaitable[object]] = [
        store.get_session(key),
        store.list_messages(key, Page()),
        store.list_variables(key),
        store.list_calls(key, Page()),
        store.list_strategies(key, Page()),
        store.list_metrics(key, Page()),
        store.list_feedback(key, Page()),
        store.read_events(key, 0),
        store.read_turn(key, turn_id),
        store.accept_input(key, user_input()),
        store.begin_opening(key, owner="me", ttl=LONG),
        store.begin_turn(key, owner="me", ttl=LONG),
    ]
    for each in calls:
        with pytest.raises(NotFound):
            await each


async def test_a_deleted_session_is_in_no_list(store: Store) -> None:
    """Neither lists nor sweeps find a deleted session, and its analysis ends unheard."""
    key = await lived(store)
    await store.delete_session(key)
    assert await store.list_sessions("t", Page()) == ([], "")
    assert await store.find_work(10) == ()
    assert await store.due_monitor_requests(10) == ()
    assert await store.claim_monitor_request(ticket(2), owner="me", ttl=LONG) is None
    assert await store.finish_analysis(analysed(ticket(2))) == ()


async def test_a_deletion_takes_the_lease(store: Store) -> None:
    """A turn that ran during the deletion can write nothing more."""
    key = await lived(store)
    snapshot = await begun(store, key)
    await store.delete_session(key)
    with pytest.raises(LeaseLost):
        await ended(store, snapshot)
    with pytest.raises(LeaseLost):
        await store.fail_turn(snapshot.lease, failure(snapshot))
    assert not await store.renew_lease(snapshot.lease, LONG)


async def test_a_deletion_may_be_repeated(store: Store) -> None:
    """Deleting again changes nothing; deleting what never was is NotFound."""
    key = await lived(store)
    await store.delete_session(key)
    await store.delete_session(key)
    with pytest.raises(NotFound):
        await store.delete_session(SessionKey("t", "nobody"))


async def test_a_tombstone_keeps_the_name(store: Store) -> None:
    """The id of a deleted session is not given again."""
    key = await lived(store)
    await store.delete_session(key)
    with pytest.raises(AlreadyExists):
        await created(store)


async def test_a_tombstone_forgets_its_request(store: Store) -> None:
    """A tombstone has no content: the request_id that made the session makes a new one."""
    key = await lived(store)
    await store.delete_session(key)
    again = await store.create_session(new_session("s2", request_id="r"))
    assert again.key.session_id == "s2"


async def test_a_deletion_leaves_other_sessions_and_scripts(store: Store) -> None:
    """What other sessions hold, and the published scripts, stay as they were."""
    await store.save_script(
        ScriptRecord(tenant="t", script_id="script", version="v1", main="m", files={"m": b"x"})
    )
    key, other = await lived(store), await opened(store, "s2", user_id="u")
    before = (await store.read_events(other, 0), await store.list_messages(other, Page()))
    await store.delete_session(key)
    assert before == (await store.read_events(other, 0), await store.list_messages(other, Page()))
    assert (await store.load_script("t", "script")).files == {"m": b"x"}


async def test_a_deletion_keeps_globals_that_another_session_wrote_last(store: Store) -> None:
    """Of the user's globals only those go that the deleted session wrote last."""
    first, second = [await opened(store, name, user_id="u") for name in ("s1", "s2")]
    await _wrote(store, first, mine=1, shared=1)
    await _wrote(store, second, shared=2)
    await store.delete_session(first)
    left = {each.name: each.value for each in await store.list_variables(second)}
    assert left == {"shared": 2}


async def test_a_users_data_goes_whole(store: Store) -> None:
    """Deleting a user erases each of its sessions and globals, and no one else's."""
    mine = [await opened(store, name, user_id="u") for name in ("s1", "s2")]
    others = [
        await opened(store, "s3", user_id="v"),
        await opened(store, "s4"),
        (await store.create_session(new_session("s5", tenant="other", user_id="u"))).key,
    ]
    await _wrote(store, mine[0], x=1)
    await _wrote(store, others[0], x=2)
    erased = await store.delete_user_data("t", "u")
    assert set(erased.session_ids) == {"s1", "s2"}
    for key in mine:
        with pytest.raises(NotFound):
            await store.get_session(key)
    listed = [(await store.get_session(key)).key for key in others]
    assert listed == others
    again = await created(store, "s6", user_id="u")
    assert await store.list_variables(again) == ()
    assert [each.value for each in await store.list_variables(others[0])] == [2]


async def test_a_users_erasure_may_be_repeated(store: Store) -> None:
    """Deleting a user again, or one that never was, erases nothing more."""
    await opened(store, user_id="u")
    await store.delete_user_data("t", "u")
    for user in ("u", "nobody"):
        assert (await store.delete_user_data("t", user)).session_ids == ()


async def test_the_empty_user_is_nobody(store: Store) -> None:
    """Sessions without a user do not belong to one user, and are not erased together."""
    key = await opened(store)
    assert (await store.delete_user_data("t", "")).session_ids == ()
    assert (await store.get_session(key)).key == key


async def _wrote(store: Store, key: SessionKey, **values: int) -> None:
    """Run a turn that writes globals."""
    sequence = (await store.get_session(key)).last_sequence
    await accept(store, key, f"m{sequence}")
    snapshot = await begun(store, key)
    written = tuple(variable(name, value, VariableScope.GLOBAL) for name, value in values.items())
    await store.commit_step(snapshot.lease, last_step(snapshot, variables=written))
