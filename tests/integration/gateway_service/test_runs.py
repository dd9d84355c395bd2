"""Runs of workflows over HTTP, and the download of what they wrote."""

from __future__ import annotations

import asyncio
from typing import Any, get_args

import pytest

from gateway_service.json_encoding import words
from gateway_service.routes.runs import StateWord
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.runs import RunState
from heartrule.v1 import run_pb2
from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.records.runs import NewArtifact, RunPause
from tests.support.executors import Neighbours
from tests.support.gateways import RunningGateway, running_gateway
from tests.support.store_runs import WELL, ran, working

RUNS = "/api/v1/sessions/s1/runs"
RUN = f"{RUNS}/run_1"
# The session's script is not in the store, so that all variables count as sensitive.
SHOWN: dict[str, Any] = {"reveal": "true"}
LARGE = "长" * 6_000
HOSTILE = 'a/..\\b"\r\nset-cookie: x=1;\u202egnp.exe'


async def ended() -> Neighbours:
    """Return a store with a run that ended: a small output, a large one and files."""
    store = open_in_memory()
    _, lease = await working(store, tenant=DEFAULT_TENANT)
    files = (
        NewArtifact(name="图.png", mime_type="image/png", content=b"\x89PNG\r\n"),
        NewArtifact(name=HOSTILE, mime_type="text/html\r\nx: y", content=b"<script>"),
        NewArtifact(name="page.html", mime_type="text/html", content=b"<script>"),
    )
    await ran(store, lease, "n0", {"图": "图.png"}, artifacts=files)
    await ran(store, lease, "loop/3/in", [LARGE])
    await store.finish_run(lease, WELL)
    return Neighbours(store=store)


async def file_of(running: RunningGateway, name: str, **query: Any) -> Any:
    """Download a file of the run."""
    asked = {"path": "n0", "name": name, **SHOWN, **query}
    return await running.http.get(f"{RUN}/artifact", params=asked)


async def test_a_run_is_listed_and_read() -> None:
    """Names are lowerCamelCase, words lower-case; what a node gave keeps its own names."""
    async with running_gateway(await ended()) as running:
        asked = {**SHOWN, "state": "completed"}
        listed = (await running.http.get(RUNS, params=asked)).json()["runs"]
        none = (await running.http.get(RUNS, params={"state": "failed"})).json()["runs"]
        read = (await running.http.get(RUN, params=SHOWN)).json()
        masked = (await running.http.get(RUN)).json()
    assert ([each["runId"] for each in listed], none) == (["run_1"], [])
    assert (read["run"], read["run"]["state"], read["run"]["landing"]) == (
        listed[0],
        "completed",
        "waits",
    )
    assert [each["path"] for each in read["attempts"]] == ["n0", "loop/3/in"]
    assert read["attempts"][0]["output"] == {"图": "图.png"}
    assert "output" not in read["attempts"][1]
    assert read["inputs"] == {"月": "十一月"}
    assert masked["attempts"][0]["output"] == {"图": "•••"}


async def test_a_file_is_a_download() -> None:
    """With type, length and name, never shown as a page, and kept by no cache."""
    async with running_gateway(await ended()) as running:
        picture, page = await asyncio.gather(
            file_of(running, "图.png"), file_of(running, "page.html")
        )
    assert (picture.status_code, picture.content) == (200, b"\x89PNG\r\n")
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["content-length"] == "6"
    assert picture.headers["content-disposition"] == "attachment; filename*=UTF-8''%E5%9B%BE.png"
    assert picture.headers["cache-control"] == "no-store"
    for each in (picture, page):
        assert each.headers["x-content-type-options"] == "nosniff"
        assert each.headers["content-disposition"].startswith("attachment; ")
        assert "default-src 'none'" in each.headers["content-security-policy"]


async def test_a_hostile_name_makes_no_header() -> None:
    """Folders, line ends and marks of direction are left out, and a type that is none too."""
    async with running_gateway(await ended()) as running:
        answer = await file_of(running, HOSTILE)
    saved = "b%22set-cookie%3A%20x%3D1%3Bgnp.exe"
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{saved}"
    assert answer.headers["content-type"] == "application/octet-stream"
    assert not {"set-cookie", "x"} & set(answer.headers)


async def test_what_is_large_is_a_download_of_json() -> None:
    """By the hash that the attempt names."""
    async with running_gateway(await ended()) as running:
        read = (await running.http.get(RUN, params=SHOWN)).json()
        sha256 = read["attempts"][1]["outputSha256"]
        answer = await running.http.get(f"{RUN}/values/{sha256}", params=SHOWN)
    assert answer.json() == [LARGE]
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"].endswith(f"{sha256}.json")


async def test_what_cannot_be_masked_is_read_by_those_who_ask() -> None:
    """403 with its reason, in a session that may have sensitive variables."""
    async with running_gateway(await ended()) as running:
        answer = await file_of(running, "图.png", reveal="false")
    assert (answer.status_code, answer.json()["reason"]) == (403, "REVEAL_REQUIRED")


async def test_a_run_is_cancelled_once() -> None:
    """A repeat is answered alike; a run that ended before stays as it is."""
    store: Store = open_in_memory()
    key, lease = await working(store, tenant=DEFAULT_TENANT)
    await store.pause_run(lease, RunPause(state=RunState.WAITING_DECISION))
    async with running_gateway(Neighbours(store=store)) as running:
        first = await running.http.post(f"{RUN}/cancel")
        again = await running.http.post(f"{RUN}/cancel")
        assert (await store.get_run(key, "run_1")).run.state is RunState.CANCELLED
    async with running_gateway(await ended()) as running:
        late = await running.http.post(f"{RUN}/cancel")
    assert (first.status_code, first.json()["state"]) == (200, "cancelled")
    assert again.json() == first.json()
    assert late.json()["state"] == "completed"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/sessions/nobody/runs", 404),
        (f"{RUNS}/run_2", 404),
        (f"{RUNS}?state=flying", 400),
        (f"{RUN}?pageSize=501", 400),
        (f"{RUN}/artifact?path=n0", 400),
        (f"{RUN}/artifact?path=n0&name=none&reveal=true", 404),
        (f"{RUN}/artifact?path=n0&name=%00&reveal=true", 400),
        (f"{RUN}/values/{'0' * 64}?reveal=true", 404),
    ],
)
async def test_a_wrong_request_is_a_problem(path: str, status: int) -> None:
    """400 for what cannot be asked, 404 for what is not there."""
    async with running_gateway(await ended()) as running:
        answer = await running.http.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_words_are_those_of_the_contract() -> None:
    """A state that the contract gains is one that HTTP takes."""
    literal, _ = get_args(StateWord)
    assert list(get_args(literal)) == list(words(run_pb2.RunState.DESCRIPTOR).values())
