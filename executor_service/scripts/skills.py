"""use_skill: which technique runs, what it is given, and what is taken from it."""

from __future__ import annotations

from executor_service.scripts.configs import SkillConfig, SkillInput, SkillOutput
from executor_service.scripts.context import MAX_ACTIONS, LoadedTechnique, ReadContext, Spotter
from executor_service.scripts.keys import SKILL_INPUT, SKILL_OUTPUT
from executor_service.scripts.model import InputParameter
from executor_service.scripts.outputs import free_name
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, wrong
from executor_service.scripts.tree import LostNode, MapNode, Node, ScalarNode
from executor_service.scripts.wording import nearest, quoted
from heartrule.domain.output_type import OutputType
from heartrule.model.placeholders import placeholders
from heartrule.model.reply.convert import Unconvertible, convert


def read_skill(config: Section, spotter: Spotter) -> SkillConfig:
    """Return the config of a use_skill, held against the technique it names."""
    skill = config.identifier("skill")
    found = spotter.context.techniques.use(skill, config.spot_of("skill"), spotter.context)
    if found is not None:
        _count(found, config, spotter.context)
    inputs = _inputs(config, spotter, found if skill else None)
    outputs = _outputs(config, spotter, found if skill else None)
    return SkillConfig(skill=skill, input=inputs, outputs=outputs)


def _count(found: LoadedTechnique, config: Section, context: ReadContext) -> None:
    """Add what runs inside to what the script has; a script of skills is bounded as well."""
    before = context.actions + context.inner_actions
    context.inner_actions += found.actions
    context.height = max(context.height, found.height)
    if before <= MAX_ACTIONS < before + found.actions:
        message = f"with the actions of its skills it has more than {MAX_ACTIONS:,} actions"
        config.findings.error(config.spot_of("skill"), message, Rule.TOO_LARGE)


def _inputs(
    config: Section, spotter: Spotter, found: LoadedTechnique | None
) -> tuple[SkillInput, ...]:
    given: dict[str, SkillInput] = {}
    for node in config.items("input"):
        section = _section(node, "an input", "- {name: …, value: …}", config)
        if section is None:
            continue
        name, value = section.variable("name"), _value(section)
        spotter.texts(section, "value")
        if name in given:
            config.findings.error(node, f"the input `{name}` is given twice", Rule.DUPLICATE_NAME)
        if found is not None and name:
            parameters = found.technique.input_parameters
            known = [parameter.name for parameter in parameters]
            _check_known(name, known, section, "name")
            _check_value(value, next((p for p in parameters if p.name == name), None), section)
        given[name] = SkillInput(name=name, value="" if value is None else value)
    for parameter in found.technique.input_parameters if found else ():
        if parameter.required and parameter.name not in given:
            config.findings.error(
                config.spot_of("skill"),
                f"the skill `{config.text('skill')}` needs the input `{parameter.name}`; "
                f"write input: [{{name: {parameter.name}, value: …}}]",
                Rule.SKILL_INTERFACE,
            )
    return tuple(given.values())


def _outputs(
    config: Section, spotter: Spotter, found: LoadedTechnique | None
) -> tuple[SkillOutput, ...]:
    taken: dict[str, SkillOutput] = {}
    for node in config.items("output"):
        section = _section(node, "an output of a skill", "- {get: …, from: …}", config)
        if section is None:
            continue
        name, source = section.variable("get"), section.variable("from")
        name = free_name(name, section.spot_of("get"), section.findings) if name else ""
        if found is not None and source:
            _check_known(source, found.technique.output_variables, section, "from")
        if name in taken:
            config.findings.error(
                node, f"the output `{name}` stands here twice", Rule.DUPLICATE_NAME
            )
        elif name:
            kind = _type(section, name, spotter, found.types.get(source) if found else None)
            taken[name] = SkillOutput(get=name, source=source, type=kind)
    return tuple(taken.values())


def _section(node: Node, what: str, wanted: str, owner: Section) -> Section | None:
    if isinstance(node, MapNode):
        shape = SKILL_INPUT if what == SKILL_INPUT.what else SKILL_OUTPUT
        return Section(node, shape, owner.findings)
    wrong(node, what, wanted, owner.findings)
    return None


def _value(section: Section) -> str | int | float | bool | None:
    node = section.node("value")
    if node is None:
        section.missing("value")
    elif isinstance(node, ScalarNode):
        return node.value.strip() if isinstance(node.value, str) else node.value
    elif not isinstance(node, LostNode):
        wrong(
            node,
            "`value`",
            "a text, a number, true or false; what begins with { must stand in quotes",
            section.findings,
        )
    return None


def _check_value(
    value: str | float | None, parameter: InputParameter | None, section: Section
) -> None:
    """Report a value without placeholders that can never have the type its parameter takes."""
    if value is None or parameter is None:
        return
    name, kind = parameter.name, parameter.type
    if kind in {OutputType.TEXT, OutputType.CHOICE}:
        return
    fixed = not isinstance(value, str) or not placeholders(value)
    if fixed and isinstance(convert(value, kind), Unconvertible):
        section.findings.error(
            section.spot_of("value"),
            f"`{name}` takes {kind.value}; {quoted(str(value))} cannot become one",
            Rule.SKILL_INTERFACE,
        )


def _check_known(name: str, known: tuple[str, ...] | list[str], section: Section, key: str) -> None:
    if name in known:
        return
    meant = nearest(name, known)
    hint = f"did you mean `{meant}`?" if meant else f"it has: {', '.join(known) or 'none'}"
    kind = "input parameter" if key == "name" else "output variable"
    section.findings.error(
        section.spot_of(key),
        f"the skill has no {kind} {quoted(name)}; {hint}",
        Rule.SKILL_INTERFACE,
    )


def _type(section: Section, name: str, spotter: Spotter, inner: OutputType | None) -> OutputType:
    declared = spotter.context.board.explicit_type(name, spotter.topic)
    kind = inner or declared or OutputType.TEXT
    if declared is not None and declared is not kind:
        section.findings.error(
            section.spot_of("get"),
            f"`{name}` is declared as {declared.value}, but the skill gives {kind.value}",
            Rule.TYPE_CONFLICT,
        )
    spotter.yields(name, kind, section.spot_of("get"))
    return kind
