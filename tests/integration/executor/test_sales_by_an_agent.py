"""The sales workflow, drafted and run by an agent in a conversation (document 002, section 6)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.events import EventBody, SessionEvent, TurnEnded
from heartrule.domain.run_events import NodeChanged, NodeExecutionFailed, RunChanged
from tests.support.agent_runs import HELLO
from tests.support.agent_talk import answers, decision, respond
from tests.support.conversing import ALL, Conversing
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel
from tests.support.odd_servers import CLOSED_HOST, answered, listening
from tests.support.sales_report import PNG, attached, copied, header, mails, require_analysis
from tests.support.scripts import topic_script

ACCEPTED = answered(b'{"accepted":true}', headers={"Content-Type": "application/json"})
DOWN = answered(status="503 Service Unavailable")
AGENT = (
    "{action_type: ai_agent, action_id: talk, goal: 陪他做报告, max_decisions: 8, "
    "allowed_decisions: [respond, create_workflow_plan, execute_workflow, replan_workflow]}"
)
DRAFTED = "起草好了：取数据、算趋势、画图、发邮件。要运行吗？"


@dataclass(frozen=True, slots=True)
class SalesTalk:
    """A session whose agent has drafted the workflow."""

    running: Running
    stream: Conversing
    session_id: str
    workflow_id: str
    plan: dict[str, Any]

    def execute(self) -> str:
        """Return the reply that runs the workflow, and waits for it."""
        made = decision(
            "execute_workflow",
            workflow_id=self.workflow_id,
            execution_mode="sync",
            input_params={"recipient": "manager@example.com", "since": "2026-10-01"},
        )
        return answers(made, intent="workflow_request")

    async def runs(self, *replies: str) -> list[str]:
        """Have the client ask for it, and the agent reply; return what the turn told, in order."""
        model, before = self.running.neighbours.model, len(self.stream.told.events)
        assert isinstance(model, FakeModel)
        model.will_say(*replies)
        await self.stream.say("m2", "执行刚才创建的销售分析流程")
        # pandas and matplotlib take seconds each; a wait for an event has its own time.
        for path in ("node_2", "node_3"):
            await self.stream.until(partial(is_completed, path=path))
        await self.stream.until(ends)
        told = [each.body for each in self.stream.told.events[before:] if each.sequence]
        return [word for body in told if (word := word_of(body))]


def is_completed(event: SessionEvent, path: str) -> bool:
    body = event.body
    return isinstance(body, NodeChanged) and (body.path, body.state) == (path, "completed")


def ends(event: SessionEvent) -> bool:
    return isinstance(event.body, TurnEnded) and "m2" in event.body.client_message_ids


def word_of(body: EventBody) -> str:
    """Return what an event says, in the words of section 6; empty where it is none of these."""
    match body:
        case DecisionMade(decision_type=kind, author=author):
            return f"made {kind} by {author}"
        case DecisionValidated():
            return "validated"
        case DecisionRejected():
            return "rejected"
        case RunChanged(state=state):
            return f"run {state}"
        case NodeChanged(path=path, state=state):
            return f"{path} {state}"
        case NodeExecutionFailed(path=path):
            return f"{path} execution failed"
        case _:
            return ""


def ran(*paths: str) -> list[str]:
    """Return what nodes tell that run well."""
    return [f"{path} {state}" for path in paths for state in ("running", "completed")]


@asynccontextmanager
async def sales_talk(folder: Path, address: str, **changes: Any) -> AsyncIterator[SalesTalk]:
    """Open a session in which the agent has drafted the workflow; `changes` are of its mail."""
    plan = yaml.safe_load((folder / "sales_report.yaml").read_text("utf-8"))
    plan["nodes"][3]["config"]["url"] = address
    plan["nodes"][3] |= changes
    drafted = decision("create_workflow_plan", **plan)
    drafts = answers(drafted, respond(DRAFTED), intent="complex_task")
    around = Neighbours(
        model=FakeModel([HELLO, drafts]), environ={"HEARTRULE_DECISION_POLICY": "policy.yaml"}
    )
    async with AsyncExitStack() as opened:
        running = await opened.enter_async_context(running_executor(around))
        client = running.client
        session_id = await client.start(topic_script(AGENT))
        await client.initialize(session_id)
        stream = await opened.enter_async_context(client.converse(session_id, audiences=ALL))
        await stream.turn("m1", "分析最近三个月的销售数据并生成趋势图，然后发送给我")
        assert stream.told.texts()[-1] == DRAFTED
        (made,) = stream.told.of(WorkflowChanged)
        yield SalesTalk(running, stream, session_id, made.workflow_id, plan)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example's folder with its database, as the current one."""
    require_analysis()
    made = copied(tmp_path)
    monkeypatch.chdir(made)
    return made


