"""The one table from an error's class to a gRPC code and its google.rpc details.

Code that reports an error calls one of these: `to_status` for a call that ends with it,
`to_problem` for one input or turn inside a conversation that goes on.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias
from urllib.parse import quote

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as rpc
from google.rpc.status_pb2 import Status
from grpc.aio import AioRpcError

from heartrule.domain import errors as domain
from heartrule.domain.model_failure import LASTING, ModelFailureDetails
from heartrule.domain.problem import Problem
from heartrule.words.failures import failure_sentence

DOMAIN = "heartrule"
# A person corrects no more at once; the metadata holds how many there were.
MAX_VIOLATIONS = 20
# Bytes of the whole status as it travels, base64: larger trailers do not arrive.
MAX_DETAILS = 6 * 1024
# At these lengths the usual details fit in MAX_DETAILS.
_MAX_MESSAGE = 1024
_MAX_FIELD = 200
_MAX_DESCRIPTION = 300
_RETRY_AFTER = timedelta(seconds=1)
# The metadata in which gRPC sends a status with details.
_DETAILS = "grpc-status-details-bin"

log = logging.getLogger(__name__)

Detail: TypeAlias = Callable[[domain.HeartRuleError], Message | None]


def no_detail(_: domain.HeartRuleError) -> None:
    """Return nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """The gRPC status and details of one class of error."""

    code: grpc.StatusCode
    detail: Detail = no_detail
    """Makes the detail that goes with ErrorInfo, if any."""


def _bad_request(error: domain.HeartRuleError) -> Message | None:
    violations = error.violations if isinstance(error, domain.InvalidRequest) else ()
    made = [
        rpc.BadRequest.FieldViolation(
            field=_short(one.field, _MAX_FIELD),
            description=_short(one.description, _MAX_DESCRIPTION),
            reason=error.reason,
        )
        for one in violations[:MAX_VIOLATIONS]
    ]
    return rpc.BadRequest(field_violations=made) if made else None


def _resource(error: domain.HeartRuleError) -> Message:
    return rpc.ResourceInfo(
        resource_type=error.metadata.get("resource_type", ""),
        resource_name=_short(error.metadata.get("name", ""), _MAX_FIELD),
        description=_short(error.message, _MAX_DESCRIPTION),
    )


def _precondition(error: domain.HeartRuleError) -> Message:
    violation = rpc.PreconditionFailure.Violation(
        type=error.reason,
        subject=_short(error.metadata.get("name", ""), _MAX_FIELD),
        description=_short(error.message, _MAX_DESCRIPTION),
    )
    return rpc.PreconditionFailure(violations=[violation])


def _quota(error: domain.HeartRuleError) -> Message:
    violation = rpc.QuotaFailure.Violation(
        subject=_short(error.metadata.get("subject", error.reason), _MAX_FIELD),
        description=_short(error.message, _MAX_DESCRIPTION),
    )
    return rpc.QuotaFailure(violations=[violation])


_CODE = grpc.StatusCode
_BAD = Row(_CODE.INVALID_ARGUMENT, _bad_request)
_STATE = Row(_CODE.FAILED_PRECONDITION, _precondition)
_SPENT = Row(_CODE.RESOURCE_EXHAUSTED, _quota)
_DOWN = Row(_CODE.UNAVAILABLE)


class WorkCancelled(domain.HeartRuleError):
    """The work was cancelled inside this server while its caller still waited."""

    retryable = True


TABLE: Mapping[type[domain.HeartRuleError], Row] = {
    domain.InvalidRequest: _BAD,
    domain.InvalidScript: _BAD,
    domain.InvalidPayload: _BAD,
    domain.NotFound: Row(_CODE.NOT_FOUND, _resource),
    domain.AlreadyExists: Row(_CODE.ALREADY_EXISTS, _resource),
    domain.SessionFinished: _STATE,
    domain.NotReady: _STATE,
    domain.OutOfRange: Row(_CODE.OUT_OF_RANGE),
    domain.LeaseLost: Row(_CODE.ABORTED),
    domain.RevisionConflict: Row(_CODE.ABORTED),
    WorkCancelled: Row(_CODE.ABORTED),
    domain.SessionBusy: _SPENT,
    domain.ModelRateLimited: _SPENT,
    domain.TooManyTurns: _SPENT,
    domain.QuotaSpent: _SPENT,
    domain.StoreFull: _SPENT,
    domain.ModelUnavailable: _DOWN,
    domain.ModelStreamCut: _DOWN,
    domain.PromptTooLong: _STATE,
    domain.StoreUnavailable: _DOWN,
    domain.DeadlinePassed: Row(_CODE.DEADLINE_EXCEEDED),
    domain.NotAuthenticated: Row(_CODE.UNAUTHENTICATED),
    domain.NotPermitted: Row(_CODE.PERMISSION_DENIED),
    domain.NotSupported: Row(_CODE.UNIMPLEMENTED),
}
_TELLS_WHEN = {_CODE.RESOURCE_EXHAUSTED, _CODE.UNAVAILABLE}


