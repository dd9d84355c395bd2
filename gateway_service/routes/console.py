"""How the page comes in: what it may know of the gateway, and the cookie it is given."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from starlette.responses import Response

from gateway_service.access import COOKIE, LASTS_S
from gateway_service.bodies import Login
from gateway_service.endpoint import Answer, Call, Endpoint, told_json
from gateway_service.problems import problem
from heartrule import __version__

import grpc  # isort: skip


class About(BaseModel):
    """What anybody may know of the gateway."""

    model_config = ConfigDict(alias_generator=to_camel, use_attribute_docstrings=True)

    version: str
    """The release."""
    token_required: bool
    """Whether callers are asked for a token."""
    authenticated: bool
    """Whether this caller may come in."""
    max_input_bytes: int
    """Bytes of UTF-8 an input may have."""


async def about(call: Call) -> Response:
    """Say what anybody may know."""
    gate = call.services.gate
    return told_json(
        {
            "version": __version__,
            "tokenRequired": gate.token is not None,
            "authenticated": gate.admits(call.request),
            "maxInputBytes": 1_048_576,
        }
    )


async def login(call: Call) -> Response:
    """Give the cookie to whoever knows the token."""
    gate = call.services.gate
    if not gate.knows(call.sent(Login).token):
        raise problem(grpc.StatusCode.UNAUTHENTICATED, "NOT_AUTHENTICATED", "not the token")
    answer = Response(status_code=204)
    if gate.token is not None:
        answer.set_cookie(
            COOKIE, gate.cookie(), max_age=LASTS_S, path="/", httponly=True, samesite="strict",
            secure=_by_tls(call),
        )  # fmt: skip
    return answer


def _by_tls(call: Call) -> bool:
    """Return whether the page came by TLS, which mostly ends in front of us: its origin says so."""
    return call.request.url.scheme == "https" or call.header("origin").startswith("https://")


async def logout(call: Call) -> Response:
    """Take the cookie back."""
    del call
    answer = Response(status_code=204)
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return answer


_DONE = Answer(description="Done.", status=204)
ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/about",
        handler=about,
        summary="What anybody may know of this gateway",
        tag="access",
        answer=Answer(
            description="As asked.",
            kind=About,
            example={
                "version": __version__,
                "tokenRequired": True,
                "authenticated": False,
                "maxInputBytes": 1_048_576,
            },
        ),
        open_to_all=True,
    ),
    Endpoint(
        method="POST",
        path="/api/login",
        handler=login,
        summary="Give the token and get the page's cookie",
        tag="access",
        body=Login,
        body_examples={"the token": {"token": "…"}},
        answer=_DONE,
        open_to_all=True,
        errors=(401,),
    ),
    Endpoint(
        method="DELETE",
        path="/api/login",
        handler=logout,
        summary="Give the cookie back",
        tag="access",
        answer=_DONE,
        open_to_all=True,
    ),
)
