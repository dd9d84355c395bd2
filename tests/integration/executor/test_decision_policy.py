"""The policy of agents' decisions, as an executor that starts reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.chassis.config_files import InvalidConfigFile
from heartrule.domain.decision_events import DecisionRejected
from heartrule.domain.decisions import FindingCode
from tests.support.agent_talk import answers, node, respond
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel
from tests.support.scripts import topic_script

SCRIPT = topic_script(
    "{action_type: ai_agent, action_id: talk, goal: 陪他谈谈, "
    "allowed_decisions: [respond, create_node]}"
)


def by(folder: Path, policy: str, *replies: str) -> Neighbours:
    """Return surroundings of an executor that is started with a policy."""
    path = folder / "policy.yaml"
    path.write_text(policy, encoding="utf-8")
    environ = {"HEARTRULE_DECISION_POLICY": str(path)}
    return Neighbours(model=FakeModel(replies), environ=environ)


async def test_a_wrong_policy_stops_the_start(tmp_path: Path) -> None:
    """The error names file, line, column and key; nothing is judged by a part of a policy."""
    around = by(tmp_path, "default:\n  colour: 1\n")
    with pytest.raises(InvalidConfigFile, match=r"policy\.yaml:2:11: default\.colour"):
        async with running_executor(around):
            pass


async def test_agents_are_judged_by_the_policy(tmp_path: Path) -> None:
    """What the installation does not allow, no agent drafts."""
    replies = (answers(node(), intent="complex_task"), answers(respond("现在还不能。")))
    around = by(tmp_path, "default: {node_types: [HTTP]}\n", *replies)
    async with running_executor(around) as running:
        session_id = await running.client.start(SCRIPT)
        told = await running.client.initialize(session_id)
    (rejected,) = told.of(DecisionRejected)
    assert [each.code for each in rejected.errors] == [FindingCode.BAD_ENUM]
    assert told.texts() == ["现在还不能。"]
