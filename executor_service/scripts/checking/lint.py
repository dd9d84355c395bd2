"""What an author should look at in a script that can run (the linter)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from executor_service.scripts.checking.context import ReadContext
from executor_service.scripts.checking.environment import DEFAULT_LAYER
from executor_service.scripts.checking.lint_reads import Sources, check_reads, owners
from executor_service.scripts.checking.placeholders import spot_in
from executor_service.scripts.model.actions import (
    ADVISED,
    WAITING,
    ActionType,
    AskConfig,
    SayConfig,
    SkillConfig,
)
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.findings import Spot
from executor_service.scripts.model.script import MAX_SILENT_ACTIONS, Action, Script, Technique
from executor_service.scripts.model.wording import nearest, quoted
from heartrule.domain.exits import DecisionSource
from heartrule.domain.output_type import OutputType
from heartrule.words.words import say

_NAME = r"\{(?P<name>[^\W\d]\w*)\}"
_EQUALS = re.compile(_NAME + r"""\s*[!=]=\s*(?P<texts>'[^'\\]*'|"[^"\\]*")""")
_AMONG = re.compile(_NAME + r"\s+in\s+\[(?P<texts>[^\]]*)\]")
_TEXT = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")
_MOST_SHOWN = 8  # a finding is one line

TEMPLATES: Mapping[ActionType, tuple[str, ...]] = MappingProxyType(
    {
        ActionType.AI_ASK: ("ai_ask", "ai_ask_monitor"),
        ActionType.AI_SAY: ("ai_say", "ai_say_monitor"),
        ActionType.AI_THINK: ("ai_think",),
        ActionType.FILL_FORM: ("fill_form", "fill_form_monitor"),
        ActionType.AI_AGENT: ("ai_agent",),
    }
)
"""The templates an action of each type talks with."""


def lint(script: Script, context: ReadContext) -> None:
    """Report what looks unintended; `script`, or technique, loaded without errors.

    Every check goes over the script once: the time grows with its length and no faster.
    """
    sources = Sources(script, context)
    check_reads(sources, context)
    check_reach(script, sources, context)
    check_options(script, context)
    check_outputs(context)


def check_outputs(context: ReadContext) -> None:
    """Note outputs that neither the script reads nor its author declared.

    Only a note: people read outputs too, in a report or beside the conversation. An author who
    declares a variable means to keep it, and the fields of a form are its result;
    neither is noted. What remains is often a misspelt name.
    """
    read = {placed.read.name for placed in context.reads}
    declared = frozenset(context.board.names())
    for name, spot in context.outputs:
        if name not in read and name not in declared:
            context.findings.report("unused_output", spot, name=name)


def check_options(script: Script, context: ReadContext) -> None:
    """Warn where a choice is compared with what it can never be, often a misspelt option."""
    compared = tuple(_comparisons(context))
    options = _options(script, context) if compared else {}
    for name, word, spot in compared:
        allowed = options.get(name)
        if allowed and word not in allowed:
            meant = nearest(word, allowed)
            known = tuple(allowed)[:_MOST_SHOWN]
            advice = (
                say("hint.did_you_mean_text", meant=meant)
                if meant
                else say("hint.its_options", known=known)
            )
            context.findings.report("never_equal", spot, name=name, word=quoted(word), hint=advice)


def _comparisons(context: ReadContext) -> Iterator[tuple[str, str, Spot]]:
    """Yield each variable that is compared with a fixed text, that text, and its place."""
    yield from context.compared
    for node in context.conditions:
        for pattern in (_EQUALS, _AMONG):
            for match in pattern.finditer(node.text):
                for text in _TEXT.finditer(match["texts"]):
                    at = match.start("texts") + text.start()
                    word = text[1] if text[1] is not None else text[2]
                    yield match["name"], word, spot_in(node, at, context.text)


def _options(script: Script, context: ReadContext) -> dict[str, dict[str, None]]:
    """Return what each choice can be; a name something else may set as well is left out."""
    found: dict[str, dict[str, None]] = {}
    free = set(context.given)
    for _, _, _, action in script.walk():
        for output in action.config.output:
            if output.type is OutputType.CHOICE and output.options:
                found.setdefault(output.get, {}).update(dict.fromkeys(output.options))
            else:
                free.add(output.get)
    for owner in owners(script):
        for declaration in context.board.of(owner):
            if isinstance(declaration.value, str):
                found.get(declaration.var, {})[declaration.value] = None
    return {name: options for name, options in found.items() if name not in free}


