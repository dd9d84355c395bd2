"""kill -9 while an agent runs a workflow: one run, one result, one answer."""

from __future__ import annotations

import signal
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import pytest

from heartrule.chassis.channels import open_channel
from heartrule.domain.decision_events import DecisionMade
from heartrule.model.rehearsal.rehearsal_server import serve
from heartrule.v1 import run_details_pb2, run_pb2, run_request_pb2
from tests.support.agent_runs import AGENT, SUM, started
from tests.support.conversing import Client
from tests.support.databases import database_address
from tests.support.killing import environment, executor_here, history
from tests.support.processes import service

LONG = pytest.mark.long(
    short="tests/e2e/kill/test_killed_agents.py::test_an_agents_run_is_begun_once_and_told_once"
)
POINTS = (
    "after_commit:1",
    *(
        pytest.param(point, marks=LONG)
        for point in (
            "before_commit:1", "run_admitted", "run_owned", "in_node", "after_finish",
            "before_commit:2", "after_commit:2",
        )
    ),
)  # fmt: skip
SAID = "运行它"
SENDINGS = 3
"""A client repeats a message whose turn failed, as one may where the machine stands still."""


async def killed_at(point: str, environ: dict[str, str], folder: Path, session_id: str) -> None:
    """Have the agent run the workflow in an executor that dies on its way."""
    armed = {**environ, "HEARTRULE_TEST_MODE": "1", "HEARTRULE_FAILPOINT": point}
    async with service("executor_service", folder, armed) as doomed:
        channel = open_channel(doomed.address)
        for _ in range(SENDINGS):
            with suppress(Exception):  # it may have heard the turn's end before the death
                await Client(channel).send(session_id, "m1", SAID)
            if doomed.process.returncode is not None:
                break
        await channel.close()
        assert await doomed.died() == -signal.SIGKILL


async def runs_of(client: Client, session_id: str) -> list[Any]:
    """Return the session's runs."""
    request = run_request_pb2.ListRunsRequest(session_id=session_id)
    return list((await client.stubs.run.ListRuns(request)).runs)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
@pytest.mark.parametrize("point", POINTS)
async def test_an_agents_run_is_begun_once_and_told_once(
    point: str, database: str, tmp_path: Path
) -> None:
    """Whoever goes on with the turn waits for the run that the dead process began."""
    async with aclosing(await serve()) as model, database_address(database, tmp_path) as address:
        environ = environment(address, model.base_url) | {"POD_NAME": "pod-0"}
        async with executor_here(environ) as client:
            session_id = await started(client, (AGENT,), {"sum": SUM})
            await client.initialize(session_id)
        await killed_at(point, environ, tmp_path, session_id)
        async with executor_here(environ) as client:
            retried = await client.send(session_id, "m1", SAID)
            told = await history(client, session_id)
            (run,) = await runs_of(client, session_id)
    assert run.state == run_pb2.RUN_STATE_COMPLETED
    assert run.landing == run_details_pb2.RUN_LANDING_TAKEN
    made = [each.decision_type for each in told.of(DecisionMade)]
    assert made == ["respond", "execute_workflow", "respond"]
    assert "做完了" in retried.texts()[-1]
