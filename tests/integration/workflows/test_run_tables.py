"""The tables of DBOS: made by a role that may, and read for what older releases left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from executor_service.workflows.engine.engine_state import EngineState
from executor_service.workflows.engine.run_queue import (
    APPLICATION,
    QUEUE,
    WORKFLOW,
    settings_of,
)
from executor_service.workflows.engine.run_taker import migrate_run_database
from heartrule.domain.runs import RunErrorCode, RunState
from session_store.sql.run_database import SCHEMA, RunDatabase, open_run_database
from tests.support.driven_runs import RunWorld
from tests.support.durable_runs import durable
from tests.support.postgres import fresh_database
from tests.support.workflow_builders import a_node, a_plan

_TRIGGERS = "SELECT count(*) FROM information_schema.triggers WHERE trigger_schema = :schema"


@pytest.fixture
def address() -> Iterator[str]:
    """Give the address of an empty database of PostgreSQL."""
    with fresh_database() as url:
        yield url


async def test_runs_go_on_tables_that_a_migration_made(world: RunWorld, address: str) -> None:
    """It makes them once, without triggers: nothing listens."""
    database = await asyncio.to_thread(open_run_database, address)
    await asyncio.to_thread(migrate_run_database, database)
    async with durable(world, address) as made:
        assert await made.over(await made.started(a_plan(a_node("a")))) is RunState.COMPLETED
    assert await asyncio.to_thread(_triggers, database) == 0
    await asyncio.to_thread(database.close)


def test_a_worker_that_stands_still_keeps_no_row_of_the_queue(address: str) -> None:
    """The server ends what it has open after five seconds, as it does to the store's."""
    database = open_run_database(address)
    with database.engine.begin() as db:
        shown = db.execute(sa.text("SHOW idle_in_transaction_session_timeout")).scalar_one()
    database.close()
    assert shown == "5s"


async def test_a_run_of_an_older_engine_is_failed(world: RunWorld, tmp_path: Path) -> None:
    """No worker of this release takes it, so a sweep ends it, and says why."""
    address = f"sqlite:///{tmp_path / 'heartrule.db'}"
    async with durable(world, address) as made:
        run = await made.queued(a_plan(a_node("a")))
        database = await asyncio.to_thread(open_run_database, address)
        await asyncio.to_thread(_put_by_version_0, database, run.run_id)
        await made.upkeep.sweep()
        assert await made.over(run.run_id) is RunState.FAILED
        failure = (await world.kept(run.run_id)).failure
        assert failure is not None
        assert failure.code is RunErrorCode.ENGINE_VERSION
        states = await made.engine.status([run.run_id])
        assert states == {run.run_id: EngineState.UNKNOWN}
        await asyncio.to_thread(database.close)
    assert world.nodes.ran == []


def _triggers(database: RunDatabase) -> int:
    with database.engine.begin() as db:
        found: int = db.execute(sa.text(_TRIGGERS), {"schema": SCHEMA}).scalar_one()
    return found


def _put_by_version_0(database: RunDatabase, run_id: str) -> None:
    from dbos import DBOSClient

    client = DBOSClient(application_name=APPLICATION, **settings_of(database))
    client.enqueue(
        {
            "workflow_name": WORKFLOW,
            "queue_name": QUEUE,
            "workflow_id": run_id,
            "app_version": "0",
        },
        run_id,
    )
    client.destroy()
