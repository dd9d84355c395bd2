"""No statement reads a whole table: a turn or a sweep costs the same however many others were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from session_store.records import Page, SafetyFilter
from session_store.records.kept_runs import RunWorker
from session_store.records.runs import NewArtifact, RunPause, StartedNode
from session_store.sql.store import SqlStore
from tests.support.postgres import PostgresServer
from tests.support.statements import watched
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    advised,
    begun,
    call,
    failure,
    opened,
)
from tests.support.store_builders import judged_turn as judge
from tests.support.store_runs import WELL, node, ran, taken, working
from tests.support.store_safety import raised
from tests.support.stores import postgres_store, sqlite_store

FEW = {
    "ROW",
    "(subquery-1)",
    "results",
    "attempts_unfinished_idx",
    "messages_waiting_idx",
    "monitor_requests_open_idx",
    "monitor_requests_owed_idx",
    "advice_pending_idx",
    "alerts_undelivered_idx",
    "runs_unended_idx",
    "runs_standing_idx",
    "runs_undecided_idx",
    "due",
}
"""Indexes that hold only the few rows of one state, and SQLite's words for what is no table."""

VALUES = "VIRTUAL TABLE"
"""What SQLite calls the values of a parameter that holds several."""

CHART = NewArtifact(name="chart", mime_type="image/png", content=b"chart")
NOT_OURS = ("alembic", "sqlite_master")
"""What the migrations read, once at a start."""


@pytest.fixture
def statements() -> Iterator[dict[str, Any]]:
    """Give every statement that the test's store says, with parameters of one of its rows."""
    found: dict[str, Any] = {}
    with watched(found.__setitem__):
        yield found


def ours(statements: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return those about our tables."""
    words = {"SELECT", "UPDATE", "DELETE", "INSERT"}
    return [
        (text, values)
        for text, values in statements.items()
        if text.split(maxsplit=1)[0] in words and not any(each in text for each in NOT_OURS)
    ]


async def everything(store: SqlStore) -> None:
    """Call whatever runs often."""
    key = await opened(store, user_id="u")
    for number in (1, 2):
        await judge(store, key, number, calls=(call(input='["a"]'),))
        await store.due_monitor_requests(5)
        await advised(store, number)
    await accept(store, key, "x")
    await accept(store, key, "x")
    await store.find_work(5)
    await store.find_lapsing(LONG, 5)
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    await accept(store, key, "x")
    await store.renew_lease((await begun(store, key)).lease, snapshot.turn_timeout or LONG)
    await reads(store, key)
    await runs(store)
    await danger(store, key)


async def runs(store: SqlStore) -> None:
    """Call what workers and sweeps do with runs, but for lists that give page after page."""
    key, lease = await working(store, session_id="s2")
    await store.beat(RunWorker(worker_id="w1", slots=4))
    await store.living_workers(LONG)
    await store.find_admissible(LONG, 9)
    await store.admit_runs(key, LONG)
    await store.standing_runs(9)
    await store.takeovers_of("run_1")
    await ran(store, lease, "n0", "large" * 4_000, artifacts=(CHART,))
    await store.pause_run(lease, RunPause(wake_after=AT_ONCE))
    await store.due_runs(9, again_after=AT_ONCE)
    await store.orphaned_runs(9, silent=LONG, again_after=AT_ONCE)
    again = (await taken(store)).lease
    await store.begin_node(again, StartedNode(record=node("n1")))
    await store.finish_run(again, WELL)
    await store.get_run(key, "run_1")
    await store.read_run_progress(key, "run_1")
    await store.get_run_artifact(key, "run_1", "n0", CHART.name)
    await store.trim_runs(AT_ONCE)
    await store.forget_worker("w1")


async def danger(store: SqlStore, key: SessionKey) -> None:
    """Call what runs for each hit, and what consoles and sweeps ask again and again."""
    await store.record_refused(key, "refused", raised())
    for wanted in (SafetyFilter(), SafetyFilter(unacknowledged=True)):
        await store.list_safety_events("t", Page(), wanted)
    (alert,) = await store.claim_alerts("me", 9, LONG)
    name = alert.event.safety_event_id
    await store.alert_failed(key, name, reason="R", pause=LONG)
    await store.alert_delivered(key, name)
    await store.count_undelivered_alerts()
    await store.acknowledge_safety("t", name, operator="ann", note="")
    await store.summary_work(key, most=6_000)
    await store.delete_session(key)


async def reads(store: SqlStore, key: SessionKey) -> None:
    """Call what reads of a session, but for lists that give page after page."""
    await store.get_session(key)
    await store.read_events(key, 3)
    await store.read_turn(key, (await store.get_session(key)).opening_turn_id)
    await store.list_variables(key)
    await store.list_sessions("t", Page(), user_id="u")
    for wanted in (
        "",
        "script_id = script",
        "labels.study = autumn",
        'create_time > "2026-11-01T00Z"',
    ):
        await store.list_sessions("t", Page(filter=wanted))
    await store.list_sessions("t", Page(filter="user_id = u", order_by="create_time"))
    await store.list_calls(key, Page())
    await store.tokens_since(key, LONG)
    await store.trim_ledger(LONG)


async def test_sqlite_searches(tmp_path: Path, statements: dict[str, Any]) -> None:
    """Every step of every plan searches an index."""
    async with sqlite_store(tmp_path) as store:
        await everything(store)

        def plans(db: sa.Connection) -> list[tuple[str, str]]:
            return [
                (str(row[3]), text)
                for text, values in ours(statements)
                for row in db.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)
            ]

        found = await store._engine.read(plans)
    assert len(found) > 40
    scans = {step for step, _ in found if step.startswith("SCAN") and VALUES not in step}
    assert {step for step in scans if step.rpartition(" ")[2] not in FEW} == set()
    assert {each for each in found if reads_all_of_a_session(*each)} == set()
    assert {each for each in found if reads_all_of_a_tenant(*each)} == set()


def reads_all_of_a_session(step: str, text: str) -> bool:
    """Return True where a step goes through every row that a growing table has of a session.

    Messages before one are all there were; events before one are read backwards, with a limit.
    """
    if "SEARCH messages" in step and step.endswith("AND sequence<?)"):
        return True
    narrow = any(name in step for name in (*FEW, "sessions", "variables"))
    ends = "LIMIT" in text or text.startswith("DELETE")
    return step.endswith("(tenant=? AND session_id=?)") and not narrow and not ends


def reads_all_of_a_tenant(step: str, text: str) -> bool:
    """Return True where a step goes through every row of a tenant, but for pages in its order."""
    of_pages = "unseen_idx" if "acknowledge_time IS NULL" in text else "newest_idx"
    return step.endswith("(tenant=?)") and not (of_pages in step and "LIMIT" in text)


async def test_postgresql_searches(
    server: PostgresServer, address: str, statements: dict[str, Any]
) -> None:
    """With sequential scans ruled out, every statement still has a plan without one."""
    async with postgres_store(address) as store:
        await everything(store)

        def plans(db: sa.Connection) -> list[tuple[str, str]]:
            db.exec_driver_sql("SET LOCAL enable_seqscan = off")
            return [
                (str(row[0]), text)
                for text, values in ours(statements)
                for row in db.exec_driver_sql(f"EXPLAIN {text}", values)
            ]

        found = await store._engine.read(plans)
    assert [(step, text) for step, text in found if "Seq Scan" in step] == []
