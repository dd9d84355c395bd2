"""What is too much, too deep or in the wrong way."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from session_store.records import ProposedEdit
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.gateways import running_gateway
from tests.support.scripts import ask_script


@pytest.mark.parametrize("depth", [200, 1_000, 5_000])
async def test_json_however_deep_is_an_answer(depth: int) -> None:
    """Where it is too deep it is refused, in few words."""
    deep = "[" * depth + "]" * depth
    async with running_gateway() as running:
        await running.start(ask_script())
        raw = f'{{"scriptId":"asking","importedState":{{"variables":{{"a":{deep}}}}}}}'
        json = {"content-type": "application/json"}
        answer = await running.http.post("/api/v1/sessions", content=raw, headers=json)
    assert answer.status_code in {201, 400}
    assert len(answer.content) < 2_000


async def test_a_page_of_long_prompts_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five hundred calls of twenty kilobytes are more than grpc lets through by itself."""
    long = "字" * 7_000

    def record(_self: FakeModel, request: object, output: str, reply: Reply) -> LLMDebugInfo:
        return _call(long, output)

    monkeypatch.setattr(FakeModel, "_record", record)
    async with running_gateway(Neighbours(model=FakeModel([ask_reply("你好")]))) as running:
        session_id = await running.start(ask_script())
        await running.http.post(f"/api/v1/sessions/{session_id}/initialize")
        key = SessionKey(DEFAULT_TENANT, session_id)
        more = tuple(_call(long, "你好") for _ in range(400))
        await running.behind.neighbours.store.propose_edit(
            ProposedEdit(key=key, edit=None, calls=more)
        )
        answer = await running.http.get(f"/api/v1/sessions/{session_id}/calls?pageSize=500")
    assert (answer.status_code, len(answer.json()["calls"])) == (200, 401)
    assert len(answer.content) > 4_194_304


def _call(sent: str, received: str) -> LLMDebugInfo:
    return LLMDebugInfo(
        call_id=new_id("call"), purpose=Purpose.TALK, prompt_type="ask", provider="p",
        model="m", input=sent, output=received, create_time=datetime.now(UTC),
    )  # fmt: skip


async def test_head_asks_for_nothing() -> None:
    """A stream without a body would never end."""
    async with running_gateway() as running:
        answer = await running.http.head("/api/v1/sessions/x/events")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
