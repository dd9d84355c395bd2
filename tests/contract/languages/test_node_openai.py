"""OpenAI's library for Node holds a scripted conversation at the gateway's door."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gateways import running_gateway
from tests.support.require import require_tool
from tests.support.scripts import ask_script

REPLIES = [
    ask_reply("怎么称呼你？"), ask_reply("慢慢说。"), ask_reply("好的", exit_="YES"),
    ask_reply("再见"),
]  # fmt: skip
LINES = "你好\n嗯\n小明\n还在吗\n"
OVER = "这次谈话已经结束了。想再谈，请开始一次新的对话。"
RUN_S = 60.0


async def test_node_holds_a_conversation(openai_project: Path) -> None:
    """Streamed, in one session, to the script's end, where a further message is told so."""
    async with running_gateway(Neighbours(model=FakeModel(REPLIES))) as running:
        files = {"files": {"s.yaml": ask_script(9)}}
        await running.http.post("/api/v1/scripts", json=files)
        told = await talk(openai_project, f"http://127.0.0.1:{running.gateway.port}")
        sessions = (await running.http.get("/api/v1/sessions")).json()["sessions"]
    assert told == f"怎么称呼你？\n慢慢说。\n好的\n\n再见\n{OVER}\n"
    assert len(sessions) == 1


async def talk(folder: Path, base: str) -> str:
    """Return what the example prints."""
    process = await asyncio.create_subprocess_exec(
        require_tool("node"), "talk.mjs", base, "asking", "xiaoming", cwd=folder, env=os.environ,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(RUN_S):
        output, errors = await process.communicate(LINES.encode())
    assert process.returncode == 0, errors.decode()
    return output.decode()
