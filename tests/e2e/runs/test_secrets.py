"""A secret that nodes send and servers echo is shown by nothing that an executor writes or says."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from heartrule.chassis.channels import open_channel
from heartrule.domain.runs import RunState
from tests.support.conversing import Client
from tests.support.fake_model import ask_reply
from tests.support.marked_talks import files_with
from tests.support.odd_servers import OPEN_HOST, Listener, answered, listening
from tests.support.otlp import OtlpReceiver
from tests.support.processes import service
from tests.support.scripted_model import Reply, ScriptedModel
from tests.support.scripts import ask_script
from tests.support.served_runs import Operator, a_node, a_plan, operator_of

SECRET = "swordfish-zq7-key"
ECHO = answered(
    json.dumps({"you": f"Bearer {SECRET}"}).encode(),
    headers={"Content-Type": "application/json", "X-Echo": SECRET},
)
REFUSED = answered(f"bad key {SECRET}".encode(), status="401 Unauthorized")


def policy_in(folder: Path) -> Path:
    """Write a policy that gives nodes a secret, with its file, and return its path."""
    secrets, policy = folder / "secrets.json", folder / "policy.json"
    secrets.write_text(json.dumps({"secrets": {"KEY": SECRET}}), "utf-8")
    given = {
        "api_domains": [OPEN_HOST],
        "api_networks": [f"{OPEN_HOST}/32"],
        "secrets": ["KEY"],
        "secrets_file": str(secrets),
    }
    policy.write_text(json.dumps({"default": given}), "utf-8")
    return policy


def plan_of(server: Listener) -> dict[str, Any]:
    """Return a plan that sends the secret, hands the echo to a model and code, and is refused."""
    call = {"method": "GET", "headers": {"Authorization": "Bearer ${KEY}"}}
    told = "${echo.output.headers} ${echo.output.data}"
    return a_plan(
        a_node("echo", "HTTP", url=server.url("/${KEY}"), **call),
        a_node("write", "LLM", model="m", prompt=f"Say it: {told}"),
        a_node("code", "PYTHON", code="return x", keys={"input_mapping": {"x": told}}),
        a_node(
            "refused", "HTTP", url=server.url(), **call, keys={"on_failure": {"action": "ABORT"}}
        ),
        edges=("echo>write", "write>code", "code>refused"),
    )


async def test_a_secret_that_is_echoed_is_nowhere(tmp_path: Path) -> None:
    """Not in rows, events, answers, the log, spans or prompts; the server alone has it."""
    files, closed = tmp_path / "executor", tmp_path / "closed"
    files.mkdir()
    closed.mkdir()
    async with (
        OtlpReceiver() as receiver,
        ScriptedModel() as model,
        listening(ECHO, REFUSED) as server,
    ):
        model.always = Reply(ask_reply("怎么称呼你？"))
        environ = {
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_API_KEY": "scripted",
            "HEARTRULE_MODEL": "talker",
            "HEARTRULE_MONITOR_ADDRESS": "off",
            "HEARTRULE_PORT": "0",
            "HEARTRULE_LOG_LEVEL": "DEBUG",
            "HEARTRULE_DATABASE_URL": str(files / "heartrule.db"),
            "HEARTRULE_DECISION_POLICY": str(policy_in(closed)),
            **receiver.environ(),
        }
        async with service("executor_service", files, environ) as executor:
            async with open_channel(executor.address) as channel:
                operator, answer = await _ran(Client(channel), plan_of(server))
            written = await asyncio.to_thread(files_with, SECRET, files)
            assert await executor.stop() == 0
        prompts = [str(each.body) for each in model.requests]
        spans = b"".join(receiver.raw)
    assert all(SECRET in each.decode() for each in server.requests)
    assert "bad key ***" in answer
    assert any("Bearer ***" in each for each in prompts)
    assert {"run", "node"} <= {each.name for each in receiver.spans()}
    assert SECRET not in "".join([*prompts, answer, str(operator.told)])
    assert SECRET.encode() not in spans
    assert (written, files_with(SECRET, files)) == (set(), set())


async def _ran(client: Client, plan: dict[str, Any]) -> tuple[Operator, str]:
    """Run a plan that fails at its end; return its operator, and what is read of the run."""
    session_id = await client.start(ask_script(5))
    await client.initialize(session_id)
    operator = operator_of(client, session_id)
    run_id = await operator.execute(await operator.plan(plan))
    assert await operator.ended(run_id) == RunState.FAILED
    return operator, str(await operator.read(run_id))
