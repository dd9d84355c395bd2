"""`heartrule workflow show SESSION RUN`: a run that a server keeps, and what its nodes wrote."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import PurePosixPath

from google.protobuf.json_format import MessageToJson

from heartrule.v1 import run_request_pb2
from heartrule_cli.executor_client import ExecutorClient
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.own_executor import ask_executor
from heartrule_cli.runs.artifact_files import write_file
from heartrule_cli.runs.kept_run_client import read_artifact, read_run
from heartrule_cli.runs.run_page import run_page
from heartrule_cli.style import style_for
from heartrule_cli.text import clean


def show_run(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the page of a run, or write one of its files, or a large input or output."""
    if args.artifact or args.value:
        return asyncio.run(_fetch(args, environ))
    if args.out:
        raise Failure("--out FILE goes with --artifact or --value", code=WRONG)

    async def reading(executor: ExecutorClient) -> run_request_pb2.GetRunResponse:
        return await read_run(executor, args.session, args.run, reveal=args.reveal)

    found = asyncio.run(ask_executor(args.address, environ, reading))
    if args.format == "json":
        print(MessageToJson(found, ensure_ascii=True))
    else:
        print(*run_page(found, style_for(sys.stdout, environ)), sep="\n")
    return 0


async def _fetch(args: Namespace, environ: Mapping[str, str]) -> int:
    request = run_request_pb2.GetRunArtifactRequest(
        session_id=args.session, run_id=args.run, reveal=args.reveal
    )
    if args.artifact:
        path, _, name = args.artifact.rpartition("/")
        if not path or not name:
            text = f"--artifact {args.artifact!r} is not NODE/NAME"
            raise Failure(clean(text), code=WRONG)
        request.file.path, request.file.name = path, name
    else:
        request.value_sha256, name = args.value, f"{args.value}.json"

    async def reading(executor: ExecutorClient) -> bytes:
        return await read_artifact(executor, request)

    content = await ask_executor(args.address, environ, reading)
    out = PurePosixPath(args.out or name)
    written = await asyncio.to_thread(write_file, str(out.parent), out.name, content)
    print(f"{clean(written)}: {len(content):,} bytes")
    return 0
