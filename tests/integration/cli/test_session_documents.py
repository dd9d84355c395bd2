"""A session as one document, asked for by the command."""

from __future__ import annotations

from heartrule_cli.executor_client import executor_at
from heartrule_cli.session_json import session_json, session_markdown
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script


async def test_a_session_is_told_as_json_and_as_a_transcript() -> None:
    """Each with all of it; the transcript in the language of the environment."""
    neighbours = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))
    async with running_executor(neighbours) as running:
        session_id = await running.client.start(ask_script())
        await running.client.initialize(session_id)
        address = f"127.0.0.1:{running.server.port}"
        async with executor_at(address, {"LANG": "zh_CN.UTF-8"}) as executor:
            whole = await session_json(executor, session_id)
            page = await session_markdown(executor, session_id)
    assert list(whole) == ["session", "state", "variables", "messages", "events"]
    state, events = whole["state"], whole["events"]
    assert isinstance(state, dict)
    assert isinstance(events, list)
    assert len(events) == int(str(state["sequence"]))
    assert "## 开场" in page
    assert "> 怎么称呼你？" in page
