"""The rpcs about runs of workflows, called without a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from executor_service.hub import SessionHub
from executor_service.rpc.run_rpcs import PIECE, RunRpcs
from executor_service.scripts.model.fields import Output
from heartrule.domain.errors import InvalidRequest, NotFound, NotPermitted
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.run_events import Activity
from heartrule.domain.runs import NodeState
from heartrule.domain.sensitive import MASK
from heartrule.domain.threads import ThreadState
from heartrule.v1 import run_details_pb2 as details
from heartrule.v1 import run_pb2 as pb
from heartrule.v1 import run_request_pb2 as requests
from heartrule.wire.json_values import read_struct, read_value
from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.records.runs import EndedNode, NewArtifact, RunLease, StartedNode
from tests.support.engine_builders import ask, script
from tests.support.kept_threads import with_threads
from tests.support.nothing_wired import NoRuns
from tests.support.store_runs import BADLY, WELL, failed, new_run, node, ran, working
from tests.support.turn_builders import OneScript

OF_RUN: dict[str, Any] = {"session_id": "s1", "run_id": "run_1"}
LARGE = "长" * 6_000
SECRET = "仁爱诊所"
CHART = NewArtifact(name="图.png", mime_type="image/png", content=b"\x89PNG" * 70_000)


@dataclass
class Written:
    """The context of a stream: it keeps what is written."""

    pieces: list[requests.GetRunArtifactResponse] = field(default_factory=list)

    async def write(self, piece: requests.GetRunArtifactResponse) -> None:
        """Keep a piece."""
        self.pieces.append(piece)


@dataclass
class Desk:
    """The rpcs over a store, with a run that a worker has."""

    store: Store
    hub: SessionHub
    rpcs: RunRpcs
    key: SessionKey
    lease: RunLease

    async def read(self, **fields: Any) -> requests.GetRunResponse:
        """Read the run."""
        return await self.rpcs.GetRun(requests.GetRunRequest(**OF_RUN, **fields), nowhere())

    async def runs(self, **fields: Any) -> list[details.Run]:
        """List runs."""
        request = requests.ListRunsRequest(session_id="s1", **fields)
        return list((await self.rpcs.ListRuns(request, nowhere())).runs)

    async def fetched(self, **fields: Any) -> list[requests.GetRunArtifactResponse]:
        """Read a file or a value, in pieces."""
        context = Written()
        request = requests.GetRunArtifactRequest(**{**OF_RUN, **fields})
        await self.rpcs.GetRunArtifact(request, cast("Any", context))
        return context.pieces


def nowhere() -> Any:
    """Return the context of an rpc that asks nothing of it."""
    return None


async def desk(*, sensitive: bool = False, **changes: Any) -> Desk:
    """Return the rpcs over a session with one run that works."""
    store, hub = open_in_memory(), SessionHub()
    key, lease = await working(store, tenant=DEFAULT_TENANT, **changes)
    library = OneScript(script(ask(output=(Output(get="诊所", sensitive=sensitive),))))
    return Desk(store, hub, RunRpcs(store, hub, library, runs=NoRuns()), key, lease)


async def test_a_run_is_listed_and_read() -> None:
    """A list has how far it is; the run itself has its workflow, inputs and attempts."""
    at = await desk()
    await ran(at.store, at.lease, "n0", {"rows": [1, None, "二"]})
    await at.store.finish_run(at.lease, WELL)
    (listed,) = await at.runs()
    found = await at.read()
    assert listed == found.run
    assert (listed.run_id, listed.state) == ("run_1", pb.RUN_STATE_COMPLETED)
    assert (listed.landing, listed.HasField("failure")) == (details.RUN_LANDING_WAITS, False)
    assert listed.create_time.seconds <= listed.end_time.seconds
    (attempt,) = found.attempts
    assert (attempt.path, attempt.attempt, attempt.state) == ("n0", 1, pb.NODE_STATE_COMPLETED)
    assert read_value(attempt.output) == {"rows": [1, None, "二"]}
    assert read_struct(found.inputs) == {"月": "十一月"}
    assert read_struct(found.definition)["name"] == new_run().workflow.name


async def test_a_run_of_an_agent_is_read_with_its_thread() -> None:
    """It has no workflow, and its end by an operator is the thread's."""
    threads = await with_threads(open_in_memory())
    library = OneScript(script(ask()))
    rpcs = RunRpcs(threads.store, SessionHub(), library, runs=NoRuns())
    found = await rpcs.GetRun(requests.GetRunRequest(**OF_RUN), nowhere())
    ended = await rpcs.CancelRun(requests.CancelRunRequest(**OF_RUN), nowhere())
    assert (found.run.agent, found.run.thread_id) == ("researcher", "thr_1")
    assert (found.run.workflow_id, found.run.revision, list(found.attempts)) == ("", 0, [])
    assert ended.run.state == pb.RUN_STATE_CANCELLED
    thread = (await threads.store.get_thread(threads.key, "thr_1")).thread
    assert thread.state is ThreadState.CANCELLED


