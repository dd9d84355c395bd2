"""What an agent may decide, and how it may end."""

from __future__ import annotations

from executor_service.scripts.checking.exit_checks import check_criteria
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.agent_config import (
    DECIDING_KEYS,
    DRAFTING_DECISIONS,
    RUNNING_DECISIONS,
    SAID_DECISIONS,
    AgentConfig,
)
from executor_service.scripts.model.exits import AgentCriteria, ExitCriteria
from heartrule.domain.decisions import DecisionType
from heartrule.domain.output_type import OutputType

_USES = {
    "node_types": DRAFTING_DECISIONS,
    "subagent_types": (DecisionType.SPAWN_SUBAGENT,),
    "run_output": RUNNING_DECISIONS,
}
"""A key → the decisions that read it."""


def check_agent_criteria(_section: Section, made: AgentCriteria, _reader: Reader) -> ExitCriteria:
    """Return the criteria of an agent as those of any action."""
    return ExitCriteria(min_rounds=made.min_rounds, custom_conditions=made.custom_conditions)


def check_agent(section: Section, made: AgentConfig, reader: Reader) -> AgentConfig:
    """Return an ai_agent that can speak; settings that decide nothing are reported."""
    check_criteria(section, made)
    if made.run_output:
        reader.yields(made.run_output, OutputType.TEXT, section.spot_of("run_output"))
    if "allowed_decisions" in section.broken:
        return made
    if made.agent:
        for key in filter(section.has, DECIDING_KEYS):
            section.report_key("idle_with_agent", key, key=key)
        return made
    allowed = frozenset(made.allowed_decisions)
    if not allowed & SAID_DECISIONS:
        needed = " or ".join(each for each in DecisionType if each in SAID_DECISIONS)
        section.report("silent_agent", "allowed_decisions", needed=needed)
    for key, readers in _USES.items():
        if section.has(key) and not allowed & {*readers}:
            section.report_key("idle_types", key, key=key, readers=", ".join(readers))
    return made
