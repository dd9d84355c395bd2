"""Prompts that a script's scheme does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from executor_service.scripts.checking.context import ReadContext
from executor_service.scripts.checking.environment import DEFAULT_LAYER
from executor_service.scripts.model.actions import ADVISED, ActionType
from executor_service.scripts.model.rules import Rule
from executor_service.scripts.model.script import Action, Script

TEMPLATES: Mapping[ActionType, tuple[str, ...]] = MappingProxyType(
    {
        ActionType.AI_ASK: ("ai_ask", "ai_ask_monitor"),
        ActionType.AI_SAY: ("ai_say", "ai_say_monitor"),
        ActionType.AI_THINK: ("ai_think",),
        ActionType.FILL_FORM: ("fill_form", "fill_form_monitor"),
    }
)
"""The templates an action of each type talks with."""


def check_templates(script: Script, context: ReadContext) -> None:
    """Note templates that fall back to the default ones; warn of those that are nowhere."""
    names = dict.fromkeys(
        name for action in _all_actions(script) for name in _templates(action, script)
    )
    layers = {name: context.environment.layer(script.template_scheme, name) for name in names}
    fallen = [name for name, layer in layers.items() if layer == DEFAULT_LAYER]
    if script.template_scheme and fallen:
        context.findings.note(
            context.scheme_spot,
            f"the scheme `{script.template_scheme}` has no {', '.join(fallen)} of its own; "
            "the default templates are used for these",
            Rule.FALLBACK_TEMPLATE,
        )
    for name, layer in layers.items():
        if not layer:
            context.findings.warning(
                context.scheme_spot,
                f"the template `{name}` is not installed; its actions fail",
                Rule.MISSING_TEMPLATE,
            )


def _templates(action: Action, script: Script) -> Iterator[str]:
    yield from TEMPLATES.get(action.action_type, ())
    own = action.strategy_engine
    if action.action_type in ADVISED and (script.strategy_engine if own is None else own):
        yield "strategy_generation"


def _all_actions(script: Script) -> Iterator[Action]:
    for _, _, _, action in script.walk():
        yield action
    for technique in script.techniques.values():
        yield from technique.topic.actions