async def test_a_failure_is_told_with_its_code() -> None:
    """Of the run, and of the attempt."""
    at = await desk()
    await at.store.begin_node(at.lease, StartedNode(record=node("n0"), has_effect=True))
    await at.store.end_node(at.lease, EndedNode(record=failed("n0")))
    await at.store.finish_run(at.lease, BADLY)
    found = await at.read()
    failures = [found.run.failure, found.attempts[0].failure]
    assert {each.code for each in failures} == {pb.RUN_ERROR_CODE_TIMEOUT}
    assert {each.message for each in failures} == {"it took too long"}
    assert found.attempts[0].has_effect


async def test_runs_are_listed_by_page_workflow_and_state() -> None:
    """A state that the contract does not know is refused."""
    at = await desk()
    assert [each.run_id for each in await at.runs(workflow_id="wf_1")] == ["run_1"]
    assert await at.runs(workflow_id="wf_2") == []
    assert len(await at.runs(state=pb.RUN_STATE_RUNNING, page_size=1)) == 1
    assert await at.runs(state=pb.RUN_STATE_FAILED) == []
    with pytest.raises(InvalidRequest):
        await at.runs(state=99)


async def test_attempts_are_read_by_page() -> None:
    """In the order in which they began; a token that is none begins at the start."""
    at = await desk()
    for number in range(3):
        await ran(at.store, at.lease, f"n{number}", number)
    first = await at.read(page_size=2)
    rest = await at.read(page_size=2, page_token=first.next_page_token)
    assert [each.path for each in (*first.attempts, *rest.attempts)] == ["n0", "n1", "n2"]
    assert rest.next_page_token == ""
    assert len((await at.read(page_token="9" * 5_000)).attempts) == 3