def check_templates(script: Script, context: ReadContext) -> None:
    """Note templates that fall back to the default ones; warn of those broken or nowhere."""
    actions = [action for _, _, _, action in script.walk()]
    actions += [each for used in script.techniques.values() for each in used.topic.actions]
    names = dict.fromkeys(name for action in actions for name in _templates(action, script))
    layers = {name: context.environment.layer(script.template_scheme, name) for name in names}
    fallen = [name for name, layer in layers.items() if layer == DEFAULT_LAYER]
    if script.template_scheme and fallen:
        context.findings.report(
            "fallback_templates",
            context.scheme_spot,
            template_scheme=script.template_scheme,
            fallen=tuple(fallen),
        )
    for name, layer in layers.items():
        _check_template(name, layer, script.template_scheme, context)


def _check_template(name: str, layer: str, scheme: str, context: ReadContext) -> None:
    """Report what is wrong with one template, and what an older one lacks."""
    environment, spot = context.environment, context.scheme_spot
    if broken := environment.broken(scheme, name):
        context.findings.report("broken_template", spot, name=name, broken=broken)
    elif not layer:
        context.findings.report("missing_template", spot, name=name)
    elif older := environment.older(scheme, name):
        context.findings.report("older_template", spot, name=name, scheme=scheme, older=older)


def _templates(action: Action, script: Script) -> Iterator[str]:
    yield from TEMPLATES.get(action.action_type, ())
    own = action.strategy_engine
    if action.action_type in ADVISED and (script.strategy_engine if own is None else own):
        yield "strategy_generation"


_CONSTANT = {True: "always_true", False: "always_false", None: "never_answered"}
"""The finding about a condition that reads no variable, by its value."""


def check_reach(script: Script, sources: Sources, context: ReadContext) -> None:
    """Warn of actions that cannot be reached."""
    for spot, kind, always in context.constants:
        context.findings.report(_CONSTANT[always], spot, kind=kind)
    _check_endless(script, sources, context)
    _check_silence(script, context)


def _check_endless(script: Script, sources: Sources, context: ReadContext) -> None:
    """Warn of an action that only criteria may end which never hold, and of what follows it."""
    endless: Action | None = None
    for _, _, _, action in script.walk():
        if endless is not None:
            context.findings.report("after_endless", action.place, line=endless.place.line)
            return
        variable = _never_set(action, sources)
        if variable:
            context.findings.report("never_ends", action.place, variable=variable)
            endless = action


def _never_set(action: Action, sources: Sources) -> str:
    """Return the variable for want of which the criteria never hold; "" for other actions."""
    config, criteria_only = action.config, frozenset({DecisionSource.EXIT_CRITERIA})
    if action.exit_sources != criteria_only or not isinstance(
        config, AskConfig | SayConfig | AgentConfig
    ):
        return ""
    conditions = config.exit_criteria.custom_conditions if config.exit_criteria else ()
    return next((c.variable for c in conditions if not sources.is_ever_set(c.variable)), "")


def _check_silence(script: Script, context: ReadContext) -> None:
    """Warn of more actions without input in a row than one turn runs."""
    silent = 0
    for _, _, _, action in script.walk():
        for each in _inside(action, script.techniques):
            silent = 0 if _waits(each) else silent + 1
            if silent == MAX_SILENT_ACTIONS + 1:
                facts = {"max_silent_actions": MAX_SILENT_ACTIONS}
                context.findings.report("silent_turn", action.place, **facts)


def _inside(action: Action, techniques: Mapping[str, Technique]) -> Iterator[Action]:
    """Yield what runs for an action: itself, or the actions of the technique it uses."""
    used = techniques.get(action.config.skill) if isinstance(action.config, SkillConfig) else None
    if used is None:
        yield action
        return
    for inner in used.topic.actions:
        yield from _inside(inner, techniques)


def _waits(action: Action) -> bool:
    if isinstance(action.config, SayConfig):
        return action.config.require_acknowledgment or action.config.max_rounds > 1
    return action.action_type in WAITING
