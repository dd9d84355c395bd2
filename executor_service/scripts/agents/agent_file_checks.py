"""What the keys of an agent in YAML must agree with: each other, its prompts, other agents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from executor_service.scripts.agents.agent_nesting import AgentNesting
from executor_service.scripts.agents.agent_phase_checks import (
    Placed,
    check_beginning,
    check_order,
    check_phase,
    check_two_steps,
)
from executor_service.scripts.checking.collect_checks import choice_options
from executor_service.scripts.loading.mapping_reader import Check, Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import MapNode
from executor_service.scripts.model.agent_file import (
    OWN_NAMES,
    AgentFile,
    AgentInput,
    AgentKind,
    AgentOutput,
    KnownAgent,
)
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.wording import hint, quoted
from heartrule.domain.output_type import OutputType
from heartrule.domain.threads import DEEPEST_THREAD
from heartrule.words.words import say


def _check_input(section: Section, made: AgentInput, _reader: Reader) -> AgentInput:
    if made.name in OWN_NAMES:
        section.report("own_name", "name", name=made.name)
    return made


def _check_output(section: Section, made: AgentOutput, _reader: Reader) -> AgentOutput:
    if made.get in OWN_NAMES:
        section.report("own_name", "get", name=made.get)
    return changed(made, options=choice_options(section, made.type, made.options))


def _check_agent_file(section: Section, made: AgentFile, reader: Reader) -> AgentFile:
    """Return an agent whose phases fit its kind and lead to an end; what does not is reported."""
    phases = placed_phases(section)
    if "kind" in section.broken:
        return made  # what its phases may have is not known
    for inner, phase in phases:
        check_phase(inner, phase, made.kind)
        _read_handed(inner, reader)
    check_order(phases, section)
    (check_two_steps if made.kind is AgentKind.MAIN else check_beginning)(phases)
    known = _check_values(made, phases)
    for inner, phase in phases:
        if phase.each and phase.each not in known:
            advice = hint(phase.each, known, say("hint.known_are", known=tuple(known)))
            inner.report("unknown_each", "each", name=quoted(phase.each), hint=advice)
    return made


def placed_phases(section: Section) -> list[Placed]:
    """Return the phases of an agent that was read, with their sections."""
    return section.inner.get("phases", [])


def _read_handed(section: Section, reader: Reader) -> None:
    """Note the placeholders of what a nested thread is handed."""
    node = section.node("input")
    for entry in node.entries.values() if isinstance(node, MapNode) else ():
        reader.reads_text(entry.value)


def _check_values(made: AgentFile, phases: list[Placed]) -> dict[str, OutputType | None]:
    """Return the names of what texts may read; outputs of one name have one type."""
    known: dict[str, OutputType | None] = dict.fromkeys(each.name for each in made.input)
    for section, _ in phases:
        for inner, output in section.inner.get("output", ()):
            first = known.setdefault(output.get, output.type)
            if first is not None and first is not output.type:
                facts = {"name": output.get, "kind": output.type, "first": first}
                inner.report("agent_output_conflict", "get", **facts)
    return known


def check_reads(made: AgentFile, reader: Reader) -> None:
    """Warn of placeholders that nothing fills."""
    known = {*(each.name for each in made.input), *(each.get for each in made.outputs())}
    for placed in reader.context.reads:
        read = placed.read
        if read.system_only:
            reader.context.findings.report("unfilled_system_variable", read.spot, name=read.name)
        elif read.name not in known | OWN_NAMES:
            advice = hint(read.name, known, say("hint.agent_value"))
            reader.context.findings.report("empty_unknown", read.spot, name=read.name, hint=advice)


def check_nested(
    section: Section, made: AgentFile, nesting: AgentNesting, broken: Collection[str] = ()
) -> None:
    """Report agents of nested threads that are not there, do not fit, or lead back to this one.

    Args:
        section: The agent's keys, read.
        made: What was made of them.
        nesting: All that may be named, this one among them.
        broken: Those of them whose own files have mistakes; what they take is not known.
    """
    for inner, phase in placed_phases(section):
        nested = phase.agent
        if not nested:
            continue
        known = nesting.agents.get(nested)
        if known is None:
            advice = hint(
                nested, nesting.agents, say("hint.put_into", path=f"agents/{nested}/agent.yaml")
            )
            inner.report("unknown_agent", "agent", agent=quoted(nested), hint=advice)
            continue
        if known.kind is AgentKind.MAIN:
            inner.report("main_as_nested", "agent", agent=quoted(nested))
            continue
        if nested not in broken:
            _check_handed(inner, nested, known)
        if way := nesting.way_back(made.agent_id, nested):
            inner.report("agent_in_itself", "agent", way=" → ".join(way))
        elif nesting.is_too_deep(made.kind, nested):
            way_in = f"{made.agent_id} → {nested}"
            inner.report("agents_too_deep", "agent", most=DEEPEST_THREAD, way=way_in)


def _check_handed(section: Section, agent: str, known: KnownAgent) -> None:
    node = section.node("input")
    given = node.entries if isinstance(node, MapNode) else {}
    for key, entry in given.items():
        if key not in known.input_schema:
            taken = tuple(known.input_schema)
            advice = hint(
                key,
                taken,
                say("hint.it_takes", taken=taken) if taken else say("hint.takes_nothing"),
            )
            facts = {"agent": agent, "name": quoted(key), "hint": advice}
            section.findings.report("unknown_agent_input", entry.key, **facts)
    for key, parameter in known.input_schema.items():
        if parameter.is_required and parameter.default is None and key not in given:
            section.report("agent_input_needed", "agent", agent=agent, name=key)


AGENT_CHECKS: Mapping[type, Check] = MappingProxyType(
    {AgentInput: _check_input, AgentOutput: _check_output, AgentFile: _check_agent_file}
)
"""Made on the mappings of an agent as soon as they were read."""
