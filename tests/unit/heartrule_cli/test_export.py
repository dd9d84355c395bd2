"""`heartrule export`: what it writes, and what it leaves where it fails."""

from __future__ import annotations

import io
import os
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import grpc
import pytest
from grpc import aio

from heartrule.domain.errors import StoreUnavailable
from heartrule.v1 import erasure_pb2
from heartrule_cli.commands.export import opened, write_export
from heartrule_cli.failure import Failure, Unreachable
from tests.support.doors import ended_with

REQUEST = erasure_pb2.ExportUserDataRequest(user_id="u1")


def gone() -> aio.AioRpcError:
    """Return what a client sees of an executor that is not there."""
    return aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, aio.Metadata(), aio.Metadata(), "gone")


def executor(*chunks: bytes, breaks: aio.AioRpcError | None = None) -> Any:
    """Return a client whose executor sends these pieces, and then perhaps fails."""

    async def pieces(_request: object) -> AsyncIterator[erasure_pb2.ExportUserDataResponse]:
        for chunk in chunks:
            yield erasure_pb2.ExportUserDataResponse(chunk=chunk)
        if breaks:
            raise breaks

    session = SimpleNamespace(ExportUserData=pieces)
    return cast("Any", SimpleNamespace(address="x:1", stubs=SimpleNamespace(session=session)))


async def test_pieces_are_written_as_they_come() -> None:
    """A line may lie in two of them."""
    out = io.BytesIO()
    await write_export(executor(b'{"table"', b':"x"}\n'), REQUEST, out.write)
    assert out.getvalue() == b'{"table":"x"}\n'


@pytest.mark.parametrize(("chunks", "kind"), [((), Unreachable), ((b"x",), Failure)])
async def test_an_export_that_broke_off_is_not_begun_elsewhere(
    chunks: tuple[bytes, ...], kind: type[Failure]
) -> None:
    """Only an executor that sent nothing counts as one that is not there."""
    with pytest.raises(Failure) as caught:
        await write_export(executor(*chunks, breaks=gone()), REQUEST, io.BytesIO().write)
    assert type(caught.value) is kind


async def test_an_export_that_its_executor_breaks_off_is_told_as_one() -> None:
    """Its beginning stands in the output already, also where the executor names a reason."""
    error = ended_with(StoreUnavailable("x", reason="STORE_UNAVAILABLE"))
    with pytest.raises(Failure, match="broke off"):
        await write_export(executor(b"x", breaks=error), REQUEST, io.BytesIO().write)


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    """Where the export fails nothing is left; a whole one is its owner's alone."""
    path = tmp_path / "u1.ndjson"
    with pytest.raises(Failure):
        _break_off(path)
    assert list(tmp_path.iterdir()) == []
    with opened(str(path)) as write:
        write(b"whole")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"whole", 0o600)


def _break_off(path: Path) -> None:
    with opened(str(path)) as write:
        write(b"half")
        raise Failure("broke off")


def test_a_folder_that_is_a_file_is_a_failure(tmp_path: Path) -> None:
    """It is told as one, whatever else cannot be done there."""
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(Failure), opened(str(tmp_path / "notes.txt" / "ann.jsonl")):
        pass


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    """A device likewise: nothing takes its place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    with opened(str(pipe)) as write:
        write(b"x")
    assert (os.read(end, 9), pipe.is_fifo()) == (b"x", True)
    os.close(end)


def test_an_error_of_the_export_is_not_told_as_one_of_the_file(tmp_path: Path) -> None:
    """A database that cannot be read says so itself; nothing is left."""
    path = tmp_path / "u1.ndjson"
    with pytest.raises(PermissionError, match="store"), opened(str(path)):
        raise PermissionError(13, "the store is closed")
    assert list(tmp_path.iterdir()) == []


def test_a_full_device_is_an_error_of_the_file() -> None:
    """Whether it is noticed at a piece or at the end."""
    with pytest.raises(Failure, match="/dev/full"), opened("/dev/full") as write:
        write(b"x")
