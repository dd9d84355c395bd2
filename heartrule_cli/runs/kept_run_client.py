"""Reads runs of a session from an executor."""

from __future__ import annotations

from heartrule.v1 import run_request_pb2
from heartrule_cli.call_failures import calling
from heartrule_cli.executor_client import CALL_S, ExecutorClient

_PAGE = 500


async def read_run(
    executor: ExecutorClient, session_id: str, run_id: str, *, reveal: bool
) -> run_request_pb2.GetRunResponse:
    """Return a run with all of its attempts.

    Raises:
        Failure: There is none, or the executor cannot be reached.
    """
    request = run_request_pb2.GetRunRequest(
        session_id=session_id, run_id=run_id, page_size=_PAGE, reveal=reveal
    )
    whole = run_request_pb2.GetRunResponse()
    with calling(executor.address):
        while True:
            page = await executor.stubs.run.GetRun(request, timeout=CALL_S)
            attempts = [*whole.attempts, *page.attempts]
            whole.CopyFrom(page)
            del whole.attempts[:]
            whole.attempts.extend(attempts)
            if not page.next_page_token:
                return whole
            request.page_token = page.next_page_token


async def read_artifact(
    executor: ExecutorClient, request: run_request_pb2.GetRunArtifactRequest
) -> bytes:
    """Return the bytes of a file, or of an input or output.

    Raises:
        Failure: There is none, or it may not be read; or the executor cannot be reached.
    """
    pieces: list[bytes] = []
    with calling(executor.address):
        async for response in executor.stubs.run.GetRunArtifact(request, timeout=CALL_S):
            pieces.append(response.chunk)  # noqa: PERF401  a comprehension reads no better
    return b"".join(pieces)
