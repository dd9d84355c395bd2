"""Cookies that the gateway signs, and keeps only where they are void."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from gateway_service.console_cookie import LASTS_S, ConsoleCookies

TOKEN = SecretStr("s3cret")


def at(seconds: float, token: SecretStr = TOKEN) -> ConsoleCookies:
    return ConsoleCookies(token, now=lambda: 1_000.0 + seconds)


def test_a_cookie_opens_until_its_hour() -> None:
    """And every replica with the same token accepts it."""
    cookie = at(0).make()
    assert [at(s).is_valid(cookie) for s in (0, LASTS_S - 1, LASTS_S + 1)] == [True, True, False]


@pytest.mark.parametrize(
    "cookie", ["", "x", "99999.", "99999.00", "99999.a.00", "١٢.a.00", "9" * 40 + ".a.00"]
)
def test_a_made_up_cookie_opens_nothing(cookie: str) -> None:
    """Without the token nobody can sign one."""
    assert not at(0).is_valid(cookie)


def test_a_cookie_of_another_token_opens_nothing() -> None:
    """A new token makes all cookies void."""
    assert not at(0, SecretStr("other")).is_valid(at(0).make())


def test_a_voided_cookie_opens_nothing() -> None:
    """Logging out ends that login alone, and a copy of its cookie too."""
    cookies = at(0)
    mine, other = cookies.make(), cookies.make()
    cookies.void(mine)
    assert (cookies.is_valid(mine), cookies.is_valid(other)) == (False, True)


def test_what_was_never_signed_is_not_kept() -> None:
    """Nobody fills the memory with made-up cookies."""
    cookies = at(0)
    for number in range(100):
        cookies.void(f"99999.{number}.00")
    assert not cookies._voided
