"""The checks that are made on a mapping as soon as it was read, by its model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from executor_service.scripts.checking.exit_checks import check_condition, check_form_criteria
from executor_service.scripts.checking.form_checks import check_field, check_form
from executor_service.scripts.checking.output_checks import (
    check_ask,
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
from executor_service.scripts.model.exits import CustomCondition, FormCriteria
from executor_service.scripts.model.fields import FormField, Output
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.rules import CheckRule
from executor_service.scripts.model.settings import Cadence, MonitorRule, RoleDefinition
from executor_service.scripts.model.wording import nearest, quoted

SPEAKERS = ("counsellor", "client")
"""The roles that fill {who} and {user}; any other is for the author's own texts."""
_ALIKE = 0.85  # two roles of an author, such as client and clients, are rarely this alike


def _check_role(section: Section, made: RoleDefinition, reader: Reader) -> RoleDefinition:
    del reader
    meant = nearest(made.role, SPEAKERS, likeness=_ALIKE)
    if made.role not in SPEAKERS and meant:
        section.findings.report(
            "unknown_role", section.spot_of("role"), role=quoted(made.role), meant=meant
        )
    return made


def _check_monitor(section: Section, made: MonitorRule, reader: Reader) -> MonitorRule:
    """Return a rule whose `n` stands with `every_n`, which needs it, and with no other cadence."""
    del reader
    if made.cadence is Cadence.EVERY_N:
        if not section.has("n"):
            section.missing("n", "; write how many rounds lie between two analyses")
        return made
    if section.has("n"):
        section.findings.report("idle_n", section.key_spot("n"))
    return changed(made, n=None)


def check_picture(section: Section, made: PictureConfig, reader: Reader) -> PictureConfig:
    """Return a show_pic; a source that cannot be shown is reported."""
    source = made.source
    problem = _problem(source) if source else ""
    if problem:
        section.findings.error(section.spot_of("source"), problem, CheckRule.BAD_SOURCE)
    elif source.startswith(ASSETS_FOLDER):
        _check_file(source, section, reader)
    return made


def _problem(source: str) -> str:
    """Return why `source` is no place of a picture; "" when it is one."""
    if "{" in source:
        return "`source` is fixed; a placeholder cannot stand in it"
    if not source.startswith(ASSETS_FOLDER):
        if _is_https(source):
            return ""
        wanted = f"write an https address, or a path below {ASSETS_FOLDER}"
        return f"`source` is {quoted(source)}; {wanted}"
    unsafe = path_problem(source)
    return f"`source` is {quoted(source)}; {unsafe}" if unsafe else ""


def _check_file(source: str, section: Section, reader: Reader) -> None:
    context = reader.spotter.context
    known = context.environment.assets
    if known is None or source in known or source in context.files:
        return
    own = [path for path in context.files if path.startswith(ASSETS_FOLDER)]
    meant = nearest(source, (*own, *known))
    hint = f"did you mean `{meant}`?" if meant else f"put it into {ASSETS_FOLDER} beside the script"
    section.findings.report(
        "missing_picture", section.spot_of("source"), source=quoted(source), hint=hint
    )


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
        Output: check_output,
        AskConfig: check_ask,
        SayConfig: check_say,
        ThinkConfig: check_think,
        FormField: check_field,
        FormConfig: check_form,
        FormCriteria: check_form_criteria,
        CustomCondition: check_condition,
        SkillConfig: check_skill,
        PictureConfig: check_picture,
    }
)
