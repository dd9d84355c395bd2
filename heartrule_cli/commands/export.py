"""`heartrule export USER`: writes all that is kept of a person as lines of JSON."""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

from heartrule.v1 import erasure_pb2
from heartrule.words.words import say
from heartrule_cli.call_failures import calling
from heartrule_cli.executor_client import ExecutorClient
from heartrule_cli.failure import Failure, of_file
from heartrule_cli.services.own_executor import ask_executor

# What is kept of a person is read by its owner alone.
_PRIVATE = 0o600

Write: TypeAlias = Callable[[bytes], int]


def export(args: Namespace, environ: Mapping[str, str]) -> int:
    """Write the export into a file that appears once it is whole, or to standard output.

    Raises:
        Failure: No executor answers, it refuses, or the file cannot be written.
    """
    request = erasure_pb2.ExportUserDataRequest(user_id=args.user, reveal=args.reveal)
    with opened(args.to) as write:

        async def writing(executor: ExecutorClient) -> None:
            await write_export(executor, request, write)

        asyncio.run(ask_executor(args.address, environ, writing))
    return 0


async def write_export(
    executor: ExecutorClient, request: erasure_pb2.ExportUserDataRequest, write: Write
) -> None:
    """Write the pieces of an export as they come.

    Raises:
        Unreachable: Nothing answers, and nothing was written.
        Failure: The executor refused; or the export broke off, and its beginning was written.
    """
    written = 0
    try:
        with calling(executor.address):
            async for piece in executor.stubs.session.ExportUserData(request):
                written += write(piece.chunk)
    except Failure as failure:
        if not written:
            raise
        broke_off = say("cli.export.broke_off", reason=failure.message)
        raise Failure(broke_off, hint=say("cli.export.again")) from None


@contextmanager
def opened(to: str) -> Iterator[Write]:
    """Give what writes; a file takes its name at the end of the block alone."""
    if not to:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    path, part = Path(to), Path(f"{to}.part")
    is_kept = path.exists() and not path.is_file()  # a pipe or a device stays what it is
    with of_file(path):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        file = path.open("wb") if is_kept else os.fdopen(os.open(part, flags, _PRIVATE), "wb")
    try:
        yield partial(_write, file, path)
        with of_file(path):
            file.close()
            if not is_kept:
                part.replace(path)
    finally:
        with suppress(OSError):
            file.close()
        if not is_kept:
            part.unlink(missing_ok=True)


def _write(file: BinaryIO, path: Path, chunk: bytes) -> int:
    with of_file(path):
        return file.write(chunk)
