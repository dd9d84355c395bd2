"""Workers, which take runs and nothing else, beside an executor that takes none."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from grpc_health.v1 import health_pb2, health_pb2_grpc

from heartrule.chassis.channels import open_channel
from heartrule.domain.runs import RunState
from session_store.sql.run_database import SCHEMA, open_run_database
from tests.support.odd_servers import answered, listening
from tests.support.postgres import fresh_database
from tests.support.processes import ROOT, service
from tests.support.served_runs import a_node, a_plan, an_operator, around

SERVING = health_pb2.HealthCheckResponse.SERVING


@pytest.fixture
def address() -> Iterator[str]:
    """Give the address of an empty database of PostgreSQL."""
    with fresh_database() as url:
        yield url


async def test_a_migration_makes_all_tables_and_ends(tmp_path: Path, address: str) -> None:
    """Processes that may not make tables find those of the engine, too."""
    environ = {"HEARTRULE_ROLE": "migrate", "HEARTRULE_DATABASE_URL": address}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "executor_service", cwd=ROOT, env={**os.environ, **environ}
    )
    assert await process.wait() == 0
    assert await asyncio.to_thread(_tables, address) > 0


def _tables(address: str) -> int:
    database = open_run_database(address)
    with database.engine.begin() as db:
        names = sa.inspect(db).get_table_names(schema=SCHEMA)
    database.close()
    return len(names)


async def test_a_worker_takes_what_an_executor_leaves(tmp_path: Path, address: str) -> None:
    """Its health is all that it serves; watchers of the executor hear of the run."""
    neighbours = around(tmp_path, database=address, HEARTRULE_RUN_CONCURRENCY="0")
    environ = {
        **neighbours.environ,
        "HEARTRULE_ROLE": "worker",
        "HEARTRULE_RUN_CONCURRENCY": "2",
        "HEARTRULE_STOP_GRACE": "1",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "HEARTRULE_MODEL": "none",
        "POD_NAME": "worker-0",
    }
    async with listening(answered(b"x")) as server, an_operator(neighbours) as operator:
        async with service("executor_service", tmp_path, environ) as worker:
            async with open_channel(worker.address) as channel:
                request = health_pb2.HealthCheckRequest(service="ready")
                answer = await health_pb2_grpc.HealthStub(channel).Check(request)  # type: ignore[attr-defined]  # its stubs leave it out
            assert answer.status == SERVING
            call = a_node("call", "HTTP", url=server.url(), method="GET")
            run_id = await operator.execute(await operator.plan(a_plan(call)))
            assert await operator.ended(run_id) == RunState.COMPLETED
            assert await worker.stop() == 0
    assert server.connections == 1
