"""One action of a script: its own keys, and its config inside or beside `config`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from executor_service.scripts.configs import (
    ADVISED,
    ASK_ROUNDS,
    SAY_ROUNDS,
    SAY_ROUNDS_WITH_EXIT,
    ActionConfig,
    ActionType,
    AskConfig,
    SayConfig,
    ThinkConfig,
)
from executor_service.scripts.context import ReadContext, Spotter
from executor_service.scripts.criteria import check_rounds, read_exit_criteria
from executor_service.scripts.declarations import Owner
from executor_service.scripts.exit_policy import read_exit_policy
from executor_service.scripts.findings import Findings, Place
from executor_service.scripts.forms import read_form
from executor_service.scripts.keys import ACTION, CONFIGS, NOT_YET_ACTION_TYPES
from executor_service.scripts.model import Action
from executor_service.scripts.monitor import read_action_monitor
from executor_service.scripts.outputs import read_outputs, read_required
from executor_service.scripts.pictures import read_picture
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, as_text, as_variable, wrong
from executor_service.scripts.skills import read_skill
from executor_service.scripts.tree import Entry, MapNode, Node, to_json
from executor_service.scripts.wording import LIKELY, nearest, quoted, snake_case
from executor_service.scripts.written_conditions import WrittenCondition, read_condition

_VERBS = ("ai", "fill", "use", "show")
"""What the names of action types begin with, for those who leave it out."""


def read_action(
    node: Node, topic: Owner, index: int, context: ReadContext
) -> tuple[Action, WrittenCondition | None] | None:
    """Return one action, and its condition as written; None where it cannot be read at all.

    Args:
        node: The item of `actions`.
        topic: Where it stands.
        index: Its index within the topic.
        context: Takes the findings and what the action reads.
    """
    findings = context.findings
    if not isinstance(node, MapNode):
        wrong(node, "an action", "- {action_type: …, action_id: …, config: …}", findings)
        return None
    own, loose = _split(node)
    section = Section(own, ACTION, findings)
    action_id = section.identifier("action_id")
    mandatory = section.boolean("mandatory", default=False)
    action_type = _action_type(section)
    if action_type is None:
        return None
    merged = _merged(node, section, loose, findings)
    if merged is None:
        return None
    config = _READERS[action_type](
        Section(merged, CONFIGS[action_type], findings), Spotter(context, topic, index)
    )
    action = Action(
        action_type=action_type,
        action_id=action_id,
        mandatory=mandatory,
        config=config,
        exit_sources=read_exit_policy(section, config, action_type),
        strategy_engine=_strategy_engine(section, action_type),
        monitor=read_action_monitor(section, action_type),
        written={key: to_json(entry.value) for key, entry in merged.entries.items()},
        place=Place(file=findings.file, line=node.line, column=node.column),
    )
    return action, read_condition(section, "condition", topic, index)


def _strategy_engine(section: Section, action_type: ActionType) -> bool | None:
    switched = section.switch("strategy_engine")
    if switched and action_type not in ADVISED:
        section.findings.warning(
            section.key_spot("strategy_engine"),
            f"`strategy_engine` decides nothing here; it advises {', '.join(sorted(ADVISED))}",
            Rule.IDLE_SETTING,
        )
    return switched


def _split(node: MapNode) -> tuple[MapNode, dict[str, Entry]]:
    """Part the keys of the action from those of its config that stand beside `config`."""
    own = MapNode(node.line, node.column, node.flow)
    loose = {}
    for key, entry in node.entries.items():
        if _is_actions(key):
            own.entries[key] = entry
        else:
            loose[key] = entry
    return own, loose


def _is_actions(key: str) -> bool:
    if any(key in shape.keys for shape in CONFIGS.values()):
        return False
    known = key in ACTION.keys or snake_case(key) in ACTION.later or key in ACTION.aliases
    return known or bool(nearest(key, ACTION.keys, likeness=LIKELY))


def _action_type(section: Section) -> ActionType | None:
    written = section.text("action_type", required=True)
    if not written:
        return None
    if written in NOT_YET_ACTION_TYPES:
        message = f"the action type {written} is not yet supported"
        section.findings.error(section.spot_of("action_type"), message, Rule.NOT_SUPPORTED)
        return None
    if written in tuple(ActionType):
        return ActionType(written)
    known = [*ActionType, *sorted(NOT_YET_ACTION_TYPES)]
    begun = (f"{verb}_{written}" for verb in _VERBS)
    meant = next((each for each in begun if each in known), "") or nearest(written, known)
    hint = f"did you mean `{meant}`?" if meant else f"known: {', '.join(ActionType)}"
    section.findings.error(
        section.spot_of("action_type"),
        f"unknown action type {quoted(written)}; {hint}",
        Rule.WRONG_VALUE,
    )
    return None


def _merged(
    node: MapNode, section: Section, loose: Mapping[str, Entry], findings: Findings
) -> MapNode | None:
    """Put what stands in `config` and beside it into one mapping; None where neither is one."""
    inner = section.node("config")
    merged = MapNode(node.line, node.column, node.flow)
    if isinstance(inner, MapNode):
        merged = MapNode(inner.line, inner.column, inner.flow, dict(inner.entries))
    elif inner is not None:
        wrong(inner, "`config`", "a mapping", findings)
        return None
    for key, entry in loose.items():
        first = merged.entries.setdefault(key, entry)
        if first is not entry:
            findings.error(
                entry.key,
                f"`{key}` stands in `config` already, in line {first.key.line}; keep one",
                Rule.DUPLICATE_KEY,
            )
    return merged


def _ask(config: Section, spotter: Spotter) -> AskConfig:
    spotter.texts(config, "content", "tone", "exit")
    output = read_outputs(config, spotter)
    rounds = config.integer("max_rounds", default=ASK_ROUNDS, least=1)
    criteria = read_exit_criteria(config, ActionType.AI_ASK, spotter)
    check_rounds(config, criteria, rounds)
    return AskConfig(
        content=config.text("content", required=True),
        tone=config.text("tone"),
        exit=config.text("exit"),
        exit_criteria=criteria,
        output=output,
        required=read_required(config, output),
        max_rounds=rounds,
    )


def _say(config: Section, spotter: Spotter) -> SayConfig:
    spotter.texts(config, "content", "goal", "tone", "exit")
    _need_words(config)
    criteria = read_exit_criteria(config, ActionType.AI_SAY, spotter)
    exit_text = config.text("exit")
    default = SAY_ROUNDS_WITH_EXIT if exit_text or criteria is not None else SAY_ROUNDS
    rounds = config.integer("max_rounds", default=default, least=1)
    check_rounds(config, criteria, rounds)
    return SayConfig(
        content=config.text("content"),
        goal=config.text("goal"),
        tone=config.text("tone"),
        exit=exit_text,
        exit_criteria=criteria,
        require_acknowledgment=config.boolean("require_acknowledgment", default=True),
        max_rounds=rounds,
    )


def _think(config: Section, spotter: Spotter) -> ThinkConfig:
    spotter.texts(config, "content", "goal")
    _need_words(config)
    names: dict[str, None] = {}
    for node in config.items("input_variables"):
        text = as_text(node, "input_variables", config.findings)
        if text and as_variable(node, text, config.findings):
            names[text] = None
            spotter.name(node)
    return ThinkConfig(
        content=config.text("content"),
        goal=config.text("goal"),
        input_variables=tuple(names),
        output=read_outputs(config, spotter),
    )


_READERS: Mapping[ActionType, Callable[[Section, Spotter], ActionConfig]] = MappingProxyType(
    {
        ActionType.AI_ASK: _ask,
        ActionType.AI_SAY: _say,
        ActionType.AI_THINK: _think,
        ActionType.FILL_FORM: read_form,
        ActionType.USE_SKILL: read_skill,
        ActionType.SHOW_PIC: read_picture,
    }
)


def _need_words(config: Section) -> None:
    if not config.has("content") and not config.has("goal"):
        config.missing("content", " or `goal`")
