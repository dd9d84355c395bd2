"""Conversations that Node held with a real executor; tests only look at them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from heartrule.chassis.channels import open_channel
from heartrule.model.rehearsal.rehearsal_server import serve
from heartrule.v1 import message_pb2, session_pb2
from heartrule.wire.executor_stubs import ExecutorStubs
from tests.support.processes import ROOT, Service, service
from tests.support.require import lacking, require_tool

EXAMPLE = ROOT / "examples" / "node"
OPENAI_EXAMPLE = ROOT / "examples" / "node-openai"
PHQ9 = ROOT / "_system" / "scripts" / "phq9.yaml"
GREETING = ROOT / "_system" / "scripts" / "greeting.yaml"
TEXTS = ("不想说", "小明")
PACE_S = 0.01
"""The rehearsal model's pause after each piece, so that a turn can be broken in its midst."""
UNKNOWN = (
    "    StateChanged state_changed = 18;\n",
    "  OUTCOME_SESSION_COMPLETED = 2;\n",
)
"""What the contract of an older client does not know: an event and a value of an enum."""
FIELDS: tuple[str, ...] = ("兴趣减少", "心情低落", "睡眠问题", "疲倦", "食欲问题")
FIELDS += ("自我否定", "注意困难", "动作变化", "伤害念头")
TOO_LONG = "我不想活了。" + "。" * 16_000
"""Refused for its length; whoever writes it is shown where help is."""
DRAFT: Mapping[str, Any] = {
    "action_type": "create_node",
    "node_type": "LLM",
    "node_name": "总结",
    "config": {
        "model": "gpt-4o",
        "prompt": "总结：${input.text}",
        "timeout": 900,
        "temperature": 0.5,
    },
}
"""A decision with a time-out that is corrected to 300."""
RUN_S = 60.0
TOKEN = "a-token-of-these-tests-and-no-other"
"""Every program here reaches an executor that asks for it."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One conversation as Node printed it, and as the executor keeps it."""

    events: list[Json]
    messages: list[Json]
    kept: list[tuple[str, str]]
    """Role and text of every message the executor has, in order."""

    def of(self, kind: str) -> list[Json]:
        """Return the bodies of the events of one kind."""
        return [event[kind] for event in self.events if event.get("event") == kind]

    def sequences(self) -> list[int]:
        """Return the numbers of the durable events, as they came."""
        return [event["sequence"] for event in self.events if event["sequence"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversations:
    """What was held."""

    converse: Held
    watch: Held
    broken: Held
    older: Held
    chat: str
    """Standard output of the example's own chat."""
    form: list[Json]
    """What a form that was filled twice told."""
    refused: list[Json]
    """The refusals of one text, on both ways."""
    decided: list[Json]
    """What came of a decision, of its repeat, of a wrong one; then the workflow's definition."""
    found: list[Any]
    """The labels of a session, whether a filter finds it alone, the refusal of another, and what
    the server is."""


@pytest.fixture(scope="session")
def node_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with its packages installed, and the test's program beside it."""
    programs = Path(__file__).parent / "node"
    return installed(tmp_path_factory.mktemp("node"), EXAMPLE, programs)


@pytest.fixture(scope="session")
def openai_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example of OpenAI's library with its packages installed."""
    return installed(tmp_path_factory.mktemp("openai"), OPENAI_EXAMPLE)


def installed(folder: Path, *sources: Path) -> Path:
    """Return the folder with the files of the sources and their packages; skip without npm."""
    npm, _ = require_tool("npm"), require_tool("node")
    for file in (file for source in sources for file in source.iterdir()):
        if file.is_file():
            shutil.copy(file, folder)
    install = [npm, "ci", "--no-audit", "--no-fund", "--prefer-offline"]
    code, output = asyncio.run(run_program(install, folder))
    if code:
        lacking(f"npm ci failed: {output[-300:]}")
    return folder


@pytest.fixture(scope="session")
def held(node_project: Path) -> Conversations:
    """Every conversation, held at once with one executor."""
    return asyncio.run(_hold(node_project))


async def _hold(folder: Path) -> Conversations:
    model = await serve(pace_s=PACE_S)
    environ = {
        "HEARTRULE_PORT": "0",
        "HEARTRULE_TOKEN": TOKEN,
        "HEARTRULE_MONITOR_ADDRESS": "127.0.0.1:9",
        "HEARTRULE_MODEL": "heartrule-rehearsal",
        "HEARTRULE_PROVIDER_KIND": "rehearsal",
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "rehearsal",
    }
    try:
        async with service("executor_service", folder, environ) as executor:
            return await _all_ways(_Node(folder, executor), older_contract(folder / "older"))
    finally:
        await model.aclose()


async def _all_ways(node: _Node, older: Path) -> Conversations:
    async with asyncio.TaskGroup() as tasks:
        converse = tasks.create_task(node.hold(way="converse"))
        watch = tasks.create_task(node.hold(way="watch"))
        broken = tasks.create_task(node.hold(way="converse", breaks=True))
        from_older = tasks.create_task(node.hold(way="watch", breaks=True, protos=older))
        chat = tasks.create_task(node.chat())
        form = tasks.create_task(node.form())
        refused = tasks.create_task(node.refused())
        decided = tasks.create_task(node.decided())
        found = tasks.create_task(node.found())
    return Conversations(
        converse=converse.result(),
        watch=watch.result(),
        broken=broken.result(),
        older=from_older.result(),
        chat=chat.result(),
        form=form.result(),
        refused=refused.result(),
        decided=decided.result(),
        found=found.result(),
    )


class _Node:
    """Runs programs against one executor."""

    def __init__(self, folder: Path, executor: Service) -> None:
        self._folder = folder
        self._executor = executor

    async def hold(self, *, way: str, breaks: bool = False, protos: Path = ROOT / "protos") -> Held:
        told = {"address": self._executor.address, "protos": str(protos), "texts": TEXTS}
        wish = json.dumps({**told, "script": GREETING.read_text(), "way": way, "breaks": breaks})
        lines = [json.loads(line) for line in await self._out("holds_a_conversation.mjs", wish)]
        events = [line["event"] for line in lines if "event" in line]
        messages = [line["message"] for line in lines if "message" in line]
        kept = await self._kept(events[0]["session_id"])
        return Held(events=events, messages=messages, kept=kept)

    async def form(self) -> list[Json]:
        told = {"address": self._executor.address, "protos": str(ROOT / "protos")}
        answers = [{**dict.fromkeys(FIELDS, 1), FIELDS[-1]: 9}, {FIELDS[-1]: "0"}]
        wish = json.dumps({**told, "script": PHQ9.read_text(), "answers": answers})
        return [json.loads(line) for line in await self._out("fills_a_form.mjs", wish)]

    async def refused(self) -> list[Json]:
        told = {"address": self._executor.address, "protos": str(ROOT / "protos")}
        wish = json.dumps({**told, "script": GREETING.read_text(), "text": TOO_LONG})
        return [json.loads(line) for line in await self._out("is_refused.mjs", wish)]

    async def decided(self) -> list[Json]:
        told = {"address": self._executor.address, "protos": str(ROOT / "protos")}
        wish = json.dumps({**told, "script": GREETING.read_text(), "payload": DRAFT})
        return [json.loads(line) for line in await self._out("decides.mjs", wish)]

    async def found(self) -> list[Any]:
        told = {"address": self._executor.address, "protos": str(ROOT / "protos")}
        wish = json.dumps({**told, "script": GREETING.read_text()})
        return [json.loads(line) for line in await self._out("finds_sessions.mjs", wish)]

    async def chat(self) -> str:
        where = ("--address", self._executor.address, "--protos", str(ROOT / "protos"))
        said = "".join(f"{text}\n" for text in TEXTS)
        return "\n".join(await self._out("chat.mjs", *where, "--script", str(GREETING), said=said))

    async def _out(self, program: str, *arguments: str, said: str = "") -> Iterable[str]:
        command = [require_tool("node"), program, *arguments]
        code, output = await run_program(command, self._folder, said=said)
        assert code == 0, output
        return output.splitlines()

    async def _kept(self, session_id: str) -> list[tuple[str, str]]:
        async with open_channel(self._executor.address, token=SecretStr(TOKEN)) as channel:
            request = session_pb2.ListMessagesRequest(session_id=session_id, page_size=100)
            response = await ExecutorStubs(channel).history.ListMessages(request)
        return [
            (message_pb2.Role.Name(each.role), each.parts[0].text) for each in response.messages
        ]


def older_contract(folder: Path) -> Path:
    """Copy the contract without what an older client does not know, and return where it is."""
    shutil.copytree(ROOT / "protos", folder)
    removed = 0
    for file in folder.rglob("*.proto"):
        text = file.read_text()
        for line in UNKNOWN:
            removed += text.count(line)
            text = text.replace(line, "")
        file.write_text(text)
    assert removed == len(UNKNOWN)
    return folder


async def run_program(command: list[str], folder: Path, *, said: str = "") -> tuple[int, str]:
    """Run a program to its end; what it printed, and where it failed also its complaints."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={**os.environ, "HEARTRULE_TOKEN": TOKEN},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(RUN_S):
            output, errors = await process.communicate(said.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    code = process.returncode or 0
    return code, (output + errors if code else output).decode()
