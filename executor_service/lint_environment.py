"""Makes the environment of script checks from an installation's templates and techniques."""

from __future__ import annotations

import re
from pathlib import Path

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import MAX_BUNDLE_BYTES
from executor_service.variables.keywords import KeywordTable
from heartrule.domain.errors import HeartRuleError
from heartrule.model.template_store import TemplateStore

# No dot and no slash: the id becomes part of a file path.
_SKILL_ID = re.compile(r"[A-Za-z0-9_-]+")


def lint_environment(
    templates: TemplateStore,
    skills: Path | None = None,
    keywords: KeywordTable | None = None,
) -> LintEnvironment:
    """Return the environment that scripts of an installation are checked against.

    Args:
        templates: Its schemes, and what their templates ask for.
        skills: Its technique files.
        keywords: The scopes that names of variables imply; None: none of them does.
    """

    def asks(scheme: str, template: str) -> frozenset[str]:
        try:
            return frozenset(templates.get(template, scheme).asks)
        except HeartRuleError:
            return frozenset()

    def layer(scheme: str, template: str) -> str:
        try:
            return templates.get(template, scheme).layer
        except HeartRuleError:
            return ""

    def skill(name: str) -> bytes | None:
        return None if skills is None else _read(skills, name)

    return LintEnvironment(
        schemes=frozenset(templates.schemes()),
        asks=asks,
        layer=layer,
        skill=skill,
        skill_names=_names(skills),
        scope_of=(keywords or KeywordTable()).scope_of,
    )


def _names(folder: Path | None) -> frozenset[str]:
    return frozenset(() if folder is None else (path.stem for path in folder.glob("*.yaml")))


def _read(folder: Path, skill: str) -> bytes | None:
    """Return a technique file, at most one byte more than a bundle may hold; None without one."""
    if _SKILL_ID.fullmatch(skill) is None:
        return None
    try:
        with (folder / f"{skill}.yaml").open("rb") as file:
            return file.read(MAX_BUNDLE_BYTES + 1)
    except OSError:
        return None
