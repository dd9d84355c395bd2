"""Actions that are never reached, and conditions that decide nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from executor_service.scripts.checking.context import ConstantCondition, ReadContext
from executor_service.scripts.checking.lint_reads import Sources
from executor_service.scripts.model.actions import (
    ActionConfig,
    AskConfig,
    FormConfig,
    SayConfig,
    SkillConfig,
)
from executor_service.scripts.model.findings import Place
from executor_service.scripts.model.rules import Rule
from executor_service.scripts.model.script import Action, Script, Technique
from heartrule.domain.exits import DecisionSource

MAX_SILENT_ACTIONS = 100
"""Actions that run in one turn without input (SCRIPT-LANGUAGE, What a round is)."""


def check_reach(script: Script, sources: Sources, context: ReadContext) -> None:
    """Warn of actions that cannot be reached."""
    for constant in context.constants:
        context.findings.warning(
            constant.spot, _constant_message(constant), Rule.CONSTANT_CONDITION
        )
    _check_endless(script, sources, context)
    _check_silence(script, context)


def _constant_message(constant: ConstantCondition) -> str:
    what = "phase" if constant.action is None else "action"
    if constant.always is None:
        return "the condition reads no variable and can never be answered"
    if constant.always:
        return f"the condition is always true; without it the {what} runs as well"
    return f"unreachable: the condition is always false, so the {what} never runs"


def _check_endless(script: Script, sources: Sources, context: ReadContext) -> None:
    """Warn of an action that only criteria may end which never hold, and of what follows it."""
    endless: Action | None = None
    for _, _, _, action in script.walk():
        if endless is not None:
            context.findings.warning(
                action.place,
                f"unreachable: the action in line {endless.place.line} before it never ends",
                Rule.UNREACHABLE,
            )
            return
        variable = _never_set(action, sources)
        if variable:
            context.findings.warning(
                action.place,
                f"never ends: only its criteria may end it, and nothing sets `{variable}`",
                Rule.NEVER_ENDS,
            )
            endless = action


def _never_set(action: Action, sources: Sources) -> str:
    """Return the variable for want of which the criteria never hold; "" for other actions."""
    config, criteria_only = action.config, frozenset({DecisionSource.EXIT_CRITERIA})
    if action.exit_sources != criteria_only or not isinstance(config, AskConfig | SayConfig):
        return ""
    conditions = config.exit_criteria.custom_conditions if config.exit_criteria else ()
    return next((c.variable for c in conditions if not sources.is_ever_set(c.variable)), "")


def _check_silence(script: Script, context: ReadContext) -> None:
    """Warn of more actions without input in a row than one turn runs."""
    silent = 0
    for place, config in _expanded(script):
        silent = 0 if _waits(config) else silent + 1
        if silent == MAX_SILENT_ACTIONS + 1:
            context.findings.warning(
                place,
                f"unreachable in its turn: {MAX_SILENT_ACTIONS} actions before it wait for no "
                "input, and a turn runs no more; let one of them wait",
                Rule.UNREACHABLE,
            )


def _expanded(script: Script) -> Iterator[tuple[Place, ActionConfig]]:
    """Yield what runs, the actions of techniques at the place of their use in the script."""
    for _, _, _, action in script.walk():
        for config in _inside(action.config, script.techniques):
            yield action.place, config


def _inside(config: ActionConfig, techniques: Mapping[str, Technique]) -> Iterator[ActionConfig]:
    used = techniques.get(config.skill) if isinstance(config, SkillConfig) else None
    if used is None:
        yield config
        return
    for action in used.topic.actions:
        yield from _inside(action.config, techniques)


def _waits(config: ActionConfig) -> bool:
    if isinstance(config, SayConfig):
        return config.require_acknowledgment or config.max_rounds > 1
    return isinstance(config, AskConfig | FormConfig | SkillConfig)
