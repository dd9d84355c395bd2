"""What a technique file says: inputs, outputs and one topic."""

from __future__ import annotations

from executor_service.scripts.checking.board import AFTER_ALL, Owner, VisibleTypes
from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.checking.context import LoadedTechnique, ReadContext, Spotter
from executor_service.scripts.checking.lint import lint
from executor_service.scripts.loading.reader import Reader
from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.topics import TooManyActions, draft, read_actions, read_topic
from executor_service.scripts.loading.tree import ListNode, MapNode, Node, ScalarNode, kind_of
from executor_service.scripts.model.mapping import changed, shape_of
from executor_service.scripts.model.rules import Rule
from executor_service.scripts.model.script import Phase, Script, Technique, Topic
from executor_service.scripts.model.wording import nearest, quoted
from heartrule.domain.output_type import OutputType

_TOPIC = Owner(0, 0)


def read_technique(root: Node, context: ReadContext) -> LoadedTechnique | None:
    """Return a technique and what its users need to know; None where it has an error."""
    if not isinstance(root, MapNode):
        context.findings.error(
            root, f"the file holds {kind_of(root)}; write `technique_id: …`", Rule.WRONG_FILE
        )
        return None
    section = Section(root, shape_of(Technique), context.findings)
    reader = Reader(Spotter(context, _TOPIC, AFTER_ALL), CHECKS)
    made: Technique = reader.part(Technique, section, topic=None)
    context.given = frozenset(parameter.name for parameter in made.input_parameters)
    topic = _topic(section, context)
    _check_outputs(section, made, context)
    if topic is None or context.findings.has_errors:
        return None
    types = VisibleTypes(context.board, context.yields, _TOPIC)
    parameters = tuple(
        changed(each, type=types.get(each.name, OutputType.TEXT)) for each in made.input_parameters
    )
    technique = changed(made, input_parameters=parameters, topic=topic)
    lint(_as_script(technique), context)
    return LoadedTechnique(
        technique=technique,
        types={name: types.get(name, OutputType.TEXT) for name in technique.output_variables},
        height=context.height + 1,
        actions=context.actions + context.inner_actions,
    )


def _topic(section: Section, context: ReadContext) -> Topic | None:
    node = section.node("topic")
    if not isinstance(node, MapNode):
        if node is None:
            section.missing("topic", " with a topic_id and actions")
        else:
            wrong(node, "`topic`", "a mapping with topic_id and actions", section.findings)
        return None
    topic = draft(node, Topic, _TOPIC, context)
    for owner in (Owner(), Owner(0)):
        for declaration in context.board.of(owner):
            context.findings.error(
                declaration.place,
                f"a technique keeps its variables to itself; leave `scope` out, and hand "
                f"`{declaration.var}` out through output_variables",
                Rule.WRONG_SCOPE,
            )
    try:
        read_actions(topic, context)
    except TooManyActions:
        return None
    return read_topic(topic, context)


def _check_outputs(section: Section, made: Technique, context: ReadContext) -> None:
    """Report output variables that the topic cannot set."""
    declared = [each.var for each in context.board.of(_TOPIC)]
    known = dict.fromkeys((*context.yields.names(), *declared, *context.given))
    node = section.node("output_variables")
    if context.findings.has_errors or not isinstance(node, ListNode):
        return
    for item in node.items:
        name = item.text.strip() if isinstance(item, ScalarNode) else ""
        if name in made.output_variables and name not in known:
            meant = nearest(name, known)
            hint = f"did you mean `{meant}`?" if meant else "name it in an action's `output`"
            message = f"no action of the technique yields {quoted(name)}; {hint}"
            section.findings.error(item, message, Rule.UNKNOWN_OUTPUT)


def _as_script(technique: Technique) -> Script:
    """Return a technique as the only topic of a script, to be looked over like one."""
    topic = technique.topic
    phase = Phase(phase_id=topic.topic_id, topics=(topic,))
    return Script(session_id=technique.technique_id, phases=(phase,))
