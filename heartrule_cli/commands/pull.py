"""`heartrule pull SCRIPT`: writes a published script, with all that lies beside it, into files."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from executor_service.scripts.loading.bundle import path_problem
from heartrule.v1 import asset_pb2, script_pb2
from heartrule_cli.call_failures import calling
from heartrule_cli.command_parser import meant
from heartrule_cli.executor_client import CALL_S, ExecutorClient
from heartrule_cli.failure import WRONG, Failure, Unreachable
from heartrule_cli.own_executor import ask_executor
from heartrule_cli.scripts import count_text
from heartrule_cli.text import clean, one_line

# Techniques that ship with the server; whoever publishes the script again gets them there.
_SHIPPED = "_system/"


def pull(args: Namespace, environ: Mapping[str, str]) -> int:
    """Write the files of a script below a folder.

    Raises:
        Failure: There is no such script, or a file there differs and --force is not given.
    """

    async def reading(executor: ExecutorClient) -> tuple[script_pb2.Script, dict[str, bytes]]:
        return await fetched(executor, args.script, args.version)

    script, files = asyncio.run(ask_executor(args.address, environ, reading))
    folder = Path(args.to)
    written = write_files(folder, files, is_forced=args.force)
    for path in written:
        print(clean(f"written: {path}"))
    told = f"{one_line(script.session_name)} ({one_line(script.script_id)}), version"
    same = len(files) - len(written)
    left = f"; {count_text(same, 'file')} were the same already" if same else ""
    print(f"{told} {script.number}, {one_line(script.version)[:12]}{left}")
    return 0


async def fetched(
    executor: ExecutorClient, script_id: str, version: str
) -> tuple[script_pb2.Script, dict[str, bytes]]:
    """Return a version of a script and its files by path, pictures too.

    Raises:
        Failure: There is none of that name, or a path of it is not safe.
    """
    request = script_pb2.GetScriptRequest(script_id=script_id, version=version, with_files=True)
    try:
        answer = await executor.call(executor.stubs.script.GetScript, request)
    except Unreachable:
        raise
    except Failure as failure:
        known = await _known(executor)
        guess = "" if script_id in known else meant(script_id, known)
        raise Failure(f"{failure}{clean(guess)}", code=failure.code) from None
    files = {
        path: data for path, data in answer.bundle.files.items() if not path.startswith(_SHIPPED)
    }
    for path, sha256 in answer.bundle.assets.items():
        files[path] = await _picture(executor, sha256)
    for path in files:
        if problem := path_problem(path):
            raise Failure(f"the script holds the path {one_line(path)!r}: {problem}")
    return answer.script, files


async def _known(executor: ExecutorClient) -> list[str]:
    request = script_pb2.ListScriptsRequest(page_size=500)
    page = await executor.call(executor.stubs.script.ListScripts, request)
    return [each.script_id for each in page.scripts]


async def _picture(executor: ExecutorClient, sha256: str) -> bytes:
    request = asset_pb2.GetAssetRequest(sha256=sha256)
    with calling(executor.address):
        pieces = executor.stubs.asset.GetAsset(request, timeout=CALL_S)
        return b"".join([piece.chunk async for piece in pieces])


def write_files(folder: Path, files: Mapping[str, bytes], *, is_forced: bool) -> list[Path]:
    """Write files below a folder and return the paths of those that were not the same already.

    Raises:
        Failure: One that differs is there and may not be replaced, or cannot be written. In the
            first case nothing was written.
    """
    places = {folder / path: data for path, data in files.items()}
    changed = {path: data for path, data in places.items() if not _holds(path, data)}
    differing = sorted(str(path) for path in changed if path.exists())
    if differing and not is_forced:
        hint = "--force replaces it, --to FOLDER writes elsewhere"
        raise Failure(clean(f"{', '.join(differing)} differs"), hint=hint, code=WRONG)
    for path, data in changed.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise Failure(clean(f"{path}: {error.strerror or error}")) from None
    return sorted(changed)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False
