"""Operators read and decide over HTTP what the crisis path did."""

from __future__ import annotations

from typing import Any

import httpx

from tests.support.gateways import RunningGateway, running_gateway
from tests.support.scripts import ask_script


async def in_crisis(running: RunningGateway) -> str:
    """Return a session whose client was answered by a card."""
    session_id = await running.start(ask_script(9))
    told = {"sessionId": session_id, "message": "我想自杀", "clientMessageId": "m1"}
    assert (await running.http.post("/api/v1/chat", json=told)).status_code == 200
    return session_id


async def alerts(http: httpx.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    """Return the alerts nobody has acknowledged."""
    asked = {"alerts": True, "unacknowledged": True, **query}
    answer = await http.get("/api/v1/safety/events", params=asked)
    return list(answer.json()["events"])


async def test_an_alert_is_listed_until_somebody_has_seen_it() -> None:
    """It has level, step and time, and no word of the client; the first acknowledgement stays."""
    async with running_gateway() as running:
        session_id = await in_crisis(running)
        (alert,) = await alerts(running.http, sessionId=session_id)
        path = f"/api/v1/safety/events/{alert['safetyEventId']}/acknowledge"
        seen = (await running.http.post(path, json={"operator": "ann", "note": "called"})).json()
        assert await alerts(running.http) == []
        again = (await running.http.post(path, json={"operator": "bob"})).json()
    assert (alert["level"], alert["alert"], alert["source"]) == ("crisis", "pending", "rule")
    assert alert["step"]
    assert alert["createTime"]
    assert "自杀" not in repr(alert)
    assert seen == again
    assert (seen["acknowledgedBy"], seen["note"]) == ("ann", "called")


async def test_an_operator_takes_a_session_off_the_path() -> None:
    """The state names level and step; closing lowers it, and only to a level below CRISIS."""
    async with running_gateway() as running:
        path = f"/api/v1/sessions/{await in_crisis(running)}/safety"
        before = (await running.http.get(path)).json()
        body = {"operator": "ann", "level": "concern"}
        closed = (await running.http.post(f"{path}/close", json=body)).json()
        refused = await running.http.post(f"{path}/close", json={**body, "level": "crisis"})
        away = await running.http.get("/api/v1/sessions/nobody/safety")
    assert (before["level"], before["frozen"]) == ("crisis", True)
    assert (closed["level"], closed["frozen"]) == ("concern", False)
    assert (refused.status_code, away.status_code) == (400, 404)


async def test_hits_are_counted_by_month() -> None:
    """The report is that of the rpc, from a month on."""
    async with running_gateway() as running:
        await in_crisis(running)
        path = "/api/v1/safety/report"
        (count,) = (await running.http.get(path)).json()["counts"]
        later = await running.http.get(path, params={"since": "2999-01-01T00:00:00Z"})
    assert (count["level"], count["source"], count["count"]) == ("crisis", "rule", 1)
    assert later.json()["counts"] == []


async def test_authors_try_the_screen() -> None:
    """A text is screened as a client's, behind a question where one is given."""
    async with running_gateway() as running:
        path = "/api/v1/safety/screen"
        plain = (await running.http.post(path, json={"text": "我想自杀"})).json()
        calm = (await running.http.post(path, json={"text": "今天天气不错"})).json()
    assert (plain["level"], plain["language"]) == ("crisis", "zh")
    assert calm["level"] == "none"


async def test_a_console_is_told_what_needs_a_reader_and_where_help_is() -> None:
    """Files nobody has reviewed are named; the resources are those of the locale's region."""
    async with running_gateway() as running:
        path = "/api/v1/safety/texts"
        cn = (await running.http.get(path, params={"locale": "zh-CN"})).json()
        us = (await running.http.get(path, params={"locale": "en-US"})).json()
    assert "messages/zh-CN.yaml" in cn["unreviewed"]
    assert cn["outdated"] == []
    assert "12356" in [one["number"] for one in cn["resources"]]
    assert "988" in [one["number"] for one in us["resources"]]
