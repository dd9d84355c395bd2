"""How the sessions of a version went, in numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.action_result import ActionResult
from heartrule.domain.errors import NotFound
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.figures import AdviceCount, ExitCount
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AdviceState, MonitorAnalysis, StrategySuggestion
from session_store.ports import Store
from session_store.records import ScriptRecord
from tests.support.store_builders import (
    accept,
    advised,
    begun,
    created,
    failure,
    judged,
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


def over(round_no: int) -> ActionResult:
    """Return the result of a round that ends its action."""
    reason = ExitReason.USER_BLOCKED
    decision = ExitDecision(should_exit=True)
    ends = judged(round_no)
    return replace(ends, completed=True, exit_reason=reason, exit_decision=decision)


async def test_rounds_exits_and_advice_are_counted_by_action(store: Store) -> None:
    """A session that waits is stopped where it stands; the newest version is meant without one."""
    key = await opened(store)
    script_id, version = await published(store, key)
    await judged_turn(store, key, result=over(1))
    await advised(store)
    figures = await store.script_figures(key.tenant, script_id, version)
    assert (figures.sessions, figures.started, figures.finished) == (1, 1, 0)
    (action,) = figures.actions
    assert (action.sessions, action.begun, action.rounds, action.stopped) == (1, 1, 1, 1)
    assert action.exits == (ExitCount(exit_reason=ExitReason.USER_BLOCKED, count=1),)
    assert action.advice == (AdviceCount(state=AdviceState.PENDING, count=1),)
    assert await store.script_figures(key.tenant, script_id) == figures


async def test_a_used_strategy_stands_between_two_rounds(store: Store) -> None:
    """The round whose prompt held it, and the next."""
    key = await opened(store)
    script_id, _ = await published(store, key)
    comfort = MonitorAnalysis(strategy_suggestion=StrategySuggestion.COMFORT)
    await judged_turn(store, key, result=over(1))
    await advised(store, analysis=comfort)
    await judged_turn(store, key, 2, result=over(2), advice_consumed="adv_1")
    await judged_turn(store, key, 3, result=over(3))
    (told,) = (await store.script_figures(key.tenant, script_id)).strategies
    assert (told.suggestion, told.used) == (StrategySuggestion.COMFORT, 1)
    assert [each.count for each in (*told.before, *told.after)] == [1, 1]


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
