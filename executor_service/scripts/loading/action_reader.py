"""One action of a script: its own keys, and its config inside or beside `config`."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.scripts.checking.board import Owner
from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.checking.context import ReadContext, Spotter
from executor_service.scripts.checking.exit_checks import read_exit_policy
from executor_service.scripts.checking.written_conditions import WrittenCondition, read_condition
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.tree import Entry, MapNode, Node, to_json
from executor_service.scripts.model.actions import (
    ADVISED,
    CONFIGS,
    INTERACTIVE,
    NOT_YET_ACTION_TYPES,
    ActionType,
)
from executor_service.scripts.model.findings import Findings, SourcePlace
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.model.script import Action
from executor_service.scripts.model.settings import UNSAID
from executor_service.scripts.model.wording import LIKELY, nearest, quoted

_SHAPE = shape_of(Action)
# Authors leave out what the names of action types begin with: `say` for `ai_say`.
_VERBS = ("ai", "fill", "use", "show")


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
        wrong(node, _SHAPE.what, shape_of(Action).item, findings)
        return None
    own, loose = _split(node)
    section, reader = Section(own, _SHAPE, findings), Reader(Spotter(context, topic, index), CHECKS)
    kind = _action_type(section)
    merged = _merged(node, section, loose, findings) if kind is not None else None
    if kind is None or merged is None:
        section.identifier("action_id")
        section.boolean("mandatory", default=False)
        return None
    config = reader.part(CONFIGS[kind], Section(merged, shape_of(CONFIGS[kind]), findings))
    action: Action = reader.part(
        Action,
        section,
        action_type=kind,
        config=config,
        exit_sources=read_exit_policy(section, config, kind, reader),
        written={key: to_json(entry.value) for key, entry in merged.entries.items()},
        place=SourcePlace(file=findings.file, line=node.line, column=node.column),
    )
    _check_idle(section, action)
    return action, read_condition(section, "condition", topic, index)


def _check_idle(section: Section, action: Action) -> None:
    """Warn of settings that decide nothing for an action of its type."""
    kind = action.action_type
    if action.strategy_engine and kind not in ADVISED:
        section.findings.report(
            "idle_strategy_engine",
            section.key_spot("strategy_engine"),
            advised=", ".join(sorted(ADVISED)),
        )
    if action.monitor != UNSAID and kind not in INTERACTIVE:
        talkers = ", ".join(each for each in ActionType if each in INTERACTIVE)
        section.findings.report("idle_monitor", section.key_spot("monitor"), talkers=talkers)


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
    if any(key in shape_of(config).keys for config in CONFIGS.values()):
        return False
    known = key in _SHAPE.keys or key in _SHAPE.aliases
    return known or bool(nearest(key, _SHAPE.keys, likeness=LIKELY))


def _action_type(section: Section) -> ActionType | None:
    written = section.text("action_type", required=True)
    if not written:
        return None
    if written in NOT_YET_ACTION_TYPES:
        section.findings.report(
            "future_action_type", section.spot_of("action_type"), written=written
        )
        return None
    if written in tuple(ActionType):
        return ActionType(written)
    known = [*ActionType, *sorted(NOT_YET_ACTION_TYPES)]
    begun = (f"{verb}_{written}" for verb in _VERBS)
    meant = next((each for each in begun if each in known), "") or nearest(written, known)
    hint = f"did you mean `{meant}`?" if meant else f"known: {', '.join(ActionType)}"
    section.findings.report(
        "unknown_action_type", section.spot_of("action_type"), written=quoted(written), hint=hint
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
            findings.report("key_in_config", entry.key, key=key, line=first.key.line)
    return merged
