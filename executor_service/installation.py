"""Reads the files of `_system`: templates, techniques, and data for scripts and sessions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from executor_service.actions.outgoing.outgoing_texts import OutgoingTable, load_outgoing_texts
from executor_service.exits.hints import ExitHints, load_exit_hints
from executor_service.installed_agents import installed_agents
from executor_service.lint_installation import lint_environment
from executor_service.monitoring.signal_words import SignalWords, load_signal_words
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import Bundle
from executor_service.strategy.profile import StrategyProfiles, load_profiles
from executor_service.threads.agent_registry import AgentRegistry
from executor_service.variables.keywords import KeywordTable, load_keywords
from heartrule.model.prompt_words import PromptWords, load_prompt_words
from heartrule.model.template_store import TemplateStore
from heartrule.safety.reloading_rules import ReloadingRules

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The files of `_system`, read once; any number of executors may share them."""

    templates: TemplateStore
    keywords: KeywordTable
    exit_hints: ExitHints
    outgoing_texts: OutgoingTable
    words: Mapping[str, PromptWords]
    profiles: StrategyProfiles
    signal_words: SignalWords
    crisis: ReloadingRules
    environment: LintEnvironment
    agents: Callable[[], AgentRegistry]
    """Reads the agents of threads, when a session first asks for one."""

    def environment_of(self, bundle: Bundle) -> LintEnvironment:
        """Return what a script may use: this, and the pictures of its bundle."""
        return replace(self.environment, assets=frozenset(bundle.assets))


def read_installation(root: Path) -> Installation:
    """Return the installation of the folder `_system` at `root`."""
    config = root / "config"
    templates, keywords = TemplateStore(config), load_keywords(config)
    for broken in templates.broken():
        LOG.warning(
            "a template is broken, another one stands for it", extra={"why": broken.message}
        )
    return Installation(
        templates=templates,
        keywords=keywords,
        exit_hints=load_exit_hints(config),
        outgoing_texts=load_outgoing_texts(config),
        words=load_prompt_words(config),
        profiles=load_profiles(config),
        signal_words=load_signal_words(config),
        crisis=ReloadingRules(root / "safety"),
        environment=lint_environment(templates, root / "skills", keywords, root),
        agents=partial(installed_agents, root),
    )
