"""Who may come in."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

from gateway_service.console_cookie import NAME
from tests.support.gateways import running_gateway

BEARER = {"authorization": "Bearer s3cret"}
OTHER = {"authorization": "Bearer other"}


async def test_without_a_token_nothing_is_asked() -> None:
    """A gateway that only this machine reaches needs none."""
    async with running_gateway() as running:
        about = (await running.http.get("/api/v1/about")).json()
        assert (about["tokenRequired"], about["authenticated"]) == (False, True)
        assert (await running.http.get("/api/v1/sessions")).status_code == 200


async def test_with_a_token_every_route_asks_for_it() -> None:
    """401 without it or with another; the document and what the page needs first are open."""
    async with running_gateway(token="s3cret") as running:
        for headers in ({}, OTHER):
            answer = await running.http.get("/api/v1/sessions", headers=headers)
            assert (answer.status_code, answer.json()["reason"]) == (401, "NOT_AUTHENTICATED")
            assert answer.headers["www-authenticate"].startswith("Bearer")
        assert (await running.http.get("/api/v1/sessions", headers=BEARER)).status_code == 200
        assert (await running.http.get("/openapi.json")).status_code == 200
        assert (await running.http.get("/api/v1/about")).json()["authenticated"] is False


async def test_the_page_gets_a_cookie_for_the_token() -> None:
    """HttpOnly and of the same site; logged out, it is gone."""
    async with running_gateway(token="s3cret") as running:
        http = running.http
        assert (await http.post("/api/v1/login", json={"token": "other"})).status_code == 401
        given = await http.post("/api/v1/login", json={"token": "s3cret"})
        assert {"HttpOnly", "SameSite=strict"} <= set(given.headers["set-cookie"].split("; "))
        assert (await http.get("/api/v1/sessions")).status_code == 200
        copied = {"cookie": f"{NAME}={http.cookies[NAME]}"}
        await http.delete("/api/v1/login")
        assert (await http.get("/api/v1/sessions")).status_code == 401
        assert (await http.get("/api/v1/sessions", headers=copied)).status_code == 401


async def test_a_foreign_page_can_change_nothing() -> None:
    """Neither under a name of its own pointed at this machine, nor from its own origin."""
    async with running_gateway() as running:
        rebound = await running.http.get("/api/v1/sessions", headers={"host": "evil.example"})
        foreign = await running.http.post(
            "/api/v1/sessions", json={"scriptId": "x"}, headers={"origin": "https://evil.example"}
        )
    assert [rebound.json()["reason"], foreign.json()["reason"]] == [
        "FOREIGN_HOST", "FOREIGN_ORIGIN",
    ]  # fmt: skip


async def test_an_allowed_origin_may_call() -> None:
    """CORS is a setting, and says so in the answer."""
    origin = "https://app.example"
    async with running_gateway(allowed_origins=origin) as running:
        asked = {"origin": origin, "access-control-request-method": "POST"}
        preflight = await running.http.options("/api/v1/chat", headers=asked)
        answer = await running.http.get("/api/v1/sessions", headers={"origin": origin})
    told = [one.headers["access-control-allow-origin"] for one in (preflight, answer)]
    assert told == [origin, origin]


@pytest.mark.parametrize("path", ["/", "/api/v1/about", "/nothing", "/openapi.json"])
async def test_every_answer_keeps_browsers_honest(path: str) -> None:
    """No inline script runs, nothing is guessed, framed or told to others."""
    async with running_gateway() as running:
        headers = (await running.http.get(path)).headers
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")


async def test_a_wrong_token_costs_time_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Once for the login and once for a header; neither token stands in the log."""
    async with running_gateway(token="s3cret") as running:
        begun = time.monotonic()
        with caplog.at_level(logging.INFO):
            await running.http.post("/api/v1/login", json={"token": "wr0ng"})
            await running.http.get("/api/v1/sessions", headers={"authorization": "Bearer wr0ng"})
        assert time.monotonic() - begun >= 2.0
    assert caplog.text.count("a wrong token") == 2
    assert "wr0ng" not in caplog.text
    assert "s3cret" not in caplog.text


async def test_an_address_has_so_many_wrong_tokens(caplog: pytest.LogCaptureFixture) -> None:
    """Further logins wait for Retry-After; who sends the right token in a header need not.

    Nor does the log hold a line for each of thousands.
    """
    async with running_gateway(token="s3cret") as running:
        wrong = [running.http.post("/api/v1/login", json={"token": str(n)}) for n in range(10)]
        assert {answer.status_code for answer in await asyncio.gather(*wrong)} == {401}
        more = [running.http.get("/api/v1/sessions", headers=OTHER) for _ in range(10)]
        assert {answer.status_code for answer in await asyncio.gather(*more)} == {401}
        assert caplog.text.count("a wrong token") == 10
        refused = await running.http.post("/api/v1/login", json={"token": "s3cret"})
        assert (refused.status_code, refused.json()["reason"]) == (429, "TOO_MANY_LOGINS")
        assert int(refused.headers["retry-after"]) > 0
        assert (await running.http.get("/api/v1/sessions", headers=BEARER)).status_code == 200


async def test_a_stranger_sends_no_large_body() -> None:
    """What may be sent without a token is as long as a token."""
    async with running_gateway(token="s3cret") as running:
        answer = await running.http.post("/api/v1/login", json={"token": "x" * 100_000})
    assert (answer.status_code, answer.json()["reason"]) == (413, "BODY_TOO_LARGE")


@pytest.mark.parametrize("path", ["/docs", "//docs", "/app"])
async def test_a_redirect_stays_on_this_gateway(path: str) -> None:
    """It names a path, and never the Host header, which is whatever the caller sent."""
    async with running_gateway(allowed_hosts="*") as running:
        url = f"http://127.0.0.1:{running.gateway.port}{path}"
        answer = await running.http.get(url, headers={"host": "evil.example"})
    assert answer.status_code in {307, 404}
    assert "evil.example" not in str(answer.headers)
    if answer.status_code == 307:
        assert answer.headers["location"] == "/docs/"


async def test_pages_show_pictures_of_named_hosts_alone() -> None:
    """Any other address in a message would tell its host who reads it."""
    async with running_gateway(picture_hosts="https://pictures.example") as running:
        policy = (await running.http.get("/")).headers["content-security-policy"]
    assert "img-src 'self' data: https://pictures.example; " in policy
    assert "https:;" not in policy
