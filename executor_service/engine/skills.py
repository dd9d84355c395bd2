"""The inputs and the outputs of a skill (SCRIPT-LANGUAGE, use_skill; C34)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from executor_service.actions.prompting import missing_degradations
from executor_service.scripts.model.actions import SkillConfig
from executor_service.scripts.model.fields import SkillInput
from executor_service.scripts.model.script import Technique
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.domain.problem import Degradation
from heartrule.domain.variables import VariableValue
from heartrule.model.reply.convert import Unconvertible, convert
from heartrule.model.template_filling import fill


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """Values that a skill takes in."""

    values: Mapping[str, JsonValue]
    degradations: tuple[Degradation, ...]


def handed_in(
    config: SkillConfig, technique: Technique, outside: VariableStore, system: Mapping[str, str]
) -> Handed:
    """Return the inputs of a skill in the types its technique gives them, else as text.

    A text of which nothing is left, since no variable fills it, is not given: what the technique
    declares counts. "" that an author wrote, or that a variable holds, is a value.

    Args:
        config: The use_skill; a text is filled once, from the variables outside.
        technique: What it runs.
        outside: The variables outside the skill.
        system: System variables a script's text may name.
    """
    types = {parameter.name: parameter.type for parameter in technique.input_parameters}
    values: dict[str, JsonValue] = {}
    found: list[Degradation] = []
    for given in config.input:
        text, missing = _filled(given, outside, system)
        found.extend(missing_degradations(missing))
        if missing and not str(text).strip():
            continue
        value = _typed(text, types.get(given.name, OutputType.TEXT))
        if isinstance(value, Unconvertible):
            facts = {"skill": config.skill, "variable": given.name}
            found.append(Degradation.of("variables", "INPUT_NOT_CONVERTED", **facts))
        else:
            values[given.name] = value
    return Handed(values=values, degradations=tuple(found))


def handed_out(
    config: SkillConfig, inside: Mapping[str, VariableValue]
) -> tuple[dict[str, VariableValue], tuple[Degradation, ...]]:
    """Return what a skill yields, by the names outside; what it never set stays unset."""
    yielded = {
        each.get: held
        for each in config.outputs
        if (held := inside.get(each.source)) is not None and held.value is not None
    }
    found = (
        Degradation.of("variables", "SKILL_OUTPUT_UNSET", skill=config.skill, variable=each.source)
        for each in config.outputs
        if each.get not in yielded
    )
    return yielded, tuple(found)


def _filled(
    given: SkillInput, outside: VariableStore, system: Mapping[str, str]
) -> tuple[str | float | bool, tuple[str, ...]]:
    if not isinstance(given.value, str):
        return given.value, ()
    filled = fill(given.value, system, outside.visible())
    return filled.text, filled.missing


def _typed(text: str | float | bool, kind: OutputType) -> JsonValue | Unconvertible:  # noqa: FBT001 - a value
    """Return an input in its parameter's type; a declared choice has no options: any text fits."""
    if kind not in {OutputType.TEXT, OutputType.CHOICE}:
        return convert(text, kind)
    return convert(text, OutputType.TEXT) if text != "" else ""
