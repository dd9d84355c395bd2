"""How often one address may do what costs most."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gateways import RunningGateway, gateway_to, running_gateway
from tests.support.scripts import ask_script

CRISIS = "我想自杀"
HARMLESS = "你好"
NOBODY = "127.0.0.1:9"


def sent(session_id: str, text: str) -> dict[str, Any]:
    return {"json": {"sessionId": session_id, "message": text}}


def around() -> Neighbours:
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？")] * 9))


async def spent(running: RunningGateway) -> str:
    """Return a session whose caller has sent all that it may within a minute."""
    session_id = await running.start(ask_script(9))
    assert (
        await running.http.post("/api/v1/chat", **sent(session_id, HARMLESS))
    ).status_code == 200
    return session_id


def is_refused(answer: httpx.Response) -> bool:
    """Return whether it is a 429 that says what was too much, and when to come again."""
    return (answer.status_code, answer.json()["reason"]) == (429, "TOO_MANY_REQUESTS") and int(
        answer.headers["retry-after"]
    ) > 0


@pytest.mark.parametrize("route", ["/api/v1/chat", "/api/v1/chat/stream"])
async def test_a_message_that_is_too_much_is_refused(route: str) -> None:
    """It never reaches the executor."""
    async with running_gateway(around(), inputs_per_minute="1") as running:
        session_id = await spent(running)
        assert is_refused(await running.http.post(route, **sent(session_id, HARMLESS)))


@pytest.mark.parametrize("route", ["/api/v1/chat", "/api/v1/chat/stream"])
async def test_a_refused_message_in_danger_is_answered_by_its_card(route: str) -> None:
    """As an ordinary message: a safety card is never refused."""
    async with running_gateway(around(), inputs_per_minute="1") as running:
        session_id = await spent(running)
        answer = await running.http.post(route, **sent(session_id, CRISIS))
    assert (answer.status_code, "12356" in answer.text) == (200, True)


@pytest.mark.parametrize("route", ["inputs", "retry"])
async def test_a_refused_input_in_danger_has_its_card(route: str) -> None:
    """On the routes that only store, within the problem."""
    async with running_gateway(around(), inputs_per_minute="1") as running:
        session_id = await spent(running)
        path = f"/api/v1/sessions/{session_id}/{route}"
        answer = await running.http.post(path, json={"text": CRISIS})
    assert is_refused(answer)
    assert "12356" in answer.json()["safetyFallback"]["card"]["text"]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_refused_completion_in_danger_is_answered_by_its_card(stream: bool) -> None:  # noqa: FBT001
    """So is a client of OpenAI's API."""
    async with running_gateway(around(), inputs_per_minute="1") as running:
        await spent(running)
        asked = {
            "model": "any", "user": "u", "stream": stream,
            "messages": [{"role": "user", "content": CRISIS}],
        }  # fmt: skip
        answer = await running.http.post("/v1/chat/completions", json=asked)
    assert (answer.status_code, "12356" in answer.text) == (200, True)


@pytest.mark.parametrize("user", [None, "a new name"])
async def test_a_completion_begins_no_more_sessions_than_other_routes(user: str | None) -> None:
    """One that goes on is not concerned, and danger is answered by its card."""

    def says(text: str, name: str | None) -> dict[str, Any]:
        told = [{"role": "user", "content": text}]
        return {"json": {"model": "asking", "user": name, "messages": told}}

    async with running_gateway(around(), sessions_per_minute="2") as running:
        await running.start(ask_script(9))
        post, route = running.http.post, "/v1/chat/completions"
        assert (await post(route, **says(HARMLESS, "known"))).status_code == 200
        refused = await post(route, **says(HARMLESS, user))
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "TOO_MANY_REQUESTS")
        assert "12356" in (await post(route, **says(CRISIS, user))).text
        assert (await post(route, **says(HARMLESS, "known"))).status_code == 200


@pytest.mark.parametrize(
    ("limit", "route", "body"),
    [
        ("sessions_per_minute", "/api/v1/sessions", {"json": {"scriptId": "none"}}),
        ("scripts_per_hour", "/api/v1/scripts", {"json": {"files": {"script.yaml": ""}}}),
        ("scripts_per_hour", "/api/v1/scripts/check", {"json": {"files": {"script.yaml": ""}}}),
        ("pictures_per_hour", "/api/v1/assets", {"content": b"x"}),
    ],
)
async def test_what_costs_most_has_its_limit(limit: str, route: str, body: Any) -> None:
    """Counted whether it succeeds or not; other routes are not concerned."""
    async with gateway_to(NOBODY, **{limit: "1"}) as (_, http):
        first, second = [await http.post(route, **body) for _ in range(2)]
        assert first.status_code != 429
        assert is_refused(second)
        assert (await http.get("/api/v1/about")).status_code == 200


async def test_each_caller_behind_a_proxy_has_its_own() -> None:
    """The proxy is trusted to name them."""
    limits = {"sessions_per_minute": "1", "trusted_proxies": "127.0.0.1"}
    async with gateway_to(NOBODY, **limits) as (_, http):
        told = [
            await http.post(
                "/api/v1/sessions", json={"scriptId": "none"}, headers={"x-forwarded-for": address}
            )
            for address in ("1.1.1.1", "2.2.2.2", "1.1.1.1")
        ]
    assert [answer.status_code == 429 for answer in told] == [False, False, True]
