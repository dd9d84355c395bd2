"""The checks that are made on a mapping as soon as it was read, by its model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from executor_service.scripts.checking.agent_checks import check_agent
from executor_service.scripts.checking.collect_checks import check_collect, check_record_field
from executor_service.scripts.checking.exit_checks import (
    check_action,
    check_condition,
    check_criteria,
    check_fewer_criteria,
    check_policy,
)
from executor_service.scripts.checking.output_checks import (
    check_ask,
    check_field,
    check_output,
    check_say,
    check_think,
)
from executor_service.scripts.checking.skill_checks import check_skill
from executor_service.scripts.loading.bundle import ASSETS_FOLDER, path_problem
from executor_service.scripts.loading.mapping_reader import Check, Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.actions import (
    AskConfig,
    FormConfig,
    PictureConfig,
    SayConfig,
    SkillConfig,
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
from executor_service.scripts.model.script import Action
from executor_service.scripts.model.settings import (
    Cadence,
    MonitorRule,
    RoleDefinition,
    SafetyMode,
    SafetySettings,
)
from executor_service.scripts.model.wording import hint, nearest, quoted
from heartrule.words.words import say

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
            section.missing("n", say("advice.every_n"))
        return made
    if section.has("n"):
        section.report_key("idle_n", "n")
    return changed(made, n=None)


def _check_safety(section: Section, made: SafetySettings, reader: Reader) -> SafetySettings:
    """Return `safety`; without the crisis path it says why, where it may be without."""
    if made.mode is not SafetyMode.OFF:
        return made
    if not made.reason:
        section.missing("reason", say("advice.no_crisis_path"))
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
    advice = hint(source, (*own, *known), say("hint.put_beside", folder=ASSETS_FOLDER))
    section.report("missing_picture", "source", source=quoted(source), hint=advice)


def _is_https(source: str) -> bool:
    try:
        parts = urlsplit(source)
        plain = source.isprintable() and " " not in source
        return parts.scheme == "https" and bool(parts.hostname) and plain
    except ValueError:
        return False


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
        **dict.fromkeys((FormCriteria, AgentCriteria, SayCriteria), check_fewer_criteria),
        CustomCondition: check_condition,
        SkillConfig: check_skill,
        PictureConfig: _check_picture,
    }
)
