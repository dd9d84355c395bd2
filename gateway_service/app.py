"""The ASGI application: routes, checks before them, problems after them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable

import grpc
import orjson
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway_service.door import SESSION_HEADER
from gateway_service.endpoint import JSON, Endpoint, as_problem
from gateway_service.openapi import document
from gateway_service.pages import FOLDER, HEADERS, ConsoleFiles
from gateway_service.problems import HttpProblem, problem
from gateway_service.routes import (
    assets,
    chat,
    console,
    events,
    going_back,
    histories,
    openai,
    scripts,
    sessions,
)
from gateway_service.services import Services
from heartrule.chassis import telemetry
from heartrule.chassis.errors import InternalError

log = logging.getLogger(__name__)
_EXPOSED = ("retry-after", "www-authenticate", SESSION_HEADER)
_TITLES = {404: ("NOT_FOUND", "Not found"), 405: ("METHOD_NOT_ALLOWED", "Method not allowed")}


def endpoints() -> tuple[Endpoint, ...]:
    """Return every route of the API."""
    modules = (chat, sessions, going_back, events, histories, scripts, assets, console, openai)
    return tuple(one for module in modules for one in module.ENDPOINTS)


def make_app(services: Services) -> ASGIApp:
    """Return the application."""
    every = endpoints()
    app = Starlette(
        routes=[
            *_routes(every, services),
            _openapi(every, services),
            Mount("/", ConsoleFiles(directory=FOLDER, html=True, check_dir=False)),
        ],
        middleware=_cors(services),
        exception_handlers={HTTPException: _http_error},
    )
    app.router.redirect_slashes = False
    return Honest(app)


def _cors(services: Services) -> list[Middleware]:
    origins = services.gate.origins
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],  # OpenAI's clients send a dozen of their own
            expose_headers=list(_EXPOSED), max_age=600,
        )
    ]  # fmt: skip


def _routes(every: Iterable[Endpoint], services: Services) -> Iterable[BaseRoute]:
    """Yield a route per path, so that a wrong method is told apart from a wrong path."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for one in every:
        by_path.setdefault(one.path, {})[one.method] = one
    # A path with more words before the parameter comes first: /scripts/check is no script.
    for path in sorted(by_path, key=lambda path: ("{" in path, path.count("{"), -len(path))):
        methods = by_path[path]
        served = _served(methods, services)
        yield Route(path.replace("{path}", "{path:path}"), served, methods=list(methods))


def _served(
    methods: dict[str, Endpoint], services: Services
) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        if request.method not in methods:  # Starlette serves HEAD wherever GET is
            raise HTTPException(405, headers={"allow": ", ".join(methods)})
        one = methods[request.method]
        try:
            services.gate.check_place(request.headers, request.method)
            if not one.open_to_all:
                services.gate.check_caller(request)
            with telemetry.span(
                f"{one.method} {one.path}", kind="server",
                parent=request.headers.get("traceparent", ""),
            ):  # fmt: skip
                return await one.serve(request, services)
        except HttpProblem as error:
            return one.refuse(error)
        except Exception as error:  # noqa: BLE001  the outermost handler; nothing may leak
            return one.refuse(_unforeseen(error))

    return serve


def _unforeseen(error: Exception) -> HttpProblem:
    hidden = InternalError()
    log.error("unforeseen error", exc_info=error, extra={"error_id": hidden.error_id})
    return problem(
        grpc.StatusCode.INTERNAL, hidden.reason, hidden.message, metadata=hidden.metadata
    )


def _openapi(every: Iterable[Endpoint], services: Services) -> Route:
    written = orjson.dumps(document(every), option=orjson.OPT_INDENT_2)

    async def serve(request: Request) -> Response:
        try:
            services.gate.check_place(request.headers, request.method)
        except HttpProblem as error:
            return as_problem(error)
        return Response(written, media_type=JSON)

    return Route("/openapi.json", serve, methods=["GET"])


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer what no route answers with a problem too."""
    assert isinstance(error, HTTPException)
    reason, title = _TITLES.get(error.status_code, ("HTTP_ERROR", "Not possible"))
    refused = problem(
        grpc.StatusCode.NOT_FOUND, reason, f"{request.method} {request.url.path}: {title.lower()}",
        status=error.status_code, title=title,
    )  # fmt: skip
    answer = as_problem(refused)
    answer.headers.update(error.headers or {})
    return answer


class Honest:
    """Gives every answer the headers that keep browsers from guessing or framing it."""

    def __init__(self, app: ASGIApp) -> None:
        """Go around `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                message["headers"] = headers.raw
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
