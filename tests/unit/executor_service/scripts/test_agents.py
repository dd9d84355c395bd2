"""The configuration of an agent: what it may decide, and what of it decides nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.agent_config import AGENT_ROUNDS, AgentConfig
from executor_service.scripts.model.rules import CheckRule
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import NodeType

Load = Callable[..., LoadResult]


def agent(result: LoadResult) -> AgentConfig:
    """Return the configuration of the script's only action."""
    assert result.script is not None, result.errors
    ((_, _, _, action),) = result.script.walk()
    assert isinstance(action.config, AgentConfig)
    return action.config


def test_an_agent_that_names_a_goal_only_talks(load_config: Load) -> None:
    """It may answer, ask back and think on, in ten rounds of three decisions each."""
    config = agent(load_config("ai_agent", "goal: 陪{称呼}聊聊睡眠"))
    talking = (DecisionType.RESPOND, DecisionType.REQUEST_CLARIFICATION, DecisionType.CONTINUE)
    assert (config.goal, config.allowed_decisions) == ("陪{称呼}聊聊睡眠", talking)
    assert (config.max_rounds, config.max_decisions) == (AGENT_ROUNDS, 3)
    assert (config.node_types, config.subagent_types, config.agent) == ((), (), None)


def test_an_agent_may_draft(load_config: Load) -> None:
    """The decisions and the types of nodes are those that the script names."""
    lines = "goal: x\nallowed_decisions: [respond, create_node]\nnode_types: [LLM, HTTP]"
    result = load_config("ai_agent", lines)
    assert result.findings == ()
    assert agent(result).node_types == (NodeType.LLM, NodeType.HTTP)
    assert agent(result).allowed_decisions == (DecisionType.RESPOND, DecisionType.CREATE_NODE)


def test_a_word_to_the_client_must_be_allowed(load_config: Load) -> None:
    """An agent that may only think would let its client wait for ever."""
    for allowed in ("[]", "[continue]", "[create_node, continue]"):
        result = load_config("ai_agent", f"goal: x\nallowed_decisions: {allowed}")
        (error,) = result.errors
        assert (error.line, "respond, request_clarification" in error.message) == (12, True)


def test_an_agent_may_ask_for_sub_agents(load_config: Load) -> None:
    """Whether there are such agents is known where the session runs."""
    lines = "goal: x\nallowed_decisions: [respond, spawn_subagent]\nsubagent_types: [researcher]"
    result = load_config("ai_agent", lines)
    assert result.findings == ()
    assert agent(result).subagent_types == ("researcher",)


def test_an_agent_with_phases_decides_nothing(load_config: Load) -> None:
    """What it may decide is idle then, key by key."""
    config = "goal: x\nagent: writer\nnode_types: [LLM]\nmax_decisions: 2"
    result = load_config("ai_agent", config)
    assert agent(result).agent == "writer"
    assert [each.rule for each in result.warnings] == [CheckRule.IDLE_SETTING] * 2


@pytest.mark.parametrize(
    "key", ["node_types: [LLM]", "subagent_types: [researcher]", "run_output: 小结"]
)
def test_types_that_no_decision_uses_are_a_warning(load_config: Load, key: str) -> None:
    """An agent that only talks drafts no node, asks no sub-agent and runs nothing."""
    (warning,) = load_config("ai_agent", f"goal: x\n{key}").warnings
    assert (warning.line, warning.rule) == (12, CheckRule.IDLE_SETTING)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("max_rounds: 3", "ai_agent needs `goal`"),
        ("goal: x\ncontent: y", "ai_agent has no `content`; write `goal`"),
        ("goal: x\nexit: y", "say in `goal` when it is reached"),
        ("goal: x\nrequired: true", "its goal is not its outputs"),
        ("goal: x\nexit_criteria: {outputs_known: true}", "its goal is not its outputs"),
        ("goal: x\nexit_criteria: {has_questions: false}", "nobody judges understanding there"),
        ("goal: x\nexit_criteria: {}", "`exit_criteria` is empty"),
        ("goal: x\nmax_decisions: 21", "at least 1 and at most 20"),
        ("goal: x\nmax_decisions: 0", "at least 1 and at most 20"),
        ("goal: x\nallowed_decisions: [RESPOND]", "did you mean `respond`?"),
        ("goal: x\nallowed_decisions: [respond, respond]", "stands here twice"),
        ("goal: x\nallowed_decisions: respond", "a list whose items begin with `- `"),
        (
            "goal: x\nallowed_decisions: [respond, create_node]\nnode_types: [http]",
            "write one of LLM",
        ),
    ],
)
def test_a_mistake_is_told_once(load_config: Load, lines: str, said: str) -> None:
    """Each is one error that says what would be right."""
    (error,) = load_config("ai_agent", lines).errors
    assert said in error.message


def test_an_agent_waits_for_its_client(load_config: Load) -> None:
    """It always hears the client once, so no criterion about silence is reported."""
    lines = "goal: x\noutput: [{get: 目标}]\nexit_criteria: {min_rounds: 2}"
    assert load_config("ai_agent", lines).warnings == ()
