"""How the sessions of a version went, in numbers."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AdviceState
from session_store.ports import Store
from session_store.records import ScriptRecord
from tests.support.store_builders import (
    accept,
    advised,
    begun,
    created,
    ended,
    failure,
    judged_turn,
    opened,
)


async def published(store: Store, key: SessionKey) -> tuple[str, str]:
    """Publish the script that a session names; return its id and version."""
    record = await store.get_session(key)
    files = {"main.yaml": b""}
    named = ScriptRecord(
        tenant=key.tenant, script_id=record.script_id, version=record.script_version,
        main="main.yaml", files=files,
    )  # fmt: skip
    await store.save_script(named)
    return record.script_id, record.script_version


async def test_rounds_and_advice_are_counted_by_action(store: Store) -> None:
    """Also what became of the advice; a session that waits is stopped where it stands."""
    key = await opened(store)
    script_id, version = await published(store, key)
    await judged_turn(store, key)
    await advised(store)
    await accept(store, key, "m9")
    await ended(store, await begun(store, key))
    figures = await store.script_figures(key.tenant, script_id, version)
    assert (figures.sessions, figures.started, figures.finished) == (1, 1, 0)
    (action,) = [each for each in figures.actions if each.rounds]
    assert (action.sessions, action.begun, action.stopped) == (1, 1, 1)
    assert [(each.state, each.count) for each in action.advice] == [(AdviceState.CONSUMED, 1)]
    assert await store.script_figures(key.tenant, script_id) == figures


async def test_other_versions_forks_and_failures_are_told_apart(store: Store) -> None:
    """Sessions of another script are not counted; one with a failed turn is."""
    key = await opened(store)
    script_id, version = await published(store, key)
    await created(store, "other", script_id="elsewhere")
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    figures = await store.script_figures(key.tenant, script_id, version)
    assert (figures.sessions, figures.failed, figures.has_more) == (1, 1, False)


async def test_a_script_without_sessions_has_no_figures(store: Store) -> None:
    """An unknown one is NotFound."""
    key = await created(store, "s1")
    await published(store, key)
    empty = ScriptRecord(tenant="t", script_id="b", version="v", main="m.yaml", files={})
    await store.save_script(empty)
    assert (await store.script_figures("t", "b")).sessions == 0
    with pytest.raises(NotFound):
        await store.script_figures("t", "nobody")
