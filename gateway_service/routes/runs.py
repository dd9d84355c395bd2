"""Routes of runs of workflows, and the download of what they wrote."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import Path, Query
from pydantic import PlainSerializer
from starlette.responses import Response

from gateway_service.bodies import Name, PageQuery, QueryParameters, Required
from gateway_service.list_queries import ListQuery
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.route import GatewayServices, SessionId
from gateway_service.routes.call_router import CallRouter
from gateway_service.services import Services
from heartrule.v1 import run_details_pb2, run_request_pb2

_SESSION = f"{API}/sessions/{{sessionId}}"
_RUN = f"{_SESSION}/runs/{{runId}}"
_UNKNOWN_TYPE = "application/octet-stream"
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*", re.IGNORECASE)
_DOWNLOAD = returns(None, "The bytes, as a download.", media_type="*/*") | fails(404)

StateWord = Annotated[
    Literal[
        "queued", "running", "waiting_decision", "completed", "failed", "cancelled", "interrupted",
    ],
    PlainSerializer(lambda word: f"RUN_STATE_{word.upper()}", return_type=str),
]  # fmt: skip
RunId = Annotated[str, Path(alias="runId")]


class RunsQuery(ListQuery):
    """Which runs."""

    workflow_id: Name = ""
    """Only those of this workflow."""
    state: StateWord | None = None
    """Only those in this state."""
    reveal: bool = False
    """True: with the texts of failures where the script has sensitive variables; else `•••`."""


class AttemptsQuery(PageQuery):
    """Which attempts of a run; fewer on a page where their inputs and outputs are large."""

    reveal: bool = False
    """True: with texts and numbers where the script has sensitive variables; `•••` otherwise."""


class RevealQuery(QueryParameters):
    """Whether to read what cannot be masked."""

    reveal: bool = False
    """Must be true in a session whose script has sensitive variables."""


class ArtifactQuery(RevealQuery):
    """Which file of a run."""

    path: Required
    """The node that wrote it, such as `chart` or `loop/3/chart`."""
    name: Required
    """Its name."""


router = CallRouter(tags=["runs"])
router.add_call(
    f"GET {_SESSION}/runs",
    "ListRuns",
    summary="List the runs of workflows in the order in which they were queued",
    query=RunsQuery,
)
router.add_call(
    f"GET {_RUN}",
    "GetRun",
    summary="Read a run with its attempts by page, and the names of its files",
    query=AttemptsQuery,
)
router.add_call(
    f"POST {_RUN}/cancel",
    "CancelRun",
    summary="End a run; one that has ended stays as it is; safe to repeat",
    inner="run",
    success="The run: cancelled, or as it had ended before.",
)


@router.get(f"{_RUN}/artifact", summary="Download a file that a node wrote", responses=_DOWNLOAD)
async def artifact(
    services: GatewayServices,
    session_id: SessionId,
    run_id: RunId,
    asked: Annotated[ArtifactQuery, Query()],
) -> Response:
    """Return a file as a download; never to be shown as a page."""
    file = run_request_pb2.RunFile(path=asked.path, name=asked.name)
    request = run_request_pb2.GetRunArtifactRequest(
        session_id=session_id, run_id=run_id, file=file, reveal=asked.reveal
    )
    return await _download(services, request)


@router.get(
    f"{_RUN}/values/{{sha256}}",
    summary="Download an input or output that GetRun leaves out, as JSON",
    responses=_DOWNLOAD,
)
async def value(
    services: GatewayServices,
    session_id: SessionId,
    run_id: RunId,
    sha256: str,
    asked: Annotated[RevealQuery, Query()],
) -> Response:
    """Return an input or output of more than 16 KiB as a download, by its hash."""
    request = run_request_pb2.GetRunArtifactRequest(
        session_id=session_id, run_id=run_id, value_sha256=sha256, reveal=asked.reveal
    )
    return await _download(services, request, ending=".json")


async def _download(
    services: Services, request: run_request_pb2.GetRunArtifactRequest, *, ending: str = ""
) -> Response:
    described, content = run_details_pb2.RunArtifact(), bytearray()
    limit = services.settings.requests.call_timeout
    async for piece in services.executor.responses(request, timeout_s=limit):
        if piece.HasField("artifact"):
            described = piece.artifact
        content += piece.chunk
    # In `headers`, as Starlette would name a charset for texts, which nobody knows.
    headers = {
        "content-type": media_type(described.mime_type),
        "content-disposition": disposition(described.name + ending),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(bytes(content), headers=headers)


def media_type(given: str) -> str:
    """Return a type that a node gave, or that of any bytes where it is none."""
    return given if _MEDIA_TYPE.fullmatch(given) else _UNKNOWN_TYPE


def disposition(name: str) -> str:
    """Return the header that has a browser save a file, under the last part of its name.

    What is not printable, such as line ends and marks that turn the direction of writing, is left
    out; the rest is percent-encoded (RFC 6266).
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    printable = "".join(each for each in last if each.isprintable()).strip(". ")
    return f"attachment; filename*=UTF-8''{quote(printable or 'artifact', safe='')}"