class InternalError(domain.HeartRuleError):
    """Replaces an unexpected error; its details are in the log under its id."""

    def __init__(self) -> None:
        """Draw an id that the caller can quote."""
        self.error_id = secrets.token_hex(8)
        super().__init__(
            f"internal error {self.error_id}",
            reason="INTERNAL",
            metadata={"error_id": self.error_id},
        )


def known(error: BaseException) -> domain.HeartRuleError:
    """Return an error a client may see; the text of a foreign one goes to the log, under an id."""
    if isinstance(error, domain.HeartRuleError):
        return error
    if isinstance(error, asyncio.CancelledError):
        return WorkCancelled("the work was stopped; it may be sent again", reason="CANCELLED")
    hidden = InternalError()
    log.error("unforeseen error", exc_info=error, extra={"error_id": hidden.error_id})
    return hidden


def to_status(error: BaseException, further: Detail = no_detail) -> Status:
    """Return the whole status of an error, small enough to arrive.

    Args:
        error: Why the call ends.
        further: Makes a detail that never gives way to the usual ones.
    """
    seen = known(error)
    row = _row(seen)
    status = Status(code=row.code.value[0], message=_wire_short(seen.message, _MAX_MESSAGE))
    status.details.add().Pack(
        rpc.ErrorInfo(reason=seen.reason, domain=DOMAIN, metadata=_metadata(seen))
    )
    kept = further(seen)
    for detail in filter(None, (kept, row.detail(seen), _retry_info(seen, row.code))):
        status.details.add().Pack(detail)
    return _fitted(status, kept=1 if kept is None else 2)


def to_problem(error: BaseException) -> Problem:
    """Return the plain twin of the status, for an event inside a stream.

    Of a failed model it has the details for operators, and a sentence that is fit for clients.
    """
    seen = known(error)
    code = _row(seen).code
    problem = Problem(
        code=code.value[0],
        reason=seen.reason,
        message=_short(seen.message, _MAX_MESSAGE),
        retry_after=_retry_after(seen, code),
        metadata=_metadata(seen),
    )
    details = model_details(seen)
    if details is None:
        return problem
    problem = replace(problem, metadata={**problem.metadata, **details.metadata})
    return replace(problem, message=failure_sentence(problem.for_clients().metadata))


def status_of(error: AioRpcError) -> Status | None:
    """Return the whole status that a call ended with; None where no service of ours gave it."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS and isinstance(value, bytes):
            return Status.FromString(value)
    return None


def model_details(error: BaseException) -> ModelFailureDetails | None:
    """Return what is known of the model's failure; None where it is none."""
    kinds = domain.ModelUnavailable | domain.ModelRateLimited
    return error.details if isinstance(error, kinds) else None


def _row(error: domain.HeartRuleError) -> Row:
    """Return the row of an error's class, or that of the nearest class above."""
    rows: Iterator[Row] = (TABLE[kind] for kind in type(error).__mro__ if kind in TABLE)
    return next(rows, Row(_CODE.INTERNAL))


def _metadata(error: domain.HeartRuleError) -> dict[str, str]:
    kept = {key: _short(value, _MAX_FIELD) for key, value in list(error.metadata.items())[:16]}
    if isinstance(error, domain.InvalidRequest) and error.violations:
        kept["violations_total"] = str(len(error.violations))
    return kept


def _retry_after(error: domain.HeartRuleError, code: grpc.StatusCode) -> timedelta | None:
    details = model_details(error)
    if details is not None and details.cause in LASTING:
        return None  # the model may be asked again then, and would refuse again
    if error.retry_after is not None or code not in _TELLS_WHEN or not error.retryable:
        return error.retry_after
    return _RETRY_AFTER


def _retry_info(error: domain.HeartRuleError, code: grpc.StatusCode) -> Message | None:
    wait = _retry_after(error, code)
    if wait is None:
        return None
    info = rpc.RetryInfo()
    info.retry_delay.FromTimedelta(wait)
    return info


def _fitted(status: Status, *, kept: int) -> Status:
    """Drop violations from the end, then details, until the status is small enough to travel.

    The first `kept` details stay.
    """
    while len(status.details) > kept and status.ByteSize() * 4 / 3 > MAX_DETAILS:
        bad = rpc.BadRequest()
        if not (status.details[kept].Unpack(bad) and len(bad.field_violations) > 1):
            del status.details[-1]
            continue
        del bad.field_violations[-1]
        status.details[kept].Pack(bad)
    return status


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _wire_short(text: str, length: int) -> str:
    """Shorten a text whose wire form is percent-encoded UTF-8: nine bytes for a Chinese sign."""
    if len(quote(text)) <= length:
        return text
    room = length - len(quote("…"))
    kept = ""
    for sign in text:
        room -= len(quote(sign))
        if room < 0:
            break
        kept += sign
    return kept + "…"
