"""`heartrule doctor`: says what of settings, installation, services and models is wrong."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Mapping

from heartrule.chassis.settings import SettingsError
from heartrule.words.language import language_in
from heartrule.words.words import Said, say
from heartrule_cli.doctor.findings import (
    DoctorFinding,
    DoctorSection,
    FindingLevel,
    closing_line,
    exit_code,
    page_json,
    section_lines,
)
from heartrule_cli.doctor.installation_section import installation_section
from heartrule_cli.doctor.models_section import models_section
from heartrule_cli.doctor.services_section import services_section
from heartrule_cli.doctor.settings_section import settings_section
from heartrule_cli.style import Style, passing_line, style_for
from heartrule_cli.text import json_text


def doctor(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print what was found, section by section; return 0, 1 for warnings or 2 for errors."""
    return asyncio.run(_doctor(args, environ))


async def _doctor(args: Namespace, environ: Mapping[str, str]) -> int:
    style, language = style_for(sys.stdout, environ), language_in(environ)
    is_text = args.format == "text"
    passing = style if is_text else Style(colours=False)
    sections: list[DoctorSection] = []
    looking = _sections(environ, float(args.wait))
    looking_text = f"  {say('cli.doctor.looking').told(language)}"
    while True:
        with passing_line(sys.stdout, passing, looking_text):
            section = await anext(looking, None)
        if section is None:
            break
        sections.append(section)
        if is_text:
            print(*section_lines(section, style, language), "", sep="\n", flush=True)
    page = closing_line(sections, language) if is_text else json_text(page_json(sections, language))
    print(page)
    return exit_code(sections)


async def _sections(environ: Mapping[str, str], wait_s: float) -> AsyncIterator[DoctorSection]:
    yield settings_section(environ)
    yield installation_section(environ)
    try:
        yield await services_section(environ)
    except SettingsError as error:
        yield _unread(say("cli.doctor.services"), error)
    yield await models_section(environ, wait_s)


def _unread(title: Said, error: SettingsError) -> DoctorSection:
    text = say("cli.doctor.unread", why="; ".join(error.problems))
    subject = say("cli.doctor.settings_subject")
    finding = DoctorFinding(subject=subject, text=text, level=FindingLevel.ERROR)
    return DoctorSection(title=title, findings=(finding,))
