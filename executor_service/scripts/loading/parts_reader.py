"""Session, phases and topics: declarations everywhere first, then actions, then conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from executor_service.scripts.checking.board import Owner
from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.checking.context import MAX_ACTIONS, ReadContext, Spotter
from executor_service.scripts.checking.written_conditions import (
    WrittenCondition,
    compile_written,
    read_condition,
)
from executor_service.scripts.loading.action_reader import read_action
from executor_service.scripts.loading.declaration_reader import read_declarations
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.tree import MapNode, Node, ScalarNode
from executor_service.scripts.model.mapping import changed, shape_of
from executor_service.scripts.model.script import Action, Phase, Script, Topic
from executor_service.scripts.model.settings import StrategyKeys
from executor_service.scripts.model.wording import hint, quoted
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import TopicStrategy


class ReadingStopped(Exception):
    """The file has more actions than it may have; that was reported."""


@dataclass(slots=True)
class Draft:
    """A phase or topic whose keys are sorted, and whose inside is still to be read."""

    section: Section
    owner: Owner
    inner: list[Draft] = field(default_factory=list)
    actions: list[tuple[Action, WrittenCondition | None]] = field(default_factory=list)


def drafts(nodes: Sequence[Node], model: type, parent: Owner, context: ReadContext) -> list[Draft]:
    """Return the phases or topics under a parent; what they declare is known afterwards."""
    found: list[Draft] = []
    shape = shape_of(model)
    check_ids(nodes, shape.keys[0], context)
    for node in nodes:
        if not isinstance(node, MapNode):
            wrong(node, shape.what, f"a mapping with {', '.join(shape.keys)}", context.findings)
            continue
        index = len(found)
        owner = Owner(index) if parent.phase is None else Owner(parent.phase, index)
        found.append(draft(node, model, owner, context))
    return found


def draft(node: MapNode, model: type, owner: Owner, context: ReadContext) -> Draft:
    """Return one phase or topic; what it declares is known afterwards."""
    section = Section(node, shape_of(model), context.findings)
    declare(section, owner, context)
    return Draft(section, owner)


def declare(section: Section, owner: Owner, context: ReadContext) -> None:
    """Put what a section declares on the board."""
    reader = Reader(Spotter(context, owner), CHECKS)
    for declared in read_declarations(section.items("declare"), owner.scope, section, reader):
        context.board.add(declared, owner)


def read_actions(topic: Draft, context: ReadContext) -> None:
    """Read the actions of a topic; what they yield is known afterwards.

    Raises:
        ReadingStopped: The script has more than it may have.
    """
    nodes = topic.section.full_list("actions")
    check_ids(nodes, "action_id", context)
    for index, node in enumerate(nodes):
        context.actions += 1
        if context.actions > MAX_ACTIONS:
            context.findings.report("too_many_actions", node, max_actions=MAX_ACTIONS)
            raise ReadingStopped
        read = read_action(node, topic.owner, index, context)
        if read is not None:
            topic.actions.append(read)


def read_topic(topic: Draft, context: ReadContext) -> Topic:
    """Return a topic whose actions were read, their conditions compiled."""
    section, reader = topic.section, Reader(Spotter(context, topic.owner), CHECKS)
    made: Topic = reader.part(
        Topic,
        section,
        strategy=_strategy(section, reader),
        declarations=context.board.of(topic.owner),
        actions=tuple(_with_conditions(topic, context)),
    )
    return made


def _with_conditions(topic: Draft, context: ReadContext) -> Iterator[Action]:
    for action, written in topic.actions:
        if written is None:
            yield action
        else:
            yield changed(action, condition=compile_written(written, context))


def check_ids(nodes: Sequence[Node], key: str, context: ReadContext) -> None:
    """Report ids that stand twice among siblings."""
    lines: dict[str, int] = {}
    for node in nodes:
        entry = node.entries.get(key) if isinstance(node, MapNode) else None
        if entry is None or not isinstance(entry.value, ScalarNode) or not entry.value.text:
            continue
        name, line = entry.value.text.strip(), entry.value.line
        if name in lines:
            context.findings.report(
                "id_twice", entry.value, key=key, name=quoted(name), line=lines[name]
            )
        lines.setdefault(name, line)


def _strategy(section: Section, reader: Reader) -> str | TopicStrategy | None:
    node = section.node("strategy")
    if not isinstance(node, MapNode):
        if node is not None:
            reader.spotter.text(node)
        return section.text("strategy") or None
    keys = reader.part(StrategyKeys, Section(node, shape_of(StrategyKeys), section.findings))
    return TopicStrategy(
        min_completeness_requirement=keys.min_completeness_requirement,
        retry_strategy=keys.retry_strategy,
        max_retry_count=keys.max_retry_count,
    )


def read_session(node: MapNode, metadata: dict[str, JsonValue], context: ReadContext) -> Script:
    """Return the script under `session:`; what does not fit is reported and left out."""
    section = Section(node, shape_of(Script), context.findings)
    scheme = _scheme(section, context)
    context.scheme = scheme
    context.scheme_spot = section.spot_of("template_scheme")
    declare(section, Owner(), context)
    found = drafts(section.full_list("phases"), Phase, Owner(), context)
    for each in found:
        each.inner = drafts(each.section.full_list("topics"), Topic, each.owner, context)
    phases = _phases(found, context)
    made: Script = Reader(Spotter(context, Owner()), CHECKS).part(
        Script,
        section,
        template_scheme=scheme,
        phases=phases,
        declarations=context.board.of(Owner()),
        metadata=metadata,
    )
    return made


def _phases(found: Sequence[Draft], context: ReadContext) -> tuple[Phase, ...]:
    try:
        for phase in found:
            for topic in phase.inner:
                read_actions(topic, context)
    except ReadingStopped:
        return ()  # reported where it was met; the script is refused
    return tuple(_phase(phase, context) for phase in found)


def _phase(phase: Draft, context: ReadContext) -> Phase:
    section = phase.section
    written = read_condition(section, "entry_condition", phase.owner)
    made: Phase = Reader(Spotter(context, phase.owner), CHECKS).part(
        Phase,
        section,
        entry_condition=None if written is None else compile_written(written, context),
        declarations=context.board.of(phase.owner),
        topics=tuple(read_topic(topic, context) for topic in phase.inner),
    )
    return made


def _scheme(section: Section, context: ReadContext) -> str:
    scheme = section.optional_identifier("template_scheme")
    known = context.environment.schemes
    if not scheme or known is None or scheme in known:
        return scheme
    advice = hint(scheme, known, f"known: {', '.join(sorted(known)) or 'none'}")
    section.findings.report(
        "unknown_scheme", section.spot_of("template_scheme"), scheme=quoted(scheme), hint=advice
    )
    return ""
