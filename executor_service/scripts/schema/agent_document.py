"""The JSON Schema of an agent in YAML, made from the models and tables that check it."""

from __future__ import annotations

from collections.abc import Iterator

from executor_service.scripts.agents.agent_phase_checks import KEYS, NEEDED, OF_RULE, OPTIONAL
from executor_service.scripts.model.agent_file import (
    AgentFile,
    AgentInput,
    AgentKind,
    AgentOutput,
    AgentPhase,
    HandlerKind,
    PhaseFeedback,
    UnitKind,
)
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.schema.mapping_schema import (
    NAMES,
    Schema,
    has,
    mapping_schema,
    must,
    one_of,
    unless,
    when,
    without,
)
from heartrule.domain.output_type import OutputType

_ENDS: Schema = has("terminal", {"const": True})
_CHOICE: Schema = one_of("type", [OutputType.CHOICE])


def agent_schema() -> Schema:
    """Return the schema of an agent.yaml, with all its definitions."""
    defined = {
        AgentInput: [],
        AgentOutput: [when(_CHOICE, must("options")), unless(_CHOICE, without("options"))],
        PhaseFeedback: list(_of_feedback()),
        AgentPhase: [*_of_speakers(), *_of_requesters(), _of_terminal()],
    }
    made = {
        shape_of(model).definition: mapping_schema(model, rules=rules)
        for model, rules in defined.items()
    }
    root = mapping_schema(AgentFile, rules=_of_kinds())
    return {**root, "$defs": {**made, **NAMES}}


def _written(key: str) -> Schema:
    """Return the demand that a key has a text."""
    return {"required": [key], "properties": {key: {"type": "string", "pattern": r"\S"}}}


def _of_speakers() -> Iterator[Schema]:
    """Yield which keys whoever speaks in a phase has, and which it needs."""
    for speaker, keys in KEYS.items():
        needed: list[Schema] = [_written(key) for key in (*NEEDED.get(speaker, ()), "next")]
        others = [key for key in OPTIONAL if key not in keys]
        spoken = one_of("handler" if speaker in set(HandlerKind) else "unit", [speaker])
        yield when(spoken, {"allOf": [*needed, without(*others)]})


def _of_requesters() -> Iterator[Schema]:
    """Yield what a requester has with an agent, and without one."""
    nested, plain = without("text", "prompt"), without("each", "input")
    demand: Schema = {"if": must("agent"), "then": nested, "else": plain}
    yield when(one_of("unit", [UnitKind.REQUESTER]), demand)


def _of_terminal() -> Schema:
    return when(_ENDS, without("handler", "unit", "next", *OPTIONAL))


def _of_feedback() -> Iterator[Schema]:
    for key, rule in OF_RULE.items():
        ruled = one_of("rule", [rule])
        yield {"if": ruled, "then": _written(key), "else": without(key)}


def _of_kinds() -> Iterator[Schema]:
    """Yield who speaks in the phases of each kind of agent, and who answers there."""
    by_client: Schema = {"properties": {"feedback": without("text", "then")}}
    by_unit = when(
        has("feedback", {"type": "object"}), {"properties": {"feedback": _written("text")}}
    )
    main = _each_phase(_speaks("handler"), without("unit"), by_client)
    sub_thread = _each_phase(_speaks("unit"), without("handler"), by_unit)
    yield {"if": one_of("kind", [AgentKind.MAIN]), "then": main, "else": sub_thread}


def _speaks(key: str) -> Schema:
    return unless(_ENDS, must(key))


def _each_phase(*demands: Schema) -> Schema:
    return {"properties": {"phases": {"items": {"allOf": list(demands)}}}}
