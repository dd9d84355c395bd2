"""The public facts of gateway and server, and the cookie that authenticates the console."""

from __future__ import annotations

from typing import Annotated, Any

import grpc
from fastapi import Body
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response

from gateway_service import console_cookie
from gateway_service.bodies import Login
from gateway_service.json_encoding import encode
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.problems import problem
from gateway_service.responses import json_response
from gateway_service.route import OPEN_TO_ALL, GatewayServices
from gateway_service.routes.call_router import CallRouter
from heartrule import __version__
from heartrule.domain.request_limits import LARGEST_INPUT
from heartrule.v1 import server_pb2

_EXAMPLE = {
    "version": __version__,
    "tokenRequired": True,
    "authenticated": False,
    "maxInputBytes": LARGEST_INPUT,
}
_SERVER = encode(
    server_pb2.ServerInfo(
        version=__version__,
        features=["export", "filters", "labels"],
        limits=server_pb2.ServerLimits(max_input_bytes=LARGEST_INPUT),
    )
)
_LOGIN: dict[str, Any] = {"the token": {"value": {"token": "…"}}}

router = CallRouter(tags=["access"])
router.add_call(
    f"GET {API}/server",
    "GetServerInfo",
    inner="info",
    summary="Read version, features and limits of the server",
    example=_SERVER,
)


class About(BaseModel):
    """The public facts of the gateway."""

    model_config = ConfigDict(alias_generator=to_camel, use_attribute_docstrings=True)

    version: str
    """The release."""
    token_required: bool
    """Whether callers need a token."""
    authenticated: bool
    """Whether this caller is authenticated, or needs no token."""
    max_input_bytes: int
    """Bytes of UTF-8 an input may have."""


@router.get(
    f"{API}/about",
    summary="Read the public facts of this gateway",
    responses=returns(About, example=_EXAMPLE),
    openapi_extra=OPEN_TO_ALL,
)
async def about(request: Request, services: GatewayServices) -> Response:
    """Return the public facts."""
    return json_response(
        {
            "version": __version__,
            "tokenRequired": services.gate.token is not None,
            "authenticated": services.gate.admits(request),
            "maxInputBytes": LARGEST_INPUT,
        }
    )


@router.post(
    f"{API}/login",
    status_code=204,
    response_description="Done.",
    summary="Exchange the token for the console's cookie",
    responses=fails(401, 429),
    openapi_extra=OPEN_TO_ALL,
)
async def login(
    request: Request,
    services: GatewayServices,
    body: Annotated[Login, Body(openapi_examples=_LOGIN)],
) -> Response:
    """Set the cookie of a caller that sends the token."""
    gate = services.gate
    services.failed_logins.check(request)
    if not gate.knows(body.token):
        await services.failed_logins.note(request)
        raise problem(grpc.StatusCode.UNAUTHENTICATED, "NOT_AUTHENTICATED", "not the token")
    answer = Response(status_code=204)
    if gate.cookies is not None:
        answer.set_cookie(
            console_cookie.NAME, gate.cookies.make(), max_age=console_cookie.LASTS_S, path="/",
            httponly=True, samesite="strict", secure=_is_by_tls(request),
        )  # fmt: skip
    return answer


def _is_by_tls(request: Request) -> bool:
    """Return whether the page came by TLS; a proxy often ends it, so its origin counts too."""
    return request.url.scheme == "https" or request.headers.get("origin", "").startswith("https://")


@router.delete(
    f"{API}/login",
    status_code=204,
    response_description="Done.",
    summary="Delete the cookie",
    openapi_extra=OPEN_TO_ALL,
)
async def logout(request: Request, services: GatewayServices) -> Response:
    """Delete the cookie."""
    # The browser deletes its own; whoever copied it finds it void.
    if services.gate.cookies is not None:
        services.gate.cookies.void(request.cookies.get(console_cookie.NAME, ""))
    answer = Response(status_code=204)
    answer.delete_cookie(console_cookie.NAME, path="/", httponly=True, samesite="strict")
    return answer
