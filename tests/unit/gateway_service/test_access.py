"""Tokens, cookies and places."""

from __future__ import annotations

import pytest
from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from gateway_service.access import Gate
from gateway_service.console_cookie import NAME, ConsoleCookies
from gateway_service.problems import HttpProblem

TOKEN = SecretStr("s3cret")
COOKIES = ConsoleCookies(TOKEN)
GATE = Gate(token=TOKEN, cookies=COOKIES)


def caller(**headers: str) -> HTTPConnection:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": raw})


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1:1", "[::1]:1", "shown.example"])
def test_a_known_place_is_let_in(host: str) -> None:
    """This machine under its own names, and names that are set."""
    gate = Gate(token=None, hosts=("shown.example",))
    gate.check_place(Headers({"host": host, "origin": f"http://{host}"}), "POST")


@pytest.mark.parametrize("host", ["evil.example", "", "127.0.0.1.evil.example", "[", "a b"])
def test_a_foreign_name_is_not(host: str) -> None:
    """DNS may point any name at this machine."""
    with pytest.raises(HttpProblem):
        Gate(token=None).check_place(Headers({"host": host}), "GET")


def test_the_cookie_opens_the_gate() -> None:
    """As the token in a header does; another header beside it changes nothing."""
    cookie = f"{NAME}={COOKIES.make()}"
    assert GATE.admits(caller(authorization="Bearer s3cret"))
    assert GATE.admits(caller(cookie=cookie))
    assert not GATE.admits(caller(cookie=f"{NAME}=x", authorization="Bearer other"))


@pytest.mark.parametrize("authorization", ["", "Bearer s3cret", "Basic eDp4", "x"])
def test_a_header_beside_a_cookie_does_not_skip_the_origin(authorization: str) -> None:
    """A foreign page's request with the browser's cookie stays one, whatever else it sends."""
    headers = {"host": "a.example", "origin": "https://evil.example", "cookie": f"{NAME}=x"}
    with pytest.raises(HttpProblem) as refused:
        GATE.check_place(Headers({**headers, "authorization": authorization}), "POST")
    assert refused.value.reason == "FOREIGN_ORIGIN"


def test_a_tool_with_a_token_needs_no_origin() -> None:
    """Without a cookie there is nothing that a page could use."""
    sent = {"host": "a.example", "origin": "app://tool", "authorization": "Bearer s3cret"}
    GATE.check_place(Headers(sent), "POST")
