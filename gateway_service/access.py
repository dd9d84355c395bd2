"""Authenticates callers by the token, or by the cookie that the console gets for it."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import grpc
from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from gateway_service import console_cookie
from gateway_service.console_cookie import ConsoleCookies
from gateway_service.problems import HttpProblem, problem
from heartrule.chassis.server import is_local

# RFC 9110: these methods change nothing, so a foreign page gains nothing by sending them.
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Checks the host, the origin and the credentials of a request."""

    token: SecretStr | None
    """None: no caller needs one."""
    hosts: Sequence[str] = ()
    """Names besides those of this machine; `*`: any."""
    origins: Sequence[str] = ()
    """Origins of other sites' pages that may call."""
    cookies: ConsoleCookies | None = None
    """Where there is a token: what the console is let in by."""

    def check_place(self, headers: Headers, method: str) -> None:
        """Refuse what a foreign page makes a browser send.

        Without a token a page whose own name was pointed at this machine shows in Host. One of
        another site shows in Origin; tools send none, and a token in a header no page knows.

        Raises:
            HttpProblem: 403, FOREIGN_HOST or FOREIGN_ORIGIN; 400 without a Host.
        """
        host = headers.get("host", "")
        if self.token is None and not self._known_host(host):
            raise _refused("FOREIGN_HOST", "this gateway does not answer under that name")
        origin = headers.get("origin", "")
        if not origin or origin in self.origins or method in _SAFE:
            return
        # Beside a cookie a header of any content would open what the page's token did not.
        if "authorization" in headers and "cookie" not in headers:
            return
        if origin.partition("://")[2] != host:
            raise _refused("FOREIGN_ORIGIN", "pages of other sites may not call")

    def check_caller(self, connection: HTTPConnection) -> None:
        """Refuse a caller with neither the token nor a cookie made with it.

        Raises:
            HttpProblem: 401.
        """
        if not self.admits(connection):
            raise problem(
                grpc.StatusCode.UNAUTHENTICATED, "NOT_AUTHENTICATED",
                "send the token as Authorization: Bearer, or log in",
            )  # fmt: skip

    def admits(self, connection: HTTPConnection) -> bool:
        """Return whether the caller is authenticated, or needs no token."""
        if self.token is None:
            return True
        scheme, _, sent = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.knows(sent.strip()):
            return True
        cookie = connection.cookies.get(console_cookie.NAME, "")
        return self.cookies is not None and self.cookies.is_valid(cookie)

    def knows(self, token: str) -> bool:
        """Return whether this is the token, in constant time."""
        if self.token is None:
            return True
        return hmac.compare_digest(token.encode(), self.token.get_secret_value().encode())

    def _known_host(self, host: str) -> bool:
        if "*" in self.hosts:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:  # an invalid address in brackets
            return False
        return is_local(name) or host in self.hosts or name in self.hosts


def _refused(reason: str, detail: str) -> HttpProblem:
    return problem(grpc.StatusCode.PERMISSION_DENIED, reason, detail)
