"""Session, phases and topics: declarations everywhere first, then actions, then conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from executor_service.scripts.checking.board import Owner
from executor_service.scripts.checking.written_conditions import (
    WrittenCondition,
    compile_written,
    read_condition,
)
from executor_service.scripts.loading.declaration_reader import read_declarations
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import Entry, MapNode, Node, ScalarNode, to_json
from executor_service.scripts.loading.wrong_values import wrong
from executor_service.scripts.model.actions import (
    CONFIGS,
    INTERACTIVE,
    ActionType,
)
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.limits import MAX_ACTIONS, ReadingStopped
from executor_service.scripts.model.mapping import changed, shape_of
from executor_service.scripts.model.script import Action, Phase, Script, Topic, with_words
from executor_service.scripts.model.settings import StrategyKeys
from executor_service.scripts.model.wording import LIKELY, hint, nearest, quoted
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import TopicStrategy
from heartrule.words.words import say

_ACTION = shape_of(Action)
# Authors leave out what the names of action types begin with: `say` for `ai_say`.
_VERBS = ("ai", "fill", "use", "show")


@dataclass(slots=True)
class Draft:
    """A phase or topic whose keys are sorted, and whose inside is still to be read."""

    section: Section
    reader: Reader
    inner: list[Draft] = field(default_factory=list)
    actions: list[tuple[Action, WrittenCondition | None]] = field(default_factory=list)


def draft(node: MapNode, model: type, reader: Reader) -> Draft:
    """Return one phase or topic; what it declares is known afterwards."""
    section = Section(node, shape_of(model), reader.context.findings)
    _declare(section, reader)
    return Draft(section, reader)


def _drafts(parent: Section, key: str, model: type, reader: Reader) -> list[Draft]:
    """Return the phases or topics under a parent; what they declare is known afterwards."""
    found: list[Draft] = []
    shape, nodes, around = shape_of(model), parent.full_list(key), reader.topic
    _check_ids(nodes, shape.keys[0], parent.findings)
    for node in nodes:
        if not isinstance(node, MapNode):
            wrong(node, shape.what, say("wanted.mapping_with", keys=shape.keys), parent.findings)
            continue
        index = len(found)
        owner = Owner(index) if around.phase is None else Owner(around.phase, index)
        found.append(draft(node, model, reader.at(owner)))
    return found


def _declare(section: Section, reader: Reader) -> None:
    """Put what a section declares on the board."""
    for declared in read_declarations("declare", reader.topic.scope, section, reader):
        reader.context.board.add(declared, reader.topic)


def _check_ids(nodes: Sequence[Node], key: str, findings: Findings) -> None:
    """Report ids that stand twice among siblings."""
    lines: dict[str, int] = {}
    for node in nodes:
        entry = node.entries.get(key) if isinstance(node, MapNode) else None
        if entry is None or not isinstance(entry.value, ScalarNode) or not entry.value.text:
            continue
        name, line = entry.value.text.strip(), entry.value.line
        if name in lines:
            findings.report("id_twice", entry.value, key=key, name=quoted(name), line=lines[name])
        lines.setdefault(name, line)


def read_session(node: MapNode, metadata: Mapping[str, JsonValue], reader: Reader) -> Script:
    """Return the script under `session:`; what does not fit is reported and left out."""
    context = reader.context
    section = Section(node, shape_of(Script), context.findings)
    context.scheme = _scheme(section, context.environment.schemes)
    context.scheme_spot = section.spot_of("template_scheme")
    _declare(section, reader)
    found = _drafts(section, "phases", Phase, reader)
    for each in found:
        each.inner = _drafts(each.section, "topics", Topic, each.reader)
    phases = _phases(found)
    made: Script = reader.part(
        Script,
        section,
        template_scheme=context.scheme,
        phases=phases,
        declarations=context.board.of(reader.topic),
        metadata=metadata,
    )
    return made


def _scheme(section: Section, known: frozenset[str] | None) -> str:
    scheme = section.optional_identifier("template_scheme")
    if not scheme or known is None or scheme in known:
        return scheme
    advice = hint(scheme, known, say("hint.known", known=tuple(sorted(known))))
    section.report("unknown_scheme", "template_scheme", scheme=quoted(scheme), hint=advice)
    return ""


def _phases(found: Sequence[Draft]) -> tuple[Phase, ...]:
    try:
        for phase in found:
            for topic in phase.inner:
                read_actions(topic)
        return tuple(map(_phase, found))
    except ReadingStopped:
        return ()  # reported where it was met; the script is refused


def _phase(phase: Draft) -> Phase:
    reader = phase.reader
    made: Phase = reader.part(
        Phase,
        phase.section,
        declarations=reader.context.board.of(reader.topic),
        topics=tuple(map(read_topic, phase.inner)),
    )
    written = read_condition(phase.section, "entry_condition", made.on_error, reader)
    if written is None:
        return made
    return changed(made, entry_condition=compile_written(written, reader.context))


def read_topic(topic: Draft) -> Topic:
    """Return a topic whose actions were read, their conditions compiled."""
    reader, context = topic.reader, topic.reader.context
    actions = tuple(
        changed(action, condition=compile_written(written, context)) if written else action
        for action, written in topic.actions
    )
    made: Topic = reader.part(
        Topic,
        topic.section,
        strategy=_strategy(topic.section, reader),
        declarations=context.board.of(reader.topic),
        actions=actions,
    )
    return with_words(made)


def _strategy(section: Section, reader: Reader) -> str | TopicStrategy | None:
    node = section.node("strategy")
    if not isinstance(node, MapNode):
        if node is not None:
            reader.reads_text(node)
        return section.text("strategy") or None
    return TopicStrategy(**asdict(reader.inside(StrategyKeys, node)[1]))


def read_actions(topic: Draft) -> None:
    """Read the actions of a topic; what they yield is known afterwards.

    Raises:
        ReadingStopped: The script has more than it may have.
    """
    nodes, context = topic.section.full_list("actions"), topic.reader.context
    _check_ids(nodes, "action_id", context.findings)
    for index, node in enumerate(nodes):
        context.actions += 1
        if context.actions > MAX_ACTIONS:
            context.findings.report("too_many_actions", node, max_actions=MAX_ACTIONS)
            raise ReadingStopped
        action = _action(node, topic.reader.at(topic.reader.topic, index))
        if action is not None:
            topic.actions.append(action)


def _action(node: Node, reader: Reader) -> tuple[Action, WrittenCondition | None] | None:
    """Return one action, and its condition as written; None where it cannot be read at all."""
    findings = reader.context.findings
    if not isinstance(node, MapNode):
        wrong(node, _ACTION.what, _ACTION.item, findings)
        return None
    own, loose = _split(node)
    section = Section(own, _ACTION, findings)
    kind = _action_type(section)
    merged = _merged(node, section, loose) if kind is not None else None
    if kind is None or merged is None:
        section.identifier("action_id")
        section.boolean("mandatory", default=False)
        return None
    given: dict[str, Any] = {} if kind in INTERACTIVE else {"exit_sources": None}
    action: Action = reader.part(
        Action,
        section,
        action_type=kind,
        config=reader.inside(CONFIGS[kind], merged)[1],
        written={key: to_json(entry.value) for key, entry in merged.entries.items()},
        place=findings.place(node),
        **given,
    )
    return action, read_condition(section, "condition", action.on_error, reader)


def _split(node: MapNode) -> tuple[MapNode, dict[str, Entry]]:
    """Part the keys of the action from those of its config that stand beside `config`."""
    own, loose = MapNode(node.line, node.column, node.flow), {}
    for key, entry in node.entries.items():
        if _is_actions(key):
            own.entries[key] = entry
        else:
            loose[key] = entry
    return own, loose


def _is_actions(key: str) -> bool:
    if any(key in shape_of(config).keys for config in CONFIGS.values()):
        return False
    known = key in _ACTION.keys or key in _ACTION.aliases
    return known or bool(nearest(key, _ACTION.keys, likeness=LIKELY))


def _action_type(section: Section) -> ActionType | None:
    written, spot = section.text("action_type", required=True), section.spot_of("action_type")
    if not written:
        return None
    if written in tuple(ActionType):
        return ActionType(written)
    known = [*ActionType]
    begun = (f"{verb}_{written}" for verb in _VERBS)
    meant = next((each for each in begun if each in known), written)
    advice = hint(meant, known, say("hint.known", known=tuple(ActionType)))
    section.findings.report("unknown_action_type", spot, written=quoted(written), hint=advice)
    return None


def _merged(node: MapNode, section: Section, loose: Mapping[str, Entry]) -> MapNode | None:
    """Return one mapping of the keys in `config` and beside it; None where `config` is none."""
    inner = section.node("config")
    merged = MapNode(node.line, node.column, node.flow)
    if isinstance(inner, MapNode):
        merged = MapNode(inner.line, inner.column, inner.flow, dict(inner.entries))
    elif inner is not None:
        wrong(inner, "`config`", say("kind.mapping"), section.findings)
        return None
    for key, entry in loose.items():
        first = merged.entries.setdefault(key, entry)
        if first is not entry:
            section.findings.report("key_in_config", entry.key, key=key, line=first.key.line)
    return merged
