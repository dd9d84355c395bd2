"""What an installation offers to scripts, read from its files when checking a script asks for it.

It is pickled as the paths of those files: workers check scripts with it, and import little else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from executor_service.safety.opt_out import OptOutPolicy
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import MAX_BUNDLE_BYTES
from executor_service.scripts.model.agent_file import KnownAgent
from executor_service.scripts.model.findings import Located
from executor_service.variables.keywords import KeywordTable
from executor_service.workflows.plan_facts import PlanFacts
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.model.template import Template
from heartrule.model.template_store import TemplateStore

# No dot and no slash: the id becomes part of a file path.
_SKILL_ID = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class _Offered:
    """The files that checking a script may look into."""

    templates: TemplateStore
    skills: Path | None
    system: Path | None = None

    def agents(self) -> Mapping[str, KnownAgent] | None:
        """Return the agents of the installation; None where they cannot be told."""
        if self.system is None:
            return None
        # They bring the parts of threads along, which scripts without agents do not need.
        from executor_service.installed_agents import installed_agents

        try:
            return installed_agents(self.system).known()
        except HeartRuleError:
            return None

    def asks(self, scheme: str, template: str) -> frozenset[str]:
        """Return the reply groups that a template asks for; none where it cannot be read."""
        found = self._found(scheme, template)
        return frozenset(found.asks if found else ())

    def layer(self, scheme: str, template: str) -> str:
        """Return the layer of a template; "" where it cannot be read."""
        found = self._found(scheme, template)
        return found.layer if found else ""

    def broken(self, scheme: str, template: str) -> str:
        """Return what is wrong with the scheme's file, in whose place another one stands."""
        try:
            found = self.templates.get(template, scheme)
        except HeartRuleError as error:
            return error.message if error.reason == "INVALID_TEMPLATE" else ""
        wrong = (
            each.message for each in self.templates.broken() if each.source == found.instead_of
        )
        return next(wrong, "")

    def older(self, scheme: str, template: str) -> str:
        """Return the sections of a scheme's template without a shape; "" where all have one."""
        found = self._found(scheme, template)
        return ", ".join(found.older_sections) if found and not found.is_default else ""

    def _found(self, scheme: str, template: str) -> Template | None:
        try:
            return self.templates.get(template, scheme)
        except HeartRuleError:
            return None

    def skill(self, name: str) -> bytes | None:
        """Return a technique file, at most one byte more than a bundle may hold; None without."""
        if self.skills is None or _SKILL_ID.fullmatch(name) is None:
            return None
        try:
            with (self.skills / f"{name}.yaml").open("rb") as file:
                return file.read(MAX_BUNDLE_BYTES + 1)
        except OSError:
            return None


@dataclass(frozen=True, slots=True)
class WorkflowCheck:
    """Judges the workflows of a bundle; the rules are imported with the first one."""

    facts: PlanFacts | None = None
    """What they are judged by; None: whether each can be read."""

    def __call__(self, files: Mapping[str, bytes]) -> tuple[Located, ...]:
        """Return what is wrong with them."""
        if not files:
            return ()
        from executor_service.workflows.bundled_workflows import check_bundled

        return check_bundled(files, self.facts)


def judged_by(
    environment: LintEnvironment, facts: PlanFacts, opt_outs: OptOutPolicy
) -> LintEnvironment:
    """Return what a script is checked against where workflows are judged by these facts too."""
    may = opt_outs.allows(DEFAULT_TENANT)
    return replace(environment, may_opt_out=may, workflows=WorkflowCheck(facts))


def lint_environment(
    templates: TemplateStore,
    skills: Path | None = None,
    keywords: KeywordTable | None = None,
    system: Path | None = None,
) -> LintEnvironment:
    """Return the environment that scripts of an installation are checked against.

    Of workflows it says whether each can be read: what they may do is not a matter of its files.

    Args:
        templates: Its schemes, and what their templates ask for.
        skills: Its technique files.
        keywords: The scopes that names of variables imply; None: none of them does.
        system: The folder that its folder `agents` is in.
    """
    offered = _Offered(templates, skills, system)
    return LintEnvironment(
        schemes=frozenset(templates.schemes()),
        asks=offered.asks,
        layer=offered.layer,
        broken=offered.broken,
        older=offered.older,
        skill=offered.skill,
        skill_names=_names(skills),
        scope_of=(keywords or KeywordTable()).scope_of,
        workflows=WorkflowCheck(),
        agents=offered.agents,
    )


def _names(folder: Path | None) -> frozenset[str]:
    return frozenset(() if folder is None else (path.stem for path in folder.glob("*.yaml")))
