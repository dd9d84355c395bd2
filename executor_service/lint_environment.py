"""What this installation offers to scripts, read from its templates."""

from __future__ import annotations

from executor_service.scripts.environment import LintEnvironment
from heartrule.domain.errors import HeartRuleError
from heartrule.model.template_store import TemplateStore


def lint_environment(templates: TemplateStore) -> LintEnvironment:
    """Return the schemes and what their templates ask for."""

    def asks(scheme: str, template: str) -> frozenset[str]:
        try:
            return frozenset(templates.get(template, scheme).asks)
        except HeartRuleError:
            return frozenset()

    return LintEnvironment(
        schemes=frozenset(templates.schemes()),
        asks=asks,
    )
