"""Ids of any length: refused by every rpc that takes one, and never written to a log."""

from __future__ import annotations

import io
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2 as rpc
from grpc import StatusCode, aio
from grpc_status import rpc_status

from heartrule.chassis.logs import LONGEST_LINE, OURS, LogSettings, setup_logs
from tests.chaos.fuzz.target import RPCS, Target

LONG = "x" * 1_000_000


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[Target]:
    made = Target(tmp_path)
    await made.open()
    yield made
    await made.aclose()


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the process writes to its log."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers = root.handlers[:]
    levels = {name: logging.getLogger(name).level for name in ("", *OURS)}
    setup_logs(LogSettings(), service="executor", stream=stream)
    yield stream
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def id_fields(method: MethodDescriptor) -> list[str]:
    """Return the ids that stand at the top of a request."""
    return [
        field.name
        for field in method.input_type.fields
        if field.type == FieldDescriptor.TYPE_STRING and field.name.endswith("_id")
    ]


def request(method: MethodDescriptor, field: str) -> Message:
    """Return a request with every id present, one of them a megabyte long."""
    ids = {name: LONG if name == field else "a" for name in id_fields(method)}
    made: Message = GetMessageClass(method.input_type)(**ids)
    return made


CASES = [(method, field) for method in RPCS for field in id_fields(method)]


async def test_an_id_of_a_megabyte_is_refused_and_not_logged(
    target: Target, log: io.StringIO
) -> None:
    """Every rpc names the field with INVALID_ARGUMENT, and no line of the log grows with it."""
    answers = {
        f"{method.name}.{field}": await answer(target, method, field) for method, field in CASES
    }
    assert answers == {f"{m.name}.{field}": ("INVALID_ARGUMENT", field) for m, field in CASES}
    assert len(log.getvalue()) > 0
    assert max(map(len, log.getvalue().splitlines())) <= LONGEST_LINE
    assert "x" * 300 not in log.getvalue()


async def answer(target: Target, method: MethodDescriptor, field: str) -> tuple[str, str]:
    """Return the status of a call with a long id, and which of its violations names the field."""
    try:
        await target.exchange(method, [request(method, field)])
    except aio.AioRpcError as error:
        return error.code().name, field if field in violations(error) else str(error.details())
    return StatusCode.OK.name, ""


def violations(error: aio.AioRpcError) -> set[str]:
    """Return the fields that a status names."""
    bad = rpc.BadRequest()
    status: Any = rpc_status.from_call(error)  # type: ignore[arg-type]  # it is one
    for detail in status.details:
        if detail.Unpack(bad):
            return {each.field.rpartition(".")[2] for each in bad.field_violations}
    return set()
