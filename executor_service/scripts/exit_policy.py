"""`exit_policy`: which of the four sources may end an action (document 001 section 3.2.1)."""

from __future__ import annotations

from executor_service.scripts.configs import (
    INTERACTIVE,
    ActionConfig,
    ActionType,
    AskConfig,
    FormConfig,
    SayConfig,
)
from executor_service.scripts.keys import EXIT_POLICY
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section
from executor_service.scripts.tree import ListNode, LostNode, Node, ScalarNode, kind_of
from executor_service.scripts.wording import nearest, quoted
from heartrule.domain.exits import DecisionSource


def read_exit_policy(action: Section, config: ActionConfig, kind: ActionType) -> Sources | None:
    """Return the sources that may end the action; None where the author leaves them alone.

    An action that no source could ever end is refused: it would hold its client for ever.
    """
    if not action.has("exit_policy"):
        return None
    if kind not in INTERACTIVE:
        talkers = ", ".join(each for each in ActionType if each in INTERACTIVE)
        action.findings.error(
            action.key_spot("exit_policy"),
            f"`exit_policy` belongs to {talkers}; {kind.value} ends by itself",
            Rule.MISPLACED_KEY,
        )
        return None
    section = action.section("exit_policy", EXIT_POLICY)
    if section is None:
        return None
    node = section.node("enabled_sources")
    if node is None:
        section.missing("enabled_sources", "; list the sources that may end the action")
        return None
    named = {_source(item, section) for item in section.items("enabled_sources")}
    found = frozenset(source for source in named if source is not None)
    if isinstance(node, ListNode) and None not in named:
        _check_end(section, found, config)
        if found:
            _check_use(section, found, config)
    return found


Sources = frozenset[DecisionSource]
"""Those enabled."""


def _source(node: Node, section: Section) -> DecisionSource | None:
    known = tuple(DecisionSource)
    if isinstance(node, ScalarNode) and node.text in known:
        return DecisionSource(node.text)
    if isinstance(node, LostNode):
        return None
    written = quoted(node.text) if isinstance(node, ScalarNode) else kind_of(node)
    meant = nearest(node.text, known) if isinstance(node, ScalarNode) else ""
    hint = f"did you mean `{meant}`?" if meant else f"known: {', '.join(known)}"
    section.findings.error(node, f"a source is {written}; {hint}", Rule.WRONG_VALUE)
    return None


def _check_end(section: Section, sources: Sources, config: ActionConfig) -> None:
    if sources - {DecisionSource.EXIT_CRITERIA}:
        return
    if sources and (isinstance(config, FormConfig) or _has_criteria(config)):
        return
    why = "no source is left" if not sources else "it has no exit_criteria that could be met"
    section.findings.error(
        section.spot_of("enabled_sources"),
        f"nothing could ever end this action: {why}; enable max_rounds",
        Rule.NO_EXIT,
    )


def _check_use(section: Section, sources: Sources, config: ActionConfig) -> None:
    """Warn of what an author wrote about ends that this policy leaves out."""
    spot = section.spot_of("enabled_sources")
    if _has_criteria(config) and DecisionSource.EXIT_CRITERIA not in sources:
        section.findings.warning(
            spot,
            "its exit_criteria decide nothing: `exit_criteria` is not enabled",
            Rule.IDLE_SETTING,
        )
    has_exit = isinstance(config, AskConfig | SayConfig) and config.exit
    if has_exit and not sources & {DecisionSource.EXIT_FLAG, DecisionSource.LLM_SUGGESTION}:
        section.findings.warning(
            spot, "its `exit` decides nothing: `exit_flag` is not enabled", Rule.IDLE_SETTING
        )


def _has_criteria(config: ActionConfig) -> bool:
    """Say whether criteria name something that can hold; min_rounds alone only holds back."""
    if not isinstance(config, AskConfig | SayConfig | FormConfig):
        return False
    criteria = config.exit_criteria
    return criteria is not None and bool(
        criteria.custom_conditions
        or criteria.has_questions is False
        or criteria.understanding_threshold is not None
    )