async def test_the_agent_drafts_it_runs_it_and_tells(folder: Path) -> None:
    """Section 6.1: made, validated, executed; the agent answers once the mail is out."""
    async with listening(ACCEPTED, host=CLOSED_HOST) as server:
        async with sales_talk(folder, server.url("/send")) as talk:
            told = await talk.runs(talk.execute(), answers(respond("发好了。")))
    assert told == [
        *("made execute_workflow by agent", "validated", "run queued", "run running"),
        *ran("node_1", "node_2", "node_3", "node_4"),
        *("run completed", "made respond by agent", "validated"),
    ]
    assert talk.stream.told.texts()[-1] == "发好了。"
    ((name, kind, picture),) = attached(*mails(server.requests))
    assert (name, kind, picture[:8]) == ("trend.png", "image/png", PNG)


async def test_a_mail_that_fails_is_recovered_and_planned_anew(folder: Path) -> None:
    """Section 6.2: RETRY is spent, the agent plans anew, and MODIFY sends it another way.

    What is preserved keeps its results, and every call of one thing bears one key.
    """
    async with (
        listening(DOWN, host=CLOSED_HOST) as first,
        listening(DOWN, host=CLOSED_HOST) as second,
        listening(ACCEPTED, host=CLOSED_HOST) as third,
    ):
        retry = {"action": "RETRY", "max_attempts": 1, "delay": 0}
        async with sales_talk(folder, first.url("/send"), on_failure=retry) as talk:
            elsewhere = {"config.url": third.url("/send")}
            mail = dict(talk.plan["nodes"][3])
            mail |= {
                "node_id": "node_5",
                "config": {**mail["config"], "url": second.url("/send")},
                "on_failure": {"action": "MODIFY", "modifications": elsewhere, "delay": 0},
            }
            told = await talk.runs(
                talk.execute(),
                replanned(talk.workflow_id, mail),
                answers(respond("换了一个地址。")),
            )
    assert told == [
        *("made execute_workflow by agent", "validated", "run queued", "run running"),
        *ran("node_1", "node_2", "node_3"),
        *failed("node_4", "retrying"),
        *failed("node_4", "failed"),
        "run failed",
        *("made replan_workflow by agent", "validated", "run queued"),
        *(f"{path} completed" for path in ("node_1", "node_2", "node_3")),
        "run running",
        *failed("node_5", "retrying"),
        *ran("node_5"),
        *("run completed", "made respond by agent", "validated"),
    ]
    assert [len(each.requests) for each in (first, second, third)] == [2, 1, 1]
    assert len({header(each, "idempotency-key") for each in first.requests}) == 1
    assert attached(*mails(third.requests))[0][0] == "trend.png"


def failed(path: str, then: str) -> Sequence[str]:
    """Return what an attempt tells that fails for good, and what is done about it."""
    return (
        f"{path} running",
        f"{path} waiting_decision",
        f"{path} execution failed",
        *("made error_recovery by coordinator", "validated"),
        f"{path} {then}",
    )


def replanned(workflow_id: str, mail: dict[str, Any]) -> str:
    """Return the reply that sends the mail by another node; the others keep their results."""
    changes = {
        "remove_nodes": ["node_4"],
        "add_nodes": [mail],
        "update_edges": [{"source": "node_3", "target": "node_5"}],
    }
    made = decision(
        "replan_workflow",
        workflow_id=workflow_id,
        reason="邮件服务一直不通，换一个地址",
        execution_context={"failed_node_id": "node_4", "failed_attempts": 2},
        suggested_changes=changes,
        preserve_nodes=["node_1", "node_2", "node_3"],
    )
    return answers(made, intent="workflow_request")
