"""JSON and problem responses, and reading a request's body within a limit."""

from __future__ import annotations

from collections.abc import Mapping

import grpc
import orjson
from google.protobuf.message import Message
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from gateway_service.json_encoding import encode
from gateway_service.problems import MEDIA_TYPE, HttpProblem, problem

JSON = "application/json"


def message_response(message: Message, *, status: int = 200) -> Response:
    """Return a message of the contract as JSON."""
    return json_response(encode(message), status=status)


def json_response(
    body: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response that caches do not keep."""
    return Response(
        orjson.dumps(body),
        status_code=status,
        media_type=JSON,
        headers={"cache-control": "no-store", **(headers or {})},
    )


def problem_response(error: HttpProblem) -> Response:
    """Return a failure as problem+json."""
    return Response(
        orjson.dumps(error.as_json()),
        status_code=error.status,
        media_type=MEDIA_TYPE,
        headers=error.headers(),
    )


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body.

    Raises:
        HttpProblem: 413 if it has more than `limit` bytes; the rest is not read.
    """
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        raise _too_large(limit)
    read = bytearray()
    try:
        async for chunk in request.stream():
            read += chunk
            if len(read) > limit:
                raise _too_large(limit)
    except ClientDisconnect:
        raise problem(
            grpc.StatusCode.CANCELLED, "CANCELLED", "the body broke off", status=400
        ) from None
    return bytes(read)


def _too_large(limit: int) -> HttpProblem:
    return problem(
        grpc.StatusCode.INVALID_ARGUMENT, "BODY_TOO_LARGE",
        f"the body may have at most {limit} bytes", status=413, title="Too large",
        metadata={"limit_bytes": str(limit)},
    )  # fmt: skip
