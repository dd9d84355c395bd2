"""The route classes of the API: checks before a handler runs, and a problem for each failure.

FastAPI reads a body before it resolves dependencies. So the checks of the caller run here, around
FastAPI's own handler, and not in dependencies.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeAlias

import grpc
import orjson
from fastapi import Depends, Path
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from gateway_service.chat_completions import error_body
from gateway_service.executor import ExecutorLink, answering_in
from gateway_service.problems import HttpProblem, problem
from gateway_service.responses import JSON, json_response, problem_response, read_body
from gateway_service.services import Services
from heartrule.chassis import telemetry
from heartrule.chassis.errors import InternalError
from heartrule.domain.errors import FieldViolation
from heartrule.words.language import ACCEPT_LANGUAGE, language_of

log = logging.getLogger(__name__)
# `openapi_extra` of a route that needs no token; `GatewayRoute` reads it too.
OPEN_TO_ALL: dict[str, Any] = {"security": [{}]}
# Bytes that anybody may send: the longest token fits, and a thousand strangers hold little memory.
_OPEN_BODY = 16_384
# Above the longest id of the contract (256 bytes), each byte percent-encoded.
_LONGEST_PATH_PART = 1_024
# As in heartrule.chassis.errors, so that both services report alike.
_VIOLATIONS = 20
_LONGEST_FIELD = 200


def _services_of(request: Request) -> Services:
    services = request.app.state.services
    assert isinstance(services, Services)
    return services


# Coroutines, though they wait for nothing: FastAPI runs a plain function in a thread.
async def _services(request: Request) -> Services:
    return _services_of(request)


async def _executor(request: Request) -> ExecutorLink:
    return _services_of(request).executor


GatewayServices = Annotated[Services, Depends(_services)]
Executor = Annotated[ExecutorLink, Depends(_executor)]
SessionId = Annotated[str, Path(alias="sessionId")]
ScriptId = Annotated[str, Path(alias="scriptId")]
Version = Annotated[str, Path()]
Handler: TypeAlias = Callable[[Request], Coroutine[Any, Any, Response]]


class GatewayRoute(APIRoute):
    """A route that checks origin, caller, path and body, in this order, and reports problems."""

    @staticmethod
    def refuse(error: HttpProblem) -> Response:
        """Return the response for a failure."""
        return problem_response(error)

    def get_route_handler(self) -> Handler:
        """Return FastAPI's handler between our checks."""
        handle = super().get_route_handler()

        async def checked(request: Request) -> Response:
            try:
                return await self._serve(request, handle)
            except HttpProblem as error:
                return self.refuse(error)
            except RequestValidationError as error:
                return self.refuse(_invalid(error))
            except Exception as error:  # noqa: BLE001  the outermost handler; nothing may leak
                return self.refuse(_unforeseen(error))

        return checked

    async def _serve(self, request: Request, handle: Handler) -> Response:
        services = _services_of(request)
        services.gate.check_place(request.headers, request.method)
        is_open = (self.openapi_extra or {}).get("security") == OPEN_TO_ALL["security"]
        if not is_open:
            await _check_caller(request, services)
        services.callers.check_route(request, f"{request.method} {self.path_format}")
        language = language_of(request.headers.get(ACCEPT_LANGUAGE, ""))
        with answering_in(language), telemetry.span(
            f"{request.method} {self.path_format}", kind="server",
            parent=request.headers.get("traceparent", ""),
        ):  # fmt: skip
            _check_path(request)
            limit = _OPEN_BODY if is_open else services.settings.requests.body_limit
            return await handle(await self._with_body(request, limit))

    async def _with_body(self, request: Request, limit: int) -> Request:
        """Return the request with its body read and parsed, if the route takes one."""
        if self.body_field is None:
            return request
        raw = await read_body(request, limit)
        # Clients send no media type with an empty body, so it is checked only below.
        if not raw and not self.body_field.field_info.is_required():
            return _ReadRequest(request, b"", None)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != JSON:
            raise problem(
                grpc.StatusCode.INVALID_ARGUMENT, "UNSUPPORTED_MEDIA_TYPE",
                f"the body must be {JSON}", status=415, title="Unsupported media type",
            )  # fmt: skip
        return _ReadRequest(request, raw, _parsed(raw))


async def _check_caller(request: Request, services: Services) -> None:
    """Refuse a caller that is not authenticated; one that sent a wrong token waits for it."""
    try:
        services.gate.check_caller(request)
    except HttpProblem:
        if "authorization" in request.headers:
            await services.failed_logins.note(request)
        raise


class OpenAIRoute(GatewayRoute):
    """A route whose failures have the form that OpenAI's clients read."""

    @staticmethod
    def refuse(error: HttpProblem) -> Response:
        """Return the response for a failure."""
        return json_response(
            error_body(error.status, error.detail, error.reason, param=_first_field(error)),
            status=error.status,
            # OpenAI's clients repeat a failed call by default, which would send a message twice.
            headers={**error.headers(), "x-should-retry": "false"},
        )


def _first_field(error: HttpProblem) -> str | None:
    return error.violations[0].field if error.violations else None


class _ReadRequest(Request):
    """A request whose body is read already; FastAPI asks for it again."""

    def __init__(self, request: Request, raw: bytes, value: object) -> None:
        super().__init__(request.scope, request.receive)
        self._raw = raw
        self._value = value

    async def body(self) -> bytes:
        return self._raw

    async def json(self) -> object:
        return self._value


def _check_path(request: Request) -> None:
    for name, value in request.path_params.items():
        if len(value) > _LONGEST_PATH_PART or "\x00" in value:
            raise _violated([FieldViolation(field=name, description="is too long or has U+0000")])


def _parsed(raw: bytes) -> object:
    try:
        value: object = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_JSON",
            f"the body is no JSON: line {error.lineno}, column {error.colno}",
        ) from None  # fmt: skip
    return value


def _invalid(error: RequestValidationError) -> HttpProblem:
    """Return the problem that names every wrong field; `loc` begins with `body` or `query`."""
    violations = [
        FieldViolation(field=_field_path(one["loc"][1:]), description=one["msg"])
        for one in error.errors()[:_VIOLATIONS]
    ]
    return _violated(violations)


def _violated(violations: list[FieldViolation]) -> HttpProblem:
    first = violations[0]
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    detail = f"{first.field}: {first.description}{more}"
    return problem(
        grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", detail, violations=violations
    )


def _field_path(loc: tuple[int | str, ...]) -> str:
    path = ".".join(str(part) for part in loc) or "body"
    return path if len(path) <= _LONGEST_FIELD else f"{path[:_LONGEST_FIELD]}…"


def _unforeseen(error: Exception) -> HttpProblem:
    hidden = InternalError()
    log.error("unforeseen error", exc_info=error, extra={"error_id": hidden.error_id})
    return problem(
        grpc.StatusCode.INTERNAL, hidden.reason, hidden.message, metadata=hidden.metadata
    )