async def test_a_page_keeps_below_what_a_channel_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has fewer attempts, one at least, and the token leads on."""
    monkeypatch.setattr("executor_service.rpc.run_rpcs.LARGEST_ANSWER", 2_000)
    at = await desk()
    for number in range(3):
        await ran(at.store, at.lease, f"n{number}", "x" * 1_500)
    found, token = [], "0"
    while token:
        page = await at.read(page_token=token)
        found += [each.path for each in page.attempts]
        assert len(page.attempts) == 1
        token = page.next_page_token
    assert found == ["n0", "n1", "n2"]


async def test_what_is_large_is_named_by_its_hash() -> None:
    """GetRun leaves it out, and GetRunArtifact gives it as JSON."""
    at = await desk()
    await ran(at.store, at.lease, "n0", [LARGE])
    (attempt,) = (await at.read()).attempts
    assert not attempt.HasField("output")
    (piece,) = await at.fetched(value_sha256=attempt.output_sha256)
    assert piece.chunk.decode() == f'["{LARGE}"]'
    assert (piece.artifact.mime_type, piece.artifact.size_bytes) == (
        "application/json",
        len(piece.chunk),
    )


async def test_a_file_comes_in_pieces() -> None:
    """The first says what it is; an empty file is one piece."""
    at = await desk()
    empty = NewArtifact(name="leer", mime_type="text/plain", content=b"")
    await ran(at.store, at.lease, "n0", "图.png", artifacts=(CHART, empty))
    (none, listed) = sorted((await at.read()).artifacts, key=lambda each: each.size_bytes)
    pieces = await at.fetched(file=requests.RunFile(path="n0", name="图.png"))
    assert [len(each.chunk) for each in pieces] == [PIECE, 280_000 - PIECE]
    assert b"".join(each.chunk for each in pieces) == CHART.content
    assert [each.HasField("artifact") for each in pieces] == [True, False]
    assert pieces[0].artifact == listed
    (only,) = await at.fetched(file=requests.RunFile(path="n0", name="leer"))
    assert (only.artifact, only.chunk) == (none, b"")


async def test_a_cancelled_run_stays_cancelled() -> None:
    """Watchers are told once; a repeat is answered alike."""
    at = await desk()
    await at.store.begin_node(at.lease, StartedNode(record=node("n0")))
    watcher = at.hub.subscribe(at.key)
    request = requests.CancelRunRequest(**OF_RUN)
    first = await at.rpcs.CancelRun(request, nowhere())
    told = [watcher.take() for _ in range(3)]
    again = await at.rpcs.CancelRun(request, nowhere())
    assert first.run.state == pb.RUN_STATE_CANCELLED
    assert again == first
    assert isinstance(cast("Any", told[-1]).body, Activity)
    assert watcher.take() is None
    assert [each.state for each in (await at.read()).attempts] == [pb.NODE_STATE_CANCELLED]


async def test_an_ended_run_is_answered_as_it_is() -> None:
    """Nothing of it changes."""
    at = await desk()
    await at.store.finish_run(at.lease, WELL)
    answer = await at.rpcs.CancelRun(requests.CancelRunRequest(**OF_RUN), nowhere())
    assert answer.run.state == pb.RUN_STATE_COMPLETED


async def test_a_sensitive_session_tells_texts_to_those_who_ask() -> None:
    """Any text and number may be a client's; names of fields, ids and states are not."""
    at = await desk(sensitive=True, inputs={"哪里": SECRET})
    await at.store.begin_node(at.lease, StartedNode(record=node("n0"), inputs={"a": SECRET}))
    done = node("n0", NodeState.COMPLETED, output=[SECRET, 7, True])
    file = NewArtifact(name=f"{SECRET}.txt", mime_type="text/plain", content=b"x")
    await at.store.end_node(at.lease, EndedNode(record=done, artifacts=(file,)))
    await at.store.finish_run(at.lease, BADLY)
    masked, revealed = await at.read(), await at.read(reveal=True)
    assert SECRET not in str(read_struct(masked.inputs)) + str(masked.artifacts[0].name)
    assert read_value(masked.attempts[0].output) == [MASK, MASK, True]
    assert (masked.run.failure.message, masked.run.failure.code) == (
        MASK,
        pb.RUN_ERROR_CODE_TIMEOUT,
    )
    assert [each.failure.message for each in await at.runs()] == [MASK]
    assert read_struct(revealed.inputs) == {"哪里": SECRET}
    assert read_value(revealed.attempts[0].inputs) == {"a": SECRET}
    assert revealed.artifacts[0].name == f"{SECRET}.txt"


async def test_a_file_of_a_sensitive_session_is_read_by_those_who_ask() -> None:
    """It cannot be masked; whether there is one is not told either."""
    at = await desk(sensitive=True)
    await ran(at.store, at.lease, "n0", [LARGE], artifacts=(CHART,))
    value = (await at.read()).attempts[0].output_sha256
    for wanted in (
        {"file": requests.RunFile(path="n0", name="图.png")},
        {"file": requests.RunFile(path="n0", name="nothing")},
        {"value_sha256": value},
    ):
        with pytest.raises(NotPermitted):
            await at.fetched(**wanted)
    assert await at.fetched(file=requests.RunFile(path="n0", name="图.png"), reveal=True)
    assert await at.fetched(value_sha256=value, reveal=True)


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({}, InvalidRequest),
        ({"file": requests.RunFile(path="n0")}, InvalidRequest),
        ({"value_sha256": ""}, InvalidRequest),
        ({"value_sha256": "0" * 64}, NotFound),
        ({"file": requests.RunFile(path="n0", name="../../etc/passwd")}, NotFound),
        ({"value_sha256": "0" * 64, "session_id": "nobody"}, NotFound),
    ],
    ids=str,
)
async def test_what_is_not_there_is_not_found(fields: Any, refused: type[Exception]) -> None:
    """A request that names nothing is refused."""
    at = await desk()
    with pytest.raises(refused):
        await at.fetched(**fields)


async def test_a_run_that_is_not_there_is_not_found() -> None:
    """To be read or cancelled; nor is one of another session."""
    at = await desk()
    for of in ({"run_id": "run_2"}, {"session_id": "s2"}):
        with pytest.raises(NotFound):
            await at.rpcs.GetRun(requests.GetRunRequest(**{**OF_RUN, **of}), nowhere())
        with pytest.raises(NotFound):
            await at.rpcs.CancelRun(requests.CancelRunRequest(**{**OF_RUN, **of}), nowhere())
