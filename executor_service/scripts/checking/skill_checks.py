"""What a use_skill must agree with: the inputs and outputs of the technique it names."""

from __future__ import annotations

from collections.abc import Sequence

from executor_service.scripts.checking.context import LoadedTechnique, ReadContext
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.actions import SkillConfig
from executor_service.scripts.model.fields import SkillInput, SkillOutput
from executor_service.scripts.model.limits import MAX_ACTIONS
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.script import InputParameter
from executor_service.scripts.model.wording import hint, quoted
from heartrule.domain.output_type import OutputType
from heartrule.model.reply.convert import Unconvertible, convert
from heartrule.model.template_filling import placeholders
from heartrule.words.words import say


def check_skill(section: Section, made: SkillConfig, reader: Reader) -> SkillConfig:
    """Return a use_skill held against the technique it names."""
    context = reader.context
    found = context.use_technique(made.skill, section.spot_of("skill"), context)
    if found is not None:
        _count(found, section, context)
        _check_inputs(section, made, found)
    types = found.types if found is not None else {}
    outputs = {}
    for inner, output in section.inner.get("output", ()):
        if found is not None and output.source:
            known = found.technique.output_variables
            _check_known(output.source, known, inner, "from")
        if output.get and output.get not in outputs:
            kind = _type(inner, output, reader, types.get(output.source))
            outputs[output.get] = changed(output, type=kind)
            if found is not None and output.source in found.lists:
                context.lists.add(output.get)
    return changed(made, outputs=tuple(outputs.values()))


def _count(found: LoadedTechnique, config: Section, context: ReadContext) -> None:
    """Add what runs inside to what the script has."""
    # A script of many uses of one technique is bounded like one that repeats its actions.
    before = context.actions + context.inner_actions
    context.inner_actions += found.actions
    context.height = max(context.height, found.height)
    if before <= MAX_ACTIONS < before + found.actions:
        config.report("too_many_with_skills", "skill", max_actions=MAX_ACTIONS)


def _check_inputs(section: Section, made: SkillConfig, found: LoadedTechnique) -> None:
    parameters = {each.name: each for each in found.technique.input_parameters}
    given = section.inner.get("input", [])
    for inner, each in given:
        if each.name:
            _check_known(each.name, tuple(parameters), inner, "name")
            _check_value(each, parameters.get(each.name), inner)
    names = {each.name for _, each in given}
    for name, parameter in parameters.items():
        if parameter.required and name not in names:
            section.report("input_needed", "skill", skill=made.skill, name=name)


def _check_value(given: SkillInput, parameter: InputParameter | None, section: Section) -> None:
    """Report a value without placeholders that can never have the type its parameter takes."""
    if parameter is None or not section.fits("value"):
        return
    value, kind = given.value, parameter.type
    if kind in {OutputType.TEXT, OutputType.CHOICE}:
        return
    fixed = not isinstance(value, str) or not placeholders(value)
    if fixed and isinstance(convert(value, kind), Unconvertible):
        section.report("unfit_input", "value", name=given.name, kind=kind, value=quoted(str(value)))


def _check_known(name: str, known: Sequence[str], section: Section, key: str) -> None:
    if name in known:
        return
    advice = hint(name, known, say("hint.it_has", known=tuple(known)))
    kind = say("noun.input_parameter") if key == "name" else say("noun.output_variable")
    section.report("unknown_in_skill", key, kind=kind, name=quoted(name), hint=advice)


def _type(
    section: Section, made: SkillOutput, reader: Reader, inner: OutputType | None
) -> OutputType:
    name, declared = made.get, reader.declared_type(made.get)
    kind = inner or declared or OutputType.TEXT
    if declared is not None and declared is not kind:
        section.report("skill_conflict", "get", name=name, declared=declared, kind=kind)
    reader.yields(name, kind, section.spot_of("get"))
    return kind
