"""The ASGI application: the API's routes, the console's files, and headers for every response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from types import MappingProxyType

import grpc
import orjson
from fastapi.routing import iter_route_contexts
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway_service.console_files import FOLDER, ConsoleFiles
from gateway_service.openai_api import SESSION_HEADER
from gateway_service.openapi import Api, operation_id
from gateway_service.problems import problem
from gateway_service.responses import JSON
from gateway_service.route import OPEN_TO_ALL, GatewayRoute, OpenAIRoute
from gateway_service.routes import (
    assets,
    chat,
    decisions,
    events,
    login,
    openai,
    runs,
    safety,
    scripts,
    session_calls,
    sessions,
    threads,
)
from gateway_service.services import Services
from heartrule import __version__

_INTRODUCTION = """\
HeartRule over HTTP: sessions that follow a script; replies are whole or server-sent events.
Errors are problem+json (RFC 9457); `reason` is stable. Names are lowerCamelCase, enum values
lower-case without prefix, an unspecified one null. The contract, `protos/heartrule/v1`, describes
each message under the same names."""
# Without this list a page of another origin cannot read these headers (CORS).
_EXPOSED = ("retry-after", "www-authenticate", SESSION_HEADER)
# Below, a packet holds the body as it is; above this level, bytes cost more time than they save.
_SMALLEST_ZIPPED = 1_024
_ZIP_LEVEL = 6
_TITLES = {404: ("NOT_FOUND", "Not found"), 405: ("METHOD_NOT_ALLOWED", "Method not allowed")}
_POLICY = (
    # data: carries pictures within a message; it fetches nothing.
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: {pictures}; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    }
)


def make_api() -> Api:
    """Return the API: every route and its document, without the services behind them."""
    api = Api(
        title="HeartRule",
        version=__version__,
        description=_INTRODUCTION,
        servers=[{"url": "/"}],
        # The document is a route of ours, behind the check of origins; /docs is a file.
        openapi_url=None,
        default_response_class=Response,
        generate_unique_id_function=operation_id,
        redirect_slashes=False,
        exception_handlers={HTTPException: _http_error},
        # The gateway's own span is made by `GatewayRoute`.
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
    )
    modules = (
        chat,
        sessions,
        session_calls,
        decisions,
        runs,
        threads,
        safety,
        events,
        scripts,
        assets,
        login,
        openai,
    )
    for module in modules:
        api.include_router(module.router)
    return api


@cache
def _document() -> bytes:
    """Return the API's document; it is the same for every application of a process."""
    return orjson.dumps(make_api().openapi(), option=orjson.OPT_INDENT_2)


def make_app(services: Services) -> ASGIApp:
    """Return the application."""
    api = make_api()
    api.state.services = services
    document = _document()

    async def openapi() -> Response:
        return Response(document, media_type=JSON)

    api.router.routes.append(
        GatewayRoute("/openapi.json", openapi, methods=["GET"], openapi_extra=OPEN_TO_ALL)
    )
    api.router.routes.append(Mount("/", ConsoleFiles(directory=FOLDER, html=True, check_dir=False)))
    # Streams of events and pictures are left as they are.
    api.add_middleware(GZipMiddleware, minimum_size=_SMALLEST_ZIPPED, compresslevel=_ZIP_LEVEL)
    if services.gate.origins:
        # Only where origins are set: without the middleware browsers refuse all of them.
        api.add_middleware(
            CORSMiddleware, allow_origins=list(services.gate.origins),
            allow_methods=["GET", "POST", "PATCH", "DELETE"],
            allow_headers=["*"],  # OpenAI's clients send a dozen of their own
            expose_headers=list(_EXPOSED), max_age=600,
        )  # fmt: skip
    return SecurityHeaders(api, picture_hosts=services.settings.server.picture_hosts)


async def _http_error(request: Request, error: Exception) -> Response:
    """Return a problem for what no route serves; a known path with another method is a 405."""
    assert isinstance(error, HTTPException)
    status = error.status_code
    headers = dict(error.headers or {})
    # The console's files are mounted at `/` and match every path, so Starlette finds no 405 itself.
    if allowed := _methods_of(request):
        status = HTTPStatus.METHOD_NOT_ALLOWED
        headers["allow"] = ", ".join(allowed)
    reason, title = _TITLES.get(status, ("HTTP_ERROR", "Not possible"))
    refused = problem(
        grpc.StatusCode.NOT_FOUND, reason, f"{request.method} {request.url.path}: {title.lower()}",
        status=status, title=title,
    )  # fmt: skip
    route = OpenAIRoute if request.url.path.startswith("/v1/") else GatewayRoute
    answer = route.refuse(refused)
    answer.headers.update(headers)
    return answer


def _methods_of(request: Request) -> list[str]:
    routes = iter_route_contexts(request.app.routes)
    return sorted(
        method
        for route in routes
        if isinstance(route.original_route, GatewayRoute)
        and route.path_regex.match(request.url.path)
        for method in route.methods or ()
    )


class SecurityHeaders:
    """Gives every response the headers that stop browsers from guessing types or framing it."""

    def __init__(self, app: ASGIApp, *, picture_hosts: Sequence[str]) -> None:
        """Wrap `app`, whose pages show pictures of their own and of these hosts."""
        self._app = app
        # A model's text is shown as text; if that ever fails, the policy keeps it from running.
        policy = _POLICY.format(pictures=" ".join(picture_hosts))
        self._headers = {**_HEADERS, "content-security-policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                message["headers"] = headers.raw
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
