"""The sales workflow of document 002, scenario 3, for real: rows, pandas, a chart, a mail."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Place
from tests.support.odd_servers import CLOSED_HOST, answered, listening
from tests.support.sales_report import (
    PNG,
    attached,
    copied,
    header,
    mails,
    require_analysis,
    sending_to,
)

JSON = {"Content-Type": "application/json"}
ACCEPTED = answered(b'{"accepted":true}', status="202 Accepted", headers=JSON)
DOWN = answered(status="503 Service Unavailable")
RUN = ["workflow", "run", "sales_report.yaml", "--policy", "policy.yaml", "--format", "json"]
INPUTS = ["--input", "recipient=manager@example.com", "--input", "since=2026-10-01"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example's folder with its database."""
    require_analysis()
    return copied(tmp_path)


async def report(folder: Path, *options: str) -> tuple[int, Mapping[str, Any]]:
    """Run the workflow; return the exit code and the document."""
    done = await asyncio.to_thread(Place(folder).heartrule, *RUN, *INPUTS, *options)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def by_month(folder: Path) -> dict[str, int]:
    """Return what the database holds, summed up by itself."""
    query = "SELECT substr(sold_on, 1, 7), sum(amount) FROM sales WHERE sold_on >= ? GROUP BY 1"
    with closing(sqlite3.connect(folder / "sales.db")) as database:
        return dict(database.execute(query, ("2026-10-01",)).fetchall())


async def test_the_chart_arrives_with_the_mail(folder: Path) -> None:
    """Rows become sums, sums a picture, and the server gets it in base64, with the secret."""
    async with listening(ACCEPTED, host=CLOSED_HOST) as server:
        sending_to(folder, server.url("/send"))
        code, found = await report(folder, "--artifacts", "report")
    assert (code, found["state"]) == (0, "completed")
    assert found["nodes"]["node_2"]["output"] == {"trend": by_month(folder)}
    ((name, kind, picture),) = attached(*mails(server.requests))
    assert (name, kind, picture[:8]) == ("trend.png", "image/png", PNG)
    assert (folder / "report" / "trend.png").read_bytes() == picture
    assert mails(server.requests)[0]["to"] == "manager@example.com"
    assert header(server.requests[0], "authorization") == "bearer not-a-real-key"
    assert found["outputs"]["node_4"]["data"] == {"accepted": True}
    assert "not-a-real-key" not in json.dumps(found)


@pytest.mark.long(
    short="tests/contract/docs/test_run_workflow_page.py::"
    "test_a_server_that_is_down_is_told_as_it_is_printed"
)
async def test_a_mail_server_that_is_down_is_tried_again(folder: Path) -> None:
    """RETRY: every call bears one key, and nothing before the mail runs again."""
    retry = {"action": "RETRY", "max_attempts": 2, "delay": 0}
    async with listening(DOWN, DOWN, ACCEPTED, host=CLOSED_HOST) as server:
        sending_to(folder, server.url("/send"), on_failure=retry)
        code, found = await report(folder)
    assert (code, len(server.requests)) == (0, 3)
    assert len({header(each, "idempotency-key") for each in server.requests}) == 1
    tried = [each["path"] for each in found["attempts"]]
    assert tried == ["node_1", "node_2", "node_3", "node_4", "node_4", "node_4"]


@pytest.mark.long(
    short="tests/integration/executor/test_sales_by_an_agent.py::"
    "test_a_mail_that_fails_is_recovered_and_planned_anew"
)
async def test_the_mail_goes_another_way(folder: Path) -> None:
    """MODIFY: the run's own copy gets another address; what is another call has another key."""
    async with (
        listening(DOWN, host=CLOSED_HOST) as server,
        listening(ACCEPTED, host=CLOSED_HOST) as other,
    ):
        elsewhere = {"config.url": other.url("/send")}
        modify = {"action": "MODIFY", "modifications": elsewhere, "delay": 0}
        sending_to(folder, server.url("/send"), on_failure=modify)
        code, found = await report(folder)
    assert (code, found["state"]) == (0, "completed")
    assert [len(each.requests) for each in (server, other)] == [1, 1]
    keys = {header(each.requests[0], "idempotency-key") for each in (server, other)}
    assert len(keys) == 2
    assert attached(*mails(other.requests))[0][0] == "trend.png"


@pytest.mark.long(
    short="tests/unit/heartrule_cli/test_workflow_run.py::"
    "test_a_failure_is_recovered_as_the_node_says"
)
async def test_the_run_goes_on_without_the_mail(folder: Path) -> None:
    """SKIP: it completes, and the mail's node gave nothing."""
    async with listening(DOWN, host=CLOSED_HOST) as server:
        sending_to(folder, server.url("/send"), on_failure={"action": "SKIP"})
        code, found = await report(folder)
    assert (code, found["state"], len(server.requests)) == (0, "completed", 1)
    assert found["nodes"]["node_4"] == {"state": "skipped", "output": None}
    assert found["attempts"][-1]["failure"]["code"] == "HTTP_5XX"
