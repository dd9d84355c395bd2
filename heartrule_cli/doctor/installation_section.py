"""This installation: Python, packages, the system files, and the folder of conversations."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from heartrule import __version__
from heartrule.words.words import say
from heartrule_cli.doctor.findings import DoctorFinding, DoctorSection, FindingLevel
from heartrule_cli.failure import Failure
from heartrule_cli.scripts import scripts_below, system_folder
from heartrule_cli.services.running_services import FOLDER

_OLDEST = (3, 11)
_PACKAGES = ("aiohttp", "dbos", "grpcio", "openai", "protobuf", "pydantic", "sqlalchemy")


def installation_section(environ: Mapping[str, str]) -> DoctorSection:
    """Return what runs here, and whether this folder can be written."""
    findings = (*_versions(), _system(environ), *_folder(Path.cwd()))
    return DoctorSection(title=say("cli.doctor.installation"), findings=findings)


def _versions() -> Iterator[DoctorFinding]:
    yield DoctorFinding(subject="heartrule", text=__version__)
    is_old = sys.version_info[:2] < _OLDEST
    yield DoctorFinding(
        subject="python",
        text=f"{platform.python_version()} ({sys.executable})",
        level=FindingLevel.ERROR if is_old else FindingLevel.OK,
        remedy=say("cli.doctor.old_python") if is_old else "",
    )
    found, missing = [], []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    yield DoctorFinding(subject=say("cli.doctor.packages"), text=", ".join(found))
    if missing:
        yield DoctorFinding(
            subject=say("cli.doctor.packages"),
            text=say("cli.doctor.missing", names=tuple(missing)),
            level=FindingLevel.ERROR,
            remedy=say("cli.doctor.missing_remedy"),
        )


def _system(environ: Mapping[str, str]) -> DoctorFinding:
    try:
        folder = system_folder(environ)
    except Failure as failure:
        return DoctorFinding(
            subject=say("cli.doctor.system_files"),
            text=failure.message,
            level=FindingLevel.ERROR,
            remedy=say("cli.doctor.system_files_remedy"),
        )
    examples, _ = scripts_below(folder / "scripts")
    text = say("cli.doctor.examples", folder=str(folder), count=len(examples))
    return DoctorFinding(subject=say("cli.doctor.system_files"), text=text)


def _folder(here: Path) -> Iterator[DoctorFinding]:
    """Yield whether services may write here, and whether others may read what they write."""
    kept = here / FOLDER
    place = kept if kept.is_dir() else here
    is_writable = os.access(place, os.W_OK | os.X_OK)
    yield DoctorFinding(
        subject=say("cli.doctor.folder"),
        text=say(
            "cli.doctor.writable" if is_writable else "cli.doctor.not_writable", folder=str(place)
        ),
        level=FindingLevel.OK if is_writable else FindingLevel.ERROR,
        remedy="" if is_writable else say("cli.doctor.not_writable_remedy"),
    )
    if place is kept and (mode := kept.stat().st_mode & 0o777) & 0o077:
        yield DoctorFinding(
            subject=say("cli.doctor.folder"),
            text=say("cli.doctor.open_to_others", folder=str(FOLDER), mode=f"{mode:o}"),
            level=FindingLevel.WARNING,
            remedy=f"chmod 700 {FOLDER}",
        )
