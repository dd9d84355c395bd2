"""Making, reading and listing sessions."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import AlreadyExists, InvalidRequest, NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from session_store.ports import Store
from session_store.records import Page
from tests.support.store_builders import accept, begun, created, ended, new_session, opened, said


async def test_a_new_session_stands_before_its_script(store: Store) -> None:
    """A new session has run nothing: no event, no place, not opened."""
    made = await store.create_session(new_session(user_id="u", locale="zh-CN", time_zone="UTC"))
    assert made == await store.get_session(made.key)
    assert (made.status, made.position) == (ExecutionStatus.RUNNING, ExecutionPosition())
    assert (made.last_sequence, made.opened, made.opening_turn_id) == (0, False, "")
    assert (made.user_id, made.locale, made.time_zone) == ("u", "zh-CN", "UTC")


async def test_the_same_request_gives_the_first_session(store: Store) -> None:
    """A repeated request_id returns the session made before, as it stands now."""
    first = await store.create_session(new_session("s1", request_id="r"))
    await accept(store, first.key)
    again = await store.create_session(new_session("s2", request_id="r"))
    assert (again.key, again.last_sequence) == (first.key, 1)
    with pytest.raises(NotFound):
        await store.get_session(SessionKey("t", "s2"))


async def test_a_request_id_is_its_tenants(store: Store) -> None:
    """The same request_id of another tenant makes another session."""
    await store.create_session(new_session("s1", request_id="r"))
    other = await store.create_session(new_session("s1", tenant="other", request_id="r"))
    assert other.key == SessionKey("other", "s1")


async def test_a_taken_id_is_refused(store: Store) -> None:
    """A session_id that exists already is refused where the request is another."""
    await store.create_session(new_session(request_id="r1"))
    with pytest.raises(AlreadyExists):
        await store.create_session(new_session(request_id="r2"))


async def test_an_unknown_session_is_not_found(store: Store) -> None:
    """Every read of a session that never was says so."""
    key = SessionKey("t", "nobody")
    reads = (
        store.get_session(key),
        store.list_messages(key, Page()),
        store.list_variables(key),
        store.list_calls(key, Page()),
        store.read_events(key, 0),
    )
    for read in reads:
        with pytest.raises(NotFound):
            await read


async def test_another_tenant_sees_nothing(store: Store) -> None:
    """A session is invisible under another tenant's name."""
    await created(store)
    with pytest.raises(NotFound):
        await store.get_session(SessionKey("other", "s1"))
    assert await store.list_sessions("other", Page()) == ([], "")


async def test_sessions_are_listed_newest_first(store: Store) -> None:
    """Pages of sessions hold each once, the newest first, and the last page has no token."""
    for number in range(5):
        await created(store, f"s{number}")
    names: list[str] = []
    token = ""
    for size in (2, 2, 1):
        listed, token = await store.list_sessions("t", Page(size=2, token=token))
        assert (len(listed), bool(token)) == (size, size == 2)
        names += [each.key.session_id for each in listed]
    assert names == ["s4", "s3", "s2", "s1", "s0"]


@pytest.mark.parametrize("asked", [None, False, True])
async def test_a_session_knows_whether_strategies_were_asked_for(
    store: Store, *, asked: bool | None
) -> None:
    """What the caller chose, or left to the script, is in the record and in each turn."""
    key = await opened(store, strategy_engine=asked)
    await accept(store, key)
    assert (await store.get_session(key)).strategy_engine is asked
    assert (await begun(store, key)).strategy_engine is asked


async def test_sessions_of_one_user_can_be_listed(store: Store) -> None:
    """With a user named, only that user's sessions are listed."""
    await created(store, "s1", user_id="u1")
    await created(store, "s2", user_id="u2")
    listed, _ = await store.list_sessions("t", Page(), user_id="u1")
    assert [each.key.session_id for each in listed] == ["s1"]


async def test_messages_are_paged_by_sequence(store: Store) -> None:
    """Pages of messages follow the sequence and hold each message once."""
    key = await opened(store)
    await accept(store, key)
    await ended(store, await begun(store, key), said("two"), said("three"))
    first, token = await store.list_messages(key, Page(size=3))
    rest, last = await store.list_messages(key, Page(size=3, token=token))
    assert [each.plain_text() for each in first + rest] == ["question 1", "hello", "two", "three"]
    sequences = [each.sequence for each in first + rest]
    assert (sequences, last) == (sorted(set(sequences)), "")


async def test_an_unknown_page_token_is_refused(store: Store) -> None:
    """A token that no page gave is the caller's mistake."""
    key = await opened(store)
    with pytest.raises(InvalidRequest) as refused:
        await store.list_messages(key, Page(token="no such page"))
    assert refused.value.reason == "PAGE_TOKEN_INVALID"
