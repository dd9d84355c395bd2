"""Reads the files of `_system`: templates, techniques, and data for scripts and sessions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from executor_service.exits.hints import ExitHints, load_exit_hints
from executor_service.safety.reloading_rules import ReloadingRules
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import MAX_BUNDLE_BYTES, Bundle
from executor_service.strategy.profile import StrategyProfiles, load_profiles
from executor_service.variables.keywords import KeywordTable, load_keywords
from heartrule.domain.errors import HeartRuleError
from heartrule.model.template_store import TemplateStore

# No dot and no slash: the id becomes part of a file path.
_SKILL_ID = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The files of `_system`, read once; any number of executors may share them."""

    templates: TemplateStore
    keywords: KeywordTable
    exit_hints: ExitHints
    profiles: StrategyProfiles
    crisis: ReloadingRules
    environment: LintEnvironment

    def environment_of(self, bundle: Bundle) -> LintEnvironment:
        """Return what a script may use: this, and the pictures of its bundle."""
        return replace(self.environment, assets=frozenset(bundle.assets))


def read_installation(root: Path) -> Installation:
    """Return the installation of the folder `_system` at `root`."""
    config = root / "config"
    templates, keywords = TemplateStore(config), load_keywords(config)
    return Installation(
        templates=templates,
        keywords=keywords,
        exit_hints=load_exit_hints(config),
        profiles=load_profiles(config),
        crisis=ReloadingRules(root / "safety"),
        environment=lint_environment(templates, root / "skills", keywords),
    )


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
