"""Topics: their declarations first, then their actions, then the conditions on these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from executor_service.scripts.actions import read_action
from executor_service.scripts.context import MAX_ACTIONS, ReadContext, Spotter
from executor_service.scripts.declarations import Owner, read_declarations
from executor_service.scripts.keys import STRATEGY, Shape
from executor_service.scripts.model import Action, Topic
from executor_service.scripts.monitor import read_monitor
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, wrong
from executor_service.scripts.tree import MapNode, Node, ScalarNode
from executor_service.scripts.wording import quoted
from executor_service.scripts.written_conditions import WrittenCondition, compile_written
from heartrule.domain.monitoring import TopicStrategy
from heartrule.domain.orchestration import DEFAULT_EDIT_BUDGET


class TooManyActions(Exception):
    """Reading stops; the reason was reported."""


@dataclass(slots=True)
class Draft:
    """A phase or topic whose keys are sorted, and whose inside is still to be read."""

    section: Section
    owner: Owner
    inner: list[Draft] = field(default_factory=list)
    actions: list[tuple[Action, WrittenCondition | None]] = field(default_factory=list)


def drafts(nodes: Sequence[Node], shape: Shape, parent: Owner, context: ReadContext) -> list[Draft]:
    """Return the phases or topics under a parent; what they declare is known afterwards."""
    found: list[Draft] = []
    check_ids(nodes, shape.keys[0], context)
    for node in nodes:
        if not isinstance(node, MapNode):
            wrong(node, shape.what, f"a mapping with {', '.join(shape.keys)}", context.findings)
            continue
        index = len(found)
        owner = Owner(index) if parent.phase is None else Owner(parent.phase, index)
        found.append(draft(node, shape, owner, context))
    return found


def draft(node: MapNode, shape: Shape, owner: Owner, context: ReadContext) -> Draft:
    """Return one phase or topic; what it declares is known afterwards."""
    section = Section(node, shape, context.findings)
    declare(section, owner, context)
    return Draft(section, owner)


def declare(section: Section, owner: Owner, context: ReadContext) -> None:
    """Put what a section declares on the board."""
    for declared in read_declarations(section.items("declare"), owner.scope, context.findings):
        context.board.add(declared, owner)


def read_actions(topic: Draft, context: ReadContext) -> None:
    """Read the actions of a topic; what they yield is known afterwards.

    Raises:
        TooManyActions: The script has more than it may have.
    """
    nodes = topic.section.full_list("actions")
    check_ids(nodes, "action_id", context)
    for index, node in enumerate(nodes):
        context.actions += 1
        if context.actions > MAX_ACTIONS:
            message = f"more than {MAX_ACTIONS:,} actions; split the script"
            context.findings.error(node, message, Rule.TOO_LARGE)
            raise TooManyActions
        read = read_action(node, topic.owner, index, context)
        if read is not None:
            topic.actions.append(read)


def read_topic(topic: Draft, context: ReadContext) -> Topic:
    """Return a topic whose actions were read, their conditions compiled."""
    section, spotter = topic.section, Spotter(context, topic.owner)
    spotter.texts(section, "topic_goal")
    return Topic(
        topic_id=section.identifier("topic_id"),
        topic_name=section.text("topic_name"),
        topic_goal=section.text("topic_goal"),
        description=section.text("description"),
        strategy=_strategy(section, spotter),
        monitor=read_monitor(section),
        declarations=context.board.of(topic.owner),
        edit_budget=section.integer("edit_budget", default=DEFAULT_EDIT_BUDGET, least=0),
        actions=tuple(_with_conditions(topic, context)),
    )


def _with_conditions(topic: Draft, context: ReadContext) -> Iterator[Action]:
    for action, written in topic.actions:
        if written is None:
            yield action
        else:
            yield replace(action, condition=compile_written(written, context))


def check_ids(nodes: Sequence[Node], key: str, context: ReadContext) -> None:
    """Report ids that stand twice among siblings."""
    lines: dict[str, int] = {}
    for node in nodes:
        entry = node.entries.get(key) if isinstance(node, MapNode) else None
        if entry is None or not isinstance(entry.value, ScalarNode) or not entry.value.text:
            continue
        name, line = entry.value.text.strip(), entry.value.line
        if name in lines:
            message = f"the {key} {quoted(name)} is taken in line {lines[name]}; choose another"
            context.findings.error(entry.value, message, Rule.DUPLICATE_NAME)
        lines.setdefault(name, line)


def _strategy(section: Section, spotter: Spotter) -> str | TopicStrategy | None:
    node = section.node("strategy")
    if not isinstance(node, MapNode):
        spotter.texts(section, "strategy")
        return section.text("strategy") or None
    inner = Section(node, STRATEGY, section.findings)
    spotter.texts(inner, *STRATEGY.keys)
    completeness, retry, count = (_words(inner, key) for key in STRATEGY.keys)
    return TopicStrategy(
        min_completeness_requirement=completeness, retry_strategy=retry, max_retry_count=count
    )


def _words(section: Section, key: str) -> str:
    """Return a text or a number as text."""
    node = section.node(key)
    if isinstance(node, ScalarNode) and type(node.value) in {int, float}:
        return node.text
    return section.text(key)
