"""Counters of what runs use: the session's and the tenant's, whichever process counts."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import ForkOrder, RetryOrder, Spending, SpendingLimits, SpentSoFar
from session_store.sql.decisions import spending
from tests.support.store_builders import opened
from tests.support.store_decisions import turn_with

LONG_AGO = datetime(2026, 1, 1, 8, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test have a minute that does not pass."""
    monkeypatch.setattr(spending, "minute_of", lambda _: LONG_AGO)


async def used(store: Store, key: SessionKey, tokens: int, calls: int, **most: Any) -> bool:
    """Count what a run uses, within limits."""
    limits = SpendingLimits(**most)
    return await store.spend(Spending(key=key, llm_tokens=tokens, api_calls=calls, limits=limits))


def so_far(tokens: int, calls: int, of_tenant: int) -> SpentSoFar:
    """Return the counters."""
    return SpentSoFar(llm_tokens=tokens, api_calls=calls, tenant_api_calls=of_tenant)


async def test_what_is_used_adds_up(store: Store) -> None:
    """A session's tokens and calls are its own; calls of a minute are its tenant's."""
    first, second = await opened(store, "s1"), await opened(store, "s2")
    assert await store.spent(first) == so_far(0, 0, 0)
    assert await used(store, first, 100, 1)
    assert await used(store, first, 20, 0)
    assert await used(store, second, 0, 2)
    assert await store.spent(first) == so_far(120, 1, 3)
    assert await store.spent(second) == so_far(0, 2, 3)


@pytest.mark.parametrize("name", ["llm_tokens", "api_calls", "tenant_api_calls"])
async def test_a_limit_is_reached_and_not_passed(store: Store, name: str) -> None:
    """What would pass it is not counted, of none of the counters."""
    key = await opened(store)
    assert await used(store, key, 2, 2, **{name: 2})
    assert not await used(store, key, 1, 1, **{name: 2})
    assert await store.spent(key) == so_far(2, 2, 2)


async def test_a_limit_holds_back_what_adds_to_it_alone(store: Store) -> None:
    """Where calls are used up, tokens are not."""
    key = await opened(store)
    assert await used(store, key, 0, 3)
    assert await used(store, key, 5, 0, api_calls=1, tenant_api_calls=1)


async def test_a_minute_begins_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tenant's calls are those of the present minute; the session's stay."""
    key = await opened(store)
    assert await used(store, key, 0, 2, tenant_api_calls=2)
    monkeypatch.setattr(spending, "minute_of", lambda _: LONG_AGO + timedelta(minutes=1))
    assert await store.spent(key) == so_far(0, 2, 0)
    assert await used(store, key, 0, 1, tenant_api_calls=2)
    assert await store.spent(key) == so_far(0, 3, 1)


async def test_many_at_once_pass_no_limit(store: Store) -> None:
    """Sessions of one tenant count in turns, whichever of them comes first."""
    keys = [await opened(store, f"s{number}") for number in range(4)]
    calls = (used(store, key, 0, 1, tenant_api_calls=5) for key in keys * 3)
    assert sum(await asyncio.gather(*calls)) == 5
    assert (await store.spent(keys[0])).tenant_api_calls == 5


async def test_a_fork_has_used_nothing_and_a_retry_takes_nothing_back(store: Store) -> None:
    """What a run used is used, whatever becomes of its turn."""
    key = await opened(store)
    turn = await turn_with(store, key, "m1")
    assert await used(store, key, 7, 0)
    order = ForkOrder(source=key, session_id="f1", from_turn_id=turn.turn_id)
    forked = await store.fork_session(order)
    assert await store.spent(forked.session.key) == so_far(0, 0, 0)
    await turn_with(store, key, "m2")
    await store.retry_turn(RetryOrder(key=key, text="again", client_message_id="m3"))
    assert await store.spent(key) == so_far(7, 0, 0)


async def test_a_deleted_session_uses_nothing(store: Store) -> None:
    """Neither is read nor counted."""
    key = await opened(store)
    await store.delete_session(key)
    with pytest.raises(NotFound):
        await used(store, key, 1, 1)
    with pytest.raises(NotFound):
        await store.spent(key)
