"""Session, phases and topics: first their declarations everywhere, then their actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from executor_service.scripts.actions import read_action
from executor_service.scripts.context import MAX_ACTIONS, ReadContext, Spotter
from executor_service.scripts.declarations import Owner, read_declarations
from executor_service.scripts.keys import INPUT, PHASE, SESSION, STRATEGY, TOPIC, Shape
from executor_service.scripts.model import Action, InputSettings, Phase, Script, Topic
from executor_service.scripts.section import Section, wrong
from executor_service.scripts.tree import MapNode, Node, ScalarNode
from executor_service.scripts.wording import nearest, quoted
from heartrule.domain.conversation import IfBusy
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import TopicStrategy

MAX_MERGE_WINDOW_MS = 60_000
"""Longest wait for fragments; a person would think nobody is there."""


class _TooManyActions(Exception):
    """Reading stops; the reason was reported."""


@dataclass(slots=True)
class _Draft:
    """A phase or topic whose keys are sorted, and whose inside is still to be read."""

    section: Section
    owner: Owner
    inner: list[_Draft] = field(default_factory=list)


def read_session(node: MapNode, metadata: dict[str, JsonValue], context: ReadContext) -> Script:
    """Return the script under `session:`; what does not fit is reported and left out."""
    section = Section(node, SESSION, context.findings)
    session_id = section.identifier("session_id")
    context.scheme = _scheme(section, context)
    _declare(section, Owner(), context)
    drafts = _drafts(section.full_list("phases"), PHASE, Owner(), context)
    for draft in drafts:
        nodes = draft.section.full_list("topics")
        draft.inner = _drafts(nodes, TOPIC, draft.owner, context)
    return Script(
        session_id=session_id,
        session_name=section.text("session_name"),
        description=section.text("description"),
        template_scheme=context.scheme,
        input=_input(section),
        phases=_phases(drafts, context),
        declarations=context.board.of(Owner()),
        metadata=metadata,
    )


def _drafts(
    nodes: Sequence[Node], shape: Shape, parent: Owner, context: ReadContext
) -> list[_Draft]:
    found: list[_Draft] = []
    _check_ids(nodes, shape.keys[0], context)
    for node in nodes:
        if not isinstance(node, MapNode):
            wrong(node, shape.what, f"a mapping with {', '.join(shape.keys)}", context.findings)
            continue
        index = len(found)
        owner = Owner(index) if parent.phase is None else Owner(parent.phase, index)
        section = Section(node, shape, context.findings)
        _declare(section, owner, context)
        found.append(_Draft(section, owner))
    return found


def _declare(section: Section, owner: Owner, context: ReadContext) -> None:
    for declared in read_declarations(section.items("declare"), owner.scope, context.findings):
        context.board.add(declared, owner)


def _phases(drafts: Sequence[_Draft], context: ReadContext) -> tuple[Phase, ...]:
    found: list[Phase] = []
    try:
        found.extend(_phase(draft, context) for draft in drafts)
    except _TooManyActions:
        pass  # reported where it was met; the script is refused
    return tuple(found)


def _phase(draft: _Draft, context: ReadContext) -> Phase:
    section = draft.section
    return Phase(
        phase_id=section.identifier("phase_id"),
        phase_name=section.text("phase_name"),
        phase_goal=section.text("phase_goal"),
        description=section.text("description"),
        declarations=context.board.of(draft.owner),
        topics=tuple(_topic(topic, context) for topic in draft.inner),
    )


def _topic(draft: _Draft, context: ReadContext) -> Topic:
    section, spotter = draft.section, Spotter(context, draft.owner)
    spotter.texts(section, "topic_goal")
    return Topic(
        topic_id=section.identifier("topic_id"),
        topic_name=section.text("topic_name"),
        topic_goal=section.text("topic_goal"),
        description=section.text("description"),
        strategy=_strategy(section, spotter),
        declarations=context.board.of(draft.owner),
        actions=_actions(section, draft.owner, context),
    )


def _actions(section: Section, topic: Owner, context: ReadContext) -> tuple[Action, ...]:
    found: list[Action] = []
    nodes = section.full_list("actions")
    _check_ids(nodes, "action_id", context)
    for index, node in enumerate(nodes):
        context.actions += 1
        if context.actions > MAX_ACTIONS:
            message = f"more than {MAX_ACTIONS:,} actions; split the script"
            context.findings.error(node, message)
            raise _TooManyActions
        action = read_action(node, topic, index, context)
        if action is not None:
            found.append(action)
    return tuple(found)


def _check_ids(nodes: Sequence[Node], key: str, context: ReadContext) -> None:
    """Report ids that stand twice among siblings."""
    lines: dict[str, int] = {}
    for node in nodes:
        entry = node.entries.get(key) if isinstance(node, MapNode) else None
        if entry is None or not isinstance(entry.value, ScalarNode) or not entry.value.text:
            continue
        name, line = entry.value.text.strip(), entry.value.line
        if name in lines:
            message = f"the {key} {quoted(name)} is taken in line {lines[name]}; choose another"
            context.findings.error(entry.value, message)
        lines.setdefault(name, line)


def _scheme(section: Section, context: ReadContext) -> str:
    scheme = section.identifier("template_scheme", required=False)
    known = context.environment.schemes
    if not scheme or known is None or scheme in known:
        return scheme
    meant = nearest(scheme, known)
    hint = f"did you mean `{meant}`?" if meant else f"known: {', '.join(sorted(known)) or 'none'}"
    section.findings.error(
        section.spot_of("template_scheme"), f"no templates for the scheme {quoted(scheme)}; {hint}"
    )
    return ""


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


def _input(section: Section) -> InputSettings:
    inner = section.section("input", INPUT)
    if inner is None:
        return InputSettings()
    window = inner.integer("merge_window_ms", default=0, least=0, most=MAX_MERGE_WINDOW_MS)
    return InputSettings(if_busy=_if_busy(inner), merge_window_ms=window)


def _if_busy(section: Section) -> IfBusy:
    found = section.word("if_busy", IfBusy) or IfBusy.MERGE
    if found in {IfBusy.INTERRUPT, IfBusy.RESTART}:
        section.findings.error(
            section.spot_of("if_busy"),
            f"`if_busy: {found.value}` is not yet supported; write merge, queue or reject",
        )
    return found
