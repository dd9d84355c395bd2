"""What an agent may decide, and how it may end."""

from __future__ import annotations

from pathlib import PurePosixPath

from executor_service.scripts.checking.exit_checks import check_criteria
from executor_service.scripts.loading.bundle import AGENTS_FOLDER
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.agent_config import (
    DECIDING_KEYS,
    DRAFTING_DECISIONS,
    RUNNING_DECISIONS,
    SAID_DECISIONS,
    AgentConfig,
)
from executor_service.scripts.model.agent_file import AgentKind
from executor_service.scripts.model.wording import hint, quoted
from heartrule.domain.decisions import DecisionType
from heartrule.domain.output_type import OutputType
from heartrule.words.words import say

_USES = {
    "node_types": DRAFTING_DECISIONS,
    "subagent_types": (DecisionType.SPAWN_SUBAGENT,),
    "run_output": RUNNING_DECISIONS,
}
"""A key → the decisions that read it."""


def check_agent(section: Section, made: AgentConfig, reader: Reader) -> AgentConfig:
    """Return an ai_agent that can speak; settings that decide nothing are reported."""
    check_criteria(section, made)
    if made.run_output:
        reader.yields(made.run_output, OutputType.TEXT, section.spot_of("run_output"))
    _check_names(section, made, reader)
    if "allowed_decisions" in section.broken:
        return made
    if made.agent:
        for key in filter(section.has, DECIDING_KEYS):
            section.report_key("idle_with_agent", key, key=key)
        return made
    allowed = frozenset(made.allowed_decisions)
    if not allowed & SAID_DECISIONS:
        needed = tuple(each for each in DecisionType if each in SAID_DECISIONS)
        section.report("silent_agent", "allowed_decisions", needed=needed)
    for key, readers in _USES.items():
        if section.has(key) and not allowed & {*readers}:
            section.report_key("idle_types", key, key=key, readers=tuple(readers))
    return made


def _check_names(section: Section, made: AgentConfig, reader: Reader) -> None:
    """Report agents that are neither in the bundle nor installed, or of another kind."""
    named = [("agent", made.agent, AgentKind.MAIN)] if made.agent else []
    named += [("subagent_types", each, AgentKind.SUB_THREAD) for each in made.subagent_types]
    installed = reader.context.environment.agents() if named else None
    if installed is None:
        return
    own = {PurePosixPath(path).parent.name for path in reader.context.files if _is_agent(path)}
    for key, name, kind in named:
        known = installed.get(name)
        if name in own:
            continue  # of which kind it is, its file says, which is not read here
        if known is None:
            advice = hint(
                name,
                (*own, *installed),
                say("hint.put_into", path=f"{AGENTS_FOLDER}{name}/agent.yaml"),
            )
            section.report("unknown_agent", key, agent=quoted(name), hint=advice)
        elif known.kind is not kind:
            facts = {"agent": quoted(name), "kind": known.kind, "wanted": kind}
            section.report("wrong_agent_kind", key, key=key, **facts)


def _is_agent(path: str) -> bool:
    return path.startswith(AGENTS_FOLDER) and path.endswith("/agent.yaml")
