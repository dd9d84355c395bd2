"""Tokens, cookies and places."""

from __future__ import annotations

import pytest
from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from gateway_service.access import COOKIE, LASTS_S, Gate
from gateway_service.problems import HttpProblem

GATE = Gate(token=SecretStr("s3cret"), now=lambda: 1_000.0)


def caller(**headers: str) -> HTTPConnection:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": raw})


def later(seconds: float) -> Gate:
    return Gate(token=GATE.token, now=lambda: 1_000.0 + seconds)


def test_a_cookie_opens_until_its_hour() -> None:
    """And every replica with the same token accepts it."""
    sent = caller(cookie=f"{COOKIE}={GATE.cookie()}")
    assert [later(s).admits(sent) for s in (0, LASTS_S - 1, LASTS_S + 1)] == [True, True, False]


@pytest.mark.parametrize("cookie", ["", "x", "99999.", "99999.00", "١٢.00", "9" * 40 + ".00"])
def test_a_made_up_cookie_opens_nothing(cookie: str) -> None:
    """Without the token nobody can sign one."""
    assert not GATE.admits(caller(cookie=f"{COOKIE}={cookie}"))


def test_a_cookie_of_another_token_opens_nothing() -> None:
    """A new token makes all cookies void."""
    other = Gate(token=SecretStr("other"), now=GATE.now)
    assert not other.admits(caller(cookie=f"{COOKIE}={GATE.cookie()}"))


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
