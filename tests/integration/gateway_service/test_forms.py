"""A form is told to who can show it, and filled over HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gateways import RunningGateway, running_gateway
from tests.support.scripts import form, topic_script

SCRIPT = topic_script(form("{name: 年龄, type: integer, min: 0, max: 120}"))


async def asked(running: RunningGateway) -> tuple[str, Any]:
    """Begin a session on the form; return its path and the request that is open."""
    session_id = await running.start(SCRIPT)
    path = f"/api/v1/sessions/{session_id}"
    await running.http.post(f"{path}/initialize")
    return path, (await running.http.get(f"{path}/state")).json()["pendingRequest"]


async def test_a_form_is_answered_with_its_values() -> None:
    """The request has a schema; a whole answer ends the action and sets the variable."""
    async with running_gateway(Neighbours(model=FakeModel([ask_reply("请填表。")]))) as running:
        path, request = await asked(running)
        filled = {"inputRequestId": request["inputRequestId"], "form": {"年龄": 30}}
        stored = await running.http.post(f"{path}/inputs", json=filled)
        while (state := (await running.http.get(f"{path}/state")).json())["status"] != "completed":
            pass
    assert (request["kind"], request["schema"]["x-order"]) == ("form", ["年龄"])
    assert stored.json()["messages"][0]["parts"][0]["form"] == {"values": {"年龄": 30}}
    assert state["variables"]["年龄"] == 30


async def test_an_answer_to_another_form_is_refused() -> None:
    """400 with the reason, and nothing is stored."""
    async with running_gateway(Neighbours(model=FakeModel([ask_reply("请填表。")]))) as running:
        path, _ = await asked(running)
        filled = {"inputRequestId": "req_other", "form": {"年龄": 30}}
        refused = await running.http.post(f"{path}/inputs", json=filled)
    assert (refused.status_code, refused.json()["reason"]) == (400, "INPUT_REQUEST_NOT_OPEN")
