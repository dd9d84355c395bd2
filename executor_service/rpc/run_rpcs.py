"""The rpcs of RunService: how far runs of workflows are, and their end by an operator."""

from __future__ import annotations

import json
from asyncio import to_thread
from functools import partial

from executor_service.hub import SessionHub
from executor_service.ports import RunStarter, ScriptLibrary
from executor_service.rpc.requests import (
    Context,
    chosen,
    listed,
    masks_in,
    page_of,
    refused,
    session_of,
    start_of,
)
from executor_service.rpc.run_messages import fill_artifact, fill_attempt, fill_run, masked_value
from executor_service.run_following import pass_on
from executor_service.workflows.plan_models import written_plan
from heartrule.domain.errors import NotPermitted
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunState
from heartrule.v1 import run_details_pb2, run_pb2, run_request_pb2
from heartrule.wire.inbound import Reading
from heartrule.wire.json_values import fill_struct
from heartrule.wire.message_mapping import refuse
from heartrule.wire.request_parsing import allow, require
from session_store.ports import Store
from session_store.records import Page
from session_store.records.kept_runs import KeptArtifact, RunDetails, RunFilter

# Bytes of one piece of a file: far below gRPC's limit of 4 MiB for a message.
PIECE = 262_144
# Bytes of an answer to GetRun; it has one attempt at least, which is far smaller.
LARGEST_ANSWER = 16_777_216


class RunRpcs:
    """ListRuns, GetRun, CancelRun, GetRunArtifact."""

    def __init__(
        self, store: Store, hub: SessionHub, scripts: ScriptLibrary, *, runs: RunStarter
    ) -> None:
        """`scripts` name which variables are sensitive; the others are told of a cancellation."""
        self._store = store
        self._hub = hub
        self._scripts = scripts
        self._runs = runs

    async def ListRuns(  # noqa: N802  the contract's name
        self, request: run_request_pb2.ListRunsRequest, _context: Context
    ) -> run_request_pb2.ListRunsResponse:
        """Return runs in the order in which they were queued, without what their nodes gave."""
        key, wanted, page = session_of(request), _filter(request), page_of(request)
        masks = await masks_in(self._store, self._scripts, key, reveal=request.reveal)
        found = await self._store.list_runs(key, page, wanted)
        return listed(run_request_pb2.ListRunsResponse, found, partial(fill_run, masks=masks))

    async def GetRun(  # noqa: N802
        self, request: run_request_pb2.GetRunRequest, _context: Context
    ) -> run_request_pb2.GetRunResponse:
        """Return a run with a page of its attempts; large inputs and outputs by hash."""
        require(session_id=request.session_id, run_id=request.run_id)
        key, page = session_of(request), page_of(request)
        masks = await masks_in(self._store, self._scripts, key, reveal=request.reveal)
        details = await self._store.get_run(key, request.run_id)
        return await to_thread(_described, details, page, masks=masks)

    async def CancelRun(  # noqa: N802
        self, request: run_request_pb2.CancelRunRequest, _context: Context
    ) -> run_request_pb2.CancelRunResponse:
        """End a run, whoever has it; one that has ended is answered as it is."""
        require(session_id=request.session_id, run_id=request.run_id)
        key = session_of(request)
        written = await self._store.cancel_run(key, request.run_id)
        self._hub.publish(key, written.events)
        await pass_on(key, written.events, self._runs)
        masks = await masks_in(self._store, self._scripts, key, reveal=False)
        response = run_request_pb2.CancelRunResponse()
        details = await self._store.get_run(key, request.run_id)
        fill_run(details.run, response.run, masks=masks)
        return response

    async def GetRunArtifact(  # noqa: N802
        self, request: run_request_pb2.GetRunArtifactRequest, context: Context
    ) -> None:
        """Write a file, or an input or output, in pieces, its description with the first of them.

        Raises:
            NotFound: There is none, or age deleted it.
            NotPermitted: The session's script has sensitive variables, and `reveal` is not set.
        """
        found = await self._artifact(request)
        described = run_details_pb2.RunArtifact()
        fill_artifact(found, described)
        for start in range(0, max(found.size, 1), PIECE):
            chunk = found.content[start : start + PIECE]
            first = None if start else described
            await context.write(run_request_pb2.GetRunArtifactResponse(chunk=chunk, artifact=first))

    async def _artifact(self, request: run_request_pb2.GetRunArtifactRequest) -> KeptArtifact:
        require(session_id=request.session_id, run_id=request.run_id)
        kind = request.WhichOneof("artifact")
        if kind is None:
            raise refused("artifact", "set one of file, value_sha256")
        key, run_id = session_of(request), request.run_id
        if kind == "file":
            path, name = request.file.path, request.file.name
            require(**{"file.path": path, "file.name": name})
            await self._require_open(key, reveal=request.reveal)
            return await self._store.get_run_artifact(key, run_id, path, name)
        require(value_sha256=request.value_sha256)
        await self._require_open(key, reveal=request.reveal)
        return await self._value(key, run_id, request.value_sha256)

    async def _value(self, key: SessionKey, run_id: str, sha256: str) -> KeptArtifact:
        """Return an input or output as a file of compact JSON."""
        value = await self._store.get_run_value(key, run_id, sha256)
        text = await to_thread(json.dumps, value, ensure_ascii=False, separators=(",", ":"))
        content = text.encode()
        return KeptArtifact(
            path="",
            name=sha256,
            mime_type="application/json",
            size=len(content),
            sha256="",
            content=content,
        )

    async def _require_open(self, key: SessionKey, *, reveal: bool) -> None:
        if await masks_in(self._store, self._scripts, key, reveal=reveal):
            raise NotPermitted(
                "the session's script has sensitive variables; set reveal to read it",
                reason="REVEAL_REQUIRED",
            )


def _described(details: RunDetails, page: Page, *, masks: bool) -> run_request_pb2.GetRunResponse:
    """Return the answer with as many attempts of the page as it has room for, at least one."""
    response = run_request_pb2.GetRunResponse()
    fill_run(details.run, response.run, masks=masks)
    fill_struct(masked_value(written_plan(details.workflow), masks=masks), response.definition)
    fill_struct(masked_value(details.inputs, masks=masks), response.inputs)
    for file in details.artifacts:
        fill_artifact(file, response.artifacts.add(), masks=masks)
    first, size = start_of(page), response.ByteSize()
    for index, node in enumerate(details.nodes[first:], first):
        attempt = run_details_pb2.NodeAttempt()
        fill_attempt(node, attempt, masks=masks)
        size += attempt.ByteSize()
        if index - first == page.size or (index > first and size > LARGEST_ANSWER):
            response.next_page_token = str(index)
            break
        response.attempts.append(attempt)
    return response


def _filter(request: run_request_pb2.ListRunsRequest) -> RunFilter:
    allow(workflow_id=request.workflow_id)
    reading = Reading()
    states = run_pb2.RunState.DESCRIPTOR
    state = chosen(request.state, RunState, states, at="state", reading=reading)
    refuse(reading)
    return RunFilter(workflow_id=request.workflow_id, state=state)
