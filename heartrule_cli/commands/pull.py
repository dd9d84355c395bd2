"""`heartrule pull SCRIPT`: writes a published script, with all that lies beside it, into files."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from executor_service.scripts.loading.bundle import path_problem
from heartrule.v1 import asset_pb2, script_pb2
from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.arguments.command_parser import meant
from heartrule_cli.call_failures import calling
from heartrule_cli.commands.publish import version_text
from heartrule_cli.executor_client import CALL_S, ExecutorClient
from heartrule_cli.failure import WRONG, Failure, Unreachable, of_file
from heartrule_cli.services.own_executor import ask_executor
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

    language = language_in(environ)
    script, files = asyncio.run(ask_executor(args.address, environ, reading))
    folder = Path(args.to)
    written = write_files(folder, files, is_forced=args.force)
    for path in written:
        print(clean(say("cli.written", path=str(path)).told(language)))
    same = len(files) - len(written)
    left = say("cli.pull.same", count=same) if same else ""
    print(say("cli.pull.pulled", script=version_text(script), left=left).told(language))
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
        unknown = say("cli.pull.unknown", why=failure.message, guess=guess)
        raise Failure(unknown, code=failure.code) from None
    files = {
        path: data for path, data in answer.bundle.files.items() if not path.startswith(_SHIPPED)
    }
    for path, sha256 in answer.bundle.assets.items():
        files[path] = await _picture(executor, sha256)
    for path in files:
        if problem := path_problem(path):
            raise Failure(say("cli.pull.path", path=one_line(path), why=problem))
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
        differs = say("cli.pull.differs", files=tuple(map(clean, differing)))
        raise Failure(differs, hint=say("cli.pull.differs_hint"), code=WRONG)
    for path, data in changed.items():
        with of_file(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return sorted(changed)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False
