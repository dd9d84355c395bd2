"""`heartrule workflow show SESSION RUN`: a run that a server keeps, and what its nodes wrote."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from pathlib import PurePosixPath

from google.protobuf.json_format import MessageToJson

from heartrule.v1 import run_details_pb2, run_request_pb2
from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.call_failures import calling
from heartrule_cli.executor_client import CALL_S, ExecutorClient
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.runs.artifact_files import write_file
from heartrule_cli.runs.run_page import run_page
from heartrule_cli.services.own_executor import ask_executor
from heartrule_cli.style import style_for
from heartrule_cli.text import clean

_PAGE = 500


def show_run(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the page of a run, or write one of its files, or a large input or output."""
    if args.artifact or args.value:
        return asyncio.run(_fetch(args, environ))
    if args.out:
        raise Failure(say("cli.run.out_alone"), code=WRONG)
    request = run_request_pb2.GetRunRequest(
        session_id=args.session, run_id=args.run, page_size=_PAGE, reveal=args.reveal
    )
    reading = partial(_read_run, request=request)
    found = asyncio.run(ask_executor(args.address, environ, reading))
    if args.format == "json":
        print(MessageToJson(found, ensure_ascii=True))
    else:
        print(*run_page(found, style_for(sys.stdout, environ), language_in(environ)), sep="\n")
    return 0


async def _fetch(args: Namespace, environ: Mapping[str, str]) -> int:
    request = run_request_pb2.GetRunArtifactRequest(
        session_id=args.session, run_id=args.run, reveal=args.reveal
    )
    if args.artifact:
        path, _, name = args.artifact.rpartition("/")
        if not path or not name:
            text = clean(repr(args.artifact))
            raise Failure(say("cli.run.not_place", text=text), code=WRONG)
        request.file.path, request.file.name = path, name
    else:
        request.value_sha256, name = args.value, f"{args.value}.json"
    content = await ask_executor(args.address, environ, partial(_read_artifact, request=request))
    out = PurePosixPath(args.out or name)
    written = await asyncio.to_thread(write_file, str(out.parent), out.name, content)
    done = say("cli.run.fetched", path=clean(written), size=f"{len(content):,}")
    print(done.told(language_in(environ)))
    return 0


async def _read_run(
    executor: ExecutorClient, request: run_request_pb2.GetRunRequest
) -> run_request_pb2.GetRunResponse:
    """Return a run with all of its attempts."""
    attempts: list[run_details_pb2.NodeAttempt] = []
    while True:
        page = await executor.call(executor.stubs.run.GetRun, request)
        attempts += page.attempts
        if not page.next_page_token:
            del page.attempts[:]
            page.attempts.extend(attempts)
            return page
        request.page_token = page.next_page_token


async def _read_artifact(
    executor: ExecutorClient, request: run_request_pb2.GetRunArtifactRequest
) -> bytes:
    """Return the bytes of a file, or of an input or output."""
    with calling(executor.address):
        pieces = executor.stubs.run.GetRunArtifact(request, timeout=CALL_S)
        return b"".join([piece.chunk async for piece in pieces])
