"""What an ai_agent is there for, and what it may decide (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le

from executor_service.scripts.model.exits import AgentCriteria, ExitCriteria, Rounds
from executor_service.scripts.model.fields import Outputs
from executor_service.scripts.model.kinds import WORD, FreeVariable, FullFilledText, Identifier
from executor_service.scripts.model.mapping import Once, OneOf, WrittenAs, mapping
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import NodeType
from heartrule.words.words import say

AGENT_ROUNDS = 10
AGENT_DECISIONS = 3
# Each decision is a step of its turn, and a turn has no more steps than MAX_SILENT_ACTIONS.
MOST_DECISIONS = 20

SAID_DECISIONS = frozenset({DecisionType.RESPOND, DecisionType.REQUEST_CLARIFICATION})
"""The decisions that say something to the client."""

DRAFTING_DECISIONS = (
    DecisionType.CREATE_NODE,
    DecisionType.CREATE_WORKFLOW_PLAN,
    DecisionType.MODIFY_NODE,
    DecisionType.REPLAN_WORKFLOW,
)
"""The decisions that write nodes."""

RUNNING_DECISIONS = (
    DecisionType.EXECUTE_WORKFLOW,
    DecisionType.REPLAN_WORKFLOW,
    DecisionType.SPAWN_SUBAGENT,
)
"""The decisions that begin runs."""

DECIDING_KEYS = ("allowed_decisions", "node_types", "subagent_types", "max_decisions")
"""The keys that an action has no use for which follows the phases of an agent."""


@mapping(
    "ai_agent",
    aliases=dict.fromkeys(("content", "brief", "task"), "goal"),
    why_not={
        "exit": say("why.say_in_goal"),
        "tone": say("why.roles_name_tone"),
        "required": say("why.goal_is_not_outputs"),
    },
)
class AgentConfig:
    """ai_agent: hands the talk to an agent that decides; every decision passes the gate."""

    goal: FullFilledText
    """What the agent is there for, and when that is reached."""
    agent: Identifier | None = None
    """The agent whose phases are followed; None: a model decides what comes next."""
    allowed_decisions: Annotated[
        tuple[Annotated[DecisionType, WORD], ...],
        Once("decision", text="freely_twice"),
        OneOf(SAID_DECISIONS),
    ] = (DecisionType.RESPOND, DecisionType.REQUEST_CLARIFICATION, DecisionType.CONTINUE)
    """The types of decisions it may make."""
    node_types: Annotated[
        tuple[Annotated[NodeType, WORD], ...], Once(say("noun.node_type"), text="freely_twice")
    ] = ()
    """The types of nodes it may draft; none: all that the installation allows."""
    subagent_types: Annotated[tuple[Identifier, ...], Once("sub-agent", text="freely_twice")] = ()
    """The sub-agents it may ask for."""
    exit_criteria: Annotated[ExitCriteria | None, WrittenAs(AgentCriteria)] = None
    output: Outputs = ()
    run_output: FreeVariable | None = None
    """The variable that gets the result of a run; None: none does."""
    max_rounds: Rounds = AGENT_ROUNDS
    max_decisions: Annotated[int, Ge(1), Le(MOST_DECISIONS)] = AGENT_DECISIONS
    """Decisions of one turn; each counts, the rejected ones too."""


def lands_in(action_config: object) -> str:
    """Return the variable that gets the result of a run that an action begins; empty: none."""
    return (action_config.run_output or "") if isinstance(action_config, AgentConfig) else ""
