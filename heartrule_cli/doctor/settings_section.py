"""The settings as they are read: secrets masked, misspelt names, values that nothing takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from executor_service.settings import ExecutorSettings
from gateway_service.settings import GatewaySettings
from heartrule.chassis.settings import PREFIX, Settings, SettingsError, read
from heartrule.words.words import say
from heartrule_cli.arguments.command_parser import guess
from heartrule_cli.doctor.findings import DoctorFinding, DoctorSection, FindingLevel
from heartrule_cli.services.strange_variables import strange_variables
from heartrule_cli.text import one_line
from monitor_service.settings import MonitorSettings

_PREFIXES = (PREFIX, "OPENAI_")
_SECRET = re.compile(r"KEY|TOKEN(?!S)|SECRET|PASSWORD")
# User and password of an address.
_CREDENTIALS = re.compile(r"//[^/@\s]*@")
# The part of an address behind which further credentials may stand.
_QUERY = re.compile(r"\?.*")
_SERVICES: tuple[type[Settings], ...] = (ExecutorSettings, MonitorSettings, GatewaySettings)


def settings_section(environ: Mapping[str, str]) -> DoctorSection:
    """Return a line for each variable that is set, and for each that is wrong."""
    found = (*_set(environ), *_strange(environ), *_wrong(environ))
    nothing = DoctorFinding(
        subject=say("cli.doctor.environment"), text=say("cli.doctor.nothing_set")
    )
    return DoctorSection(title=say("cli.doctor.settings"), findings=found or (nothing,))


def masked(name: str, value: str) -> str:
    """Return a variable's value without what is secret in it."""
    if _SECRET.search(name):
        return "•••"
    return one_line(_QUERY.sub("?•••", _CREDENTIALS.sub("//•••@", value)))


def _set(environ: Mapping[str, str]) -> Iterator[DoctorFinding]:
    for name in sorted(environ):
        if name.startswith(_PREFIXES) and environ[name].strip():
            yield DoctorFinding(subject=one_line(name), text=masked(name, environ[name].strip()))


def _strange(environ: Mapping[str, str]) -> Iterator[DoctorFinding]:
    for name, close in strange_variables(environ).items():
        yield DoctorFinding(
            subject=one_line(name),
            text=say("cli.doctor.unknown_name", guess=guess(close)),
            level=FindingLevel.WARNING,
            remedy=say("cli.doctor.unknown_name_remedy"),
        )


def _wrong(environ: Mapping[str, str]) -> Iterator[DoctorFinding]:
    problems: dict[str, None] = {}
    for settings in _SERVICES:
        try:
            read(settings, environ)
        except SettingsError as error:
            problems |= dict.fromkeys(error.problems)
    for problem in problems:
        yield DoctorFinding(
            subject=say("cli.doctor.wrong"),
            text=one_line(problem),
            level=FindingLevel.ERROR,
            remedy=say("cli.doctor.wrong_remedy"),
        )
