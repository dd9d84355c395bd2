"""The checks that are made on a mapping as soon as it was read, by its model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import urlsplit

from executor_service.scripts.checking.agent_checks import check_agent, check_agent_criteria
from executor_service.scripts.checking.collect_checks import check_collect, check_record_field
from executor_service.scripts.checking.context import LoadedTechnique, ReadContext
from executor_service.scripts.checking.exit_checks import (
    check_action,
    check_condition,
    check_criteria,
    check_form_criteria,
    check_policy,
    check_say_criteria,
)
from executor_service.scripts.checking.limits import MAX_ACTIONS
from executor_service.scripts.checking.output_checks import (
    check_ask,
    check_field,
    check_output,
    check_say,
    check_think,
)
from executor_service.scripts.loading.bundle import ASSETS_FOLDER, path_problem
from executor_service.scripts.loading.mapping_reader import Check, Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.actions import (
    AskConfig,
    FormConfig,
    PictureConfig,
    SayConfig,
    SkillConfig,
    SkillInput,
    SkillOutput,
    ThinkConfig,
)
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.exits import (
    AgentCriteria,
    CustomCondition,
    ExitPolicyKeys,
    FormCriteria,
    SayCriteria,
)
from executor_service.scripts.model.fields import Collect, FormField, Output, RecordField
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.script import Action, InputParameter
from executor_service.scripts.model.settings import (
    Cadence,
    MonitorRule,
    RoleDefinition,
    SafetyMode,
    SafetySettings,
)
from executor_service.scripts.model.wording import hint, nearest, quoted
from heartrule.domain.output_type import OutputType
from heartrule.model.reply.convert import Unconvertible, convert
from heartrule.model.template_filling import placeholders

# These fill {who} and {user}; any other role is for the author's own texts.
SPEAKERS = ("counsellor", "client")
_ALIKE = 0.85  # two roles of an author, such as client and clients, are rarely this alike


def _check_role(section: Section, made: RoleDefinition, _reader: Reader) -> RoleDefinition:
    meant = nearest(made.role, SPEAKERS, likeness=_ALIKE)
    if made.role not in SPEAKERS and meant:
        section.report("unknown_role", "role", role=quoted(made.role), meant=meant)
    return made


def _check_monitor(section: Section, made: MonitorRule, _reader: Reader) -> MonitorRule:
    """Return a rule that has `n` with `every_n`, which needs it, and with no other cadence."""
    if made.cadence is Cadence.EVERY_N:
        if not section.has("n"):
            section.missing("n", "; write how many rounds lie between two analyses")
        return made
    if section.has("n"):
        section.report_key("idle_n", "n")
    return changed(made, n=None)


def _check_safety(section: Section, made: SafetySettings, reader: Reader) -> SafetySettings:
    """Return `safety`; without the crisis path it says why, where it may be without."""
    if made.mode is not SafetyMode.OFF:
        return made
    if not made.reason:
        section.missing("reason", "; say why this script needs no crisis path")
    if not reader.context.environment.may_opt_out:
        section.report("opt_out_forbidden", "mode")
    return made


def _check_form(section: Section, made: FormConfig, _reader: Reader) -> FormConfig:
    check_criteria(section, made)
    return made


def _check_picture(section: Section, made: PictureConfig, reader: Reader) -> PictureConfig:
    """Return a show_pic; a source that cannot be shown is reported."""
    source, shown = made.source, quoted(made.source)
    if not source:
        return made
    if "{" in source:
        section.report("source_placeholder", "source")
    elif not source.startswith(ASSETS_FOLDER):
        if not _is_https(source):
            section.report("source_elsewhere", "source", source=shown, folder=ASSETS_FOLDER)
    elif problem := path_problem(source):
        section.report("source_unsafe", "source", source=shown, problem=problem)
    else:
        _check_file(source, section, reader)
    return made


def _check_file(source: str, section: Section, reader: Reader) -> None:
    context = reader.context
    known = context.environment.assets
    if known is None or source in known or source in context.files:
        return
    own = [path for path in context.files if path.startswith(ASSETS_FOLDER)]
    advice = hint(source, (*own, *known), f"put it into {ASSETS_FOLDER} beside the script")
    section.report("missing_picture", "source", source=quoted(source), hint=advice)


def _is_https(source: str) -> bool:
    try:
        parts = urlsplit(source)
        plain = source.isprintable() and " " not in source
        return parts.scheme == "https" and bool(parts.hostname) and plain
    except ValueError:
        return False


def _check_skill(section: Section, made: SkillConfig, reader: Reader) -> SkillConfig:
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
    advice = hint(name, known, f"it has: {', '.join(known) or 'none'}")
    kind = "input parameter" if key == "name" else "output variable"
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


CHECKS: Mapping[type, Check] = MappingProxyType(
    {
        RoleDefinition: _check_role,
        MonitorRule: _check_monitor,
        SafetySettings: _check_safety,
        Output: check_output,
        Collect: check_collect,
        RecordField: check_record_field,
        AskConfig: check_ask,
        SayConfig: check_say,
        ThinkConfig: check_think,
        FormField: check_field,
        FormConfig: _check_form,
        AgentConfig: check_agent,
        Action: check_action,
        ExitPolicyKeys: check_policy,
        FormCriteria: check_form_criteria,
        AgentCriteria: check_agent_criteria,
        SayCriteria: check_say_criteria,
        CustomCondition: check_condition,
        SkillConfig: _check_skill,
        PictureConfig: _check_picture,
    }
)
