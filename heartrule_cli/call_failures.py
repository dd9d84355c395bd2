"""The status of a failed call to an executor, as the Failure that its user reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import grpc
from google.rpc import error_details_pb2
from grpc import aio

from heartrule.chassis.errors import status_of
from heartrule.words.failures import refusal
from heartrule.words.words import Said, Words, say
from heartrule_cli.failure import WRONG, Failure, Unreachable
from heartrule_cli.text import clean, one_line

# Statuses whose own sentence says enough.
_PLAIN = {
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.OUT_OF_RANGE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}


@contextmanager
def calling(address: str) -> Iterator[None]:
    """Turn the status of a failed call into a Failure."""
    try:
        yield
    except aio.AioRpcError as error:
        raise failure_of(error, address) from None


def failure_of(error: aio.AioRpcError, address: str) -> Failure:
    """Return the Failure for the status of a call to `address`."""
    code, details, refused = error.code(), one_line(error.details() or ""), _refusal(error)
    where = clean(address)
    # With a reason of ours the executor did answer: what is missing is behind it.
    if code is grpc.StatusCode.UNAVAILABLE and not isinstance(refused, Words):
        return Unreachable(
            say("cli.executor.unreachable", address=where, why=details.rpartition(": ")[2]),
            hint=say("cli.executor.unreachable_hint"),
        )
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return Failure(
            say("cli.executor.token", address=where), hint=say("cli.executor.token_hint")
        )
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Failure(say("cli.executor.too_long", address=where, why=refused))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Failure(say("cli.executor.another", address=where, why=details))
    if code is grpc.StatusCode.INVALID_ARGUMENT:
        return Failure(refused, code=WRONG)
    if code in _PLAIN or isinstance(refused, Words):
        return Failure(refused)
    return Failure(f"{code.name.lower().replace('_', ' ')}: {details}")


def _refusal(error: aio.AioRpcError) -> Said:
    """Return why the call was refused, by the reason of its status."""
    info, sent = error_details_pb2.ErrorInfo(), status_of(error)
    for detail in sent.details if sent else ():
        detail.Unpack(info)
    metadata = {name: one_line(fact) for name, fact in info.metadata.items()}
    return refusal(info.reason, one_line(error.details() or ""), metadata)
