"""Errors as RFC 9457 problem+json: one table from a gRPC code to an HTTP status.

The executor's reason, metadata and violations are passed on unchanged. The text of a status from
elsewhere is replaced.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import grpc
from google.rpc import error_details_pb2 as rpc
from google.rpc.status_pb2 import Status
from grpc.aio import AioRpcError

from gateway_service.json_encoding import encode
from heartrule.chassis.errors import status_of
from heartrule.domain.errors import FieldViolation
from heartrule.domain.json_value import JsonValue
from heartrule.v1 import problem_pb2, safety_pb2
from heartrule.words.failures import problem_sentence
from heartrule.words.language import ReaderLanguage

TYPE = "urn:heartrule:error:"
MEDIA_TYPE = "application/problem+json"
_CODE = grpc.StatusCode

# The HTTP status and title of each code. A wrong state is 409 and not google.rpc's 400, because
# the request itself is valid; CANCELLED is 503 and not nginx's 499, because a repeat is right.
STATUS: Mapping[grpc.StatusCode, tuple[int, str]] = MappingProxyType(
    {
        _CODE.INVALID_ARGUMENT: (400, "Bad request"),
        _CODE.OUT_OF_RANGE: (416, "Out of range"),
        _CODE.UNAUTHENTICATED: (401, "Not authenticated"),
        _CODE.PERMISSION_DENIED: (403, "Not permitted"),
        _CODE.NOT_FOUND: (404, "Not found"),
        _CODE.ALREADY_EXISTS: (409, "Exists already"),
        _CODE.FAILED_PRECONDITION: (409, "Not in this state"),
        _CODE.ABORTED: (409, "Overtaken"),
        _CODE.RESOURCE_EXHAUSTED: (429, "Too much at once"),
        _CODE.CANCELLED: (503, "Stopped"),
        _CODE.INTERNAL: (500, "Internal error"),
        _CODE.UNKNOWN: (500, "Internal error"),
        _CODE.DATA_LOSS: (500, "Internal error"),
        _CODE.UNIMPLEMENTED: (501, "Not supported"),
        _CODE.UNAVAILABLE: (503, "Not available"),
        _CODE.DEADLINE_EXCEEDED: (504, "Took too long"),
    }
)
_BY_NUMBER = MappingProxyType({code.value[0]: code for code in grpc.StatusCode})
# Titles that a requirement words itself.
_NOUNS = MappingProxyType({"SESSION_NOT_FOUND": "Session not found"})


@dataclass(eq=False, kw_only=True)
class HttpProblem(Exception):
    """A request that ends with a problem, and what its response holds."""

    status: int
    title: str
    detail: str
    code: str
    """Name of the gRPC code, such as NOT_FOUND."""
    reason: str
    """Stable UPPER_SNAKE name, as in docs/reference/errors.md."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: Sequence[FieldViolation] = ()
    retry_after_s: float | None = None
    card: safety_pb2.SafetyCard | None = None
    """What a person in danger is shown in place of an answer."""

    def as_json(self) -> dict[str, JsonValue]:
        """Return the body of the answer."""
        body: dict[str, JsonValue] = {
            "type": TYPE + self.reason,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "reason": self.reason,
            "explanation": {
                each.value: problem_sentence(self.reason, self.detail, self.metadata, each)
                for each in ReaderLanguage
            },
        }
        if self.metadata:
            body["metadata"] = dict(self.metadata)
        if self.violations:
            body["violations"] = [
                {"field": one.field, "description": one.description} for one in self.violations
            ]
        if self.retry_after_s is not None:
            body["retryAfterSeconds"] = self.retry_after_s
        if self.card is not None:
            body["safetyFallback"] = {"card": encode(self.card)}
        return body

    def headers(self) -> dict[str, str]:
        """Return the headers that go with the body."""
        headers = {"cache-control": "no-store"}
        if self.retry_after_s is not None:
            # The header takes whole seconds, and 0 would ask for an immediate repeat.
            headers["retry-after"] = str(max(1, math.ceil(self.retry_after_s)))
        if self.status == 401:
            headers["www-authenticate"] = 'Bearer realm="heartrule"'
        return headers


def problem(
    code: grpc.StatusCode,
    reason: str,
    detail: str,
    *,
    status: int = 0,
    title: str = "",
    violations: Sequence[FieldViolation] = (),
    metadata: Mapping[str, str] | None = None,
) -> HttpProblem:
    """Return a problem of the gateway's own; status and title are the code's unless given."""
    usual_status, usual_title = STATUS[code]
    return HttpProblem(
        status=status or usual_status,
        title=title or usual_title,
        detail=detail,
        code=code.name,
        reason=reason,
        violations=violations,
        metadata=metadata or {},
    )


def problem_of_status(error: AioRpcError) -> HttpProblem:
    """Return the problem of a call's status."""
    if error.code() is _CODE.UNAUTHENTICATED:
        # A 401 would make a caller doubt its own token.
        return problem(
            _CODE.UNAVAILABLE, "EXECUTOR_UNAUTHENTICATED",
            "the gateway was started without the executor's token",
        )  # fmt: skip
    status, title = STATUS.get(error.code(), STATUS[_CODE.UNKNOWN])
    if (sent := status_of(error)) is not None:
        return _problem_in_details(error.code(), sent)
    # No details: the executor did not answer, and the text is grpc's own, with addresses in it.
    reason = f"EXECUTOR_{error.code().name}"
    if error.code() is _CODE.RESOURCE_EXHAUSTED:
        # grpc's own limit of calls: nobody has read the request, so it is no refusal of it.
        status, title = STATUS[_CODE.UNAVAILABLE]
    return HttpProblem(
        status=status,
        title=title,
        detail="the executor did not answer" if status >= 500 else "the call was refused",
        code=error.code().name,
        reason=reason,
        retry_after_s=1.0 if status == 503 else None,
    )


def problem_in_band(reported: problem_pb2.Problem) -> HttpProblem:
    """Return the problem that a stream reported."""
    code = _BY_NUMBER.get(reported.code, _CODE.UNKNOWN)
    status, title = STATUS.get(code, STATUS[_CODE.UNKNOWN])
    wait = reported.retry_after
    return HttpProblem(
        status=status,
        title=_NOUNS.get(reported.reason, title),
        detail=reported.message,
        code=code.name,
        reason=reported.reason,
        metadata=dict(reported.metadata),
        retry_after_s=wait.seconds + wait.nanos / 1e9 if reported.HasField("retry_after") else None,
    )


def _problem_in_details(code: grpc.StatusCode, sent: Status) -> HttpProblem:
    status, title = STATUS.get(code, STATUS[_CODE.UNKNOWN])
    info, bad, retry = rpc.ErrorInfo(), rpc.BadRequest(), rpc.RetryInfo()
    fallback = safety_pb2.SafetyFallback()
    wait: float | None = None
    for detail in sent.details:
        detail.Unpack(info)
        detail.Unpack(bad)
        detail.Unpack(fallback)
        if detail.Unpack(retry):
            wait = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
    return HttpProblem(
        status=status,
        title=_NOUNS.get(info.reason, title),
        detail=sent.message,
        code=code.name,
        reason=info.reason or code.name,
        metadata=dict(info.metadata),
        violations=[
            FieldViolation(field=one.field, description=one.description)
            for one in bad.field_violations
        ],
        retry_after_s=wait,
        card=fallback.card if fallback.HasField("card") else None,
    )
