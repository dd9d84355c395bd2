"""What a technique file says: inputs, outputs and one topic."""

from __future__ import annotations

from dataclasses import replace

from executor_service.scripts.context import LoadedTechnique, PlacedRead, ReadContext
from executor_service.scripts.declarations import AFTER_ALL, Owner, order_of
from executor_service.scripts.keys import INPUT_PARAMETER, TECHNIQUE, TOPIC
from executor_service.scripts.lint import lint
from executor_service.scripts.model import InputParameter, Phase, Script, Technique, Topic
from executor_service.scripts.placeholders import Read
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, as_text, as_variable, wrong
from executor_service.scripts.topics import TooManyActions, draft, read_actions, read_topic
from executor_service.scripts.tree import MapNode, Node, ScalarNode, kind_of
from executor_service.scripts.types import VisibleTypes
from executor_service.scripts.wording import nearest, quoted
from heartrule.domain.output_type import OutputType

_TOPIC = Owner(0, 0)


def read_technique(root: Node, context: ReadContext) -> LoadedTechnique | None:
    """Return a technique and what its users need to know; None where it has an error."""
    if not isinstance(root, MapNode):
        context.findings.error(
            root, f"the file holds {kind_of(root)}; write `technique_id: …`", Rule.WRONG_FILE
        )
        return None
    section = Section(root, TECHNIQUE, context.findings)
    parameters = _parameters(section)
    context.given = frozenset(parameter.name for parameter in parameters)
    topic = _topic(section, context)
    outputs = _outputs(section, context)
    technique_id, name = section.identifier("technique_id"), section.text("technique_name")
    if topic is None or context.findings.has_errors:
        return None
    types = VisibleTypes(context.board, context.yields, _TOPIC)
    technique = Technique(
        technique_id=technique_id,
        technique_name=name,
        input_parameters=tuple(
            replace(each, type=types.get(each.name, OutputType.TEXT)) for each in parameters
        ),
        output_variables=outputs,
        topic=topic,
    )
    lint(_as_script(technique), context)
    return LoadedTechnique(
        technique=technique,
        types={name: types.get(name, OutputType.TEXT) for name in outputs},
        height=context.height + 1,
        actions=context.actions + context.inner_actions,
    )


def _parameters(section: Section) -> tuple[InputParameter, ...]:
    found: dict[str, InputParameter] = {}
    for node in section.items("input_parameters"):
        if not isinstance(node, MapNode):
            shown = node.text if isinstance(node, ScalarNode) else "变量名"
            wrong(node, "an input parameter", f"- {{name: {shown}, …}}", section.findings)
            continue
        inner = Section(node, INPUT_PARAMETER, section.findings)
        parameter = InputParameter(
            name=inner.variable("name"),
            description=inner.text("description"),
            required=inner.boolean("required", default=True),
        )
        if parameter.name in found:
            message = f"the input parameter `{parameter.name}` stands here twice"
            section.findings.error(node, message, Rule.DUPLICATE_NAME)
        elif parameter.name:
            found[parameter.name] = parameter
    return tuple(found.values())


def _topic(section: Section, context: ReadContext) -> Topic | None:
    node = section.node("topic")
    if not isinstance(node, MapNode):
        if node is None:
            section.missing("topic", " with a topic_id and actions")
        else:
            wrong(node, "`topic`", "a mapping with topic_id and actions", section.findings)
        return None
    topic = draft(node, TOPIC, _TOPIC, context)
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


def _outputs(section: Section, context: ReadContext) -> tuple[str, ...]:
    """Return the output variables, each of which the topic must be able to set."""
    found: dict[str, None] = {}
    declared = [each.var for each in context.board.of(_TOPIC)]
    known = dict.fromkeys((*context.yields.names(), *declared, *context.given))
    for node in section.items("output_variables"):
        name = as_text(node, "output_variables", section.findings)
        if not name or not as_variable(node, name, section.findings):
            continue
        if name in found:
            section.findings.error(
                node, f"the output variable `{name}` stands here twice", Rule.DUPLICATE_NAME
            )
        elif name not in known and not context.findings.has_errors:
            meant = nearest(name, known)
            hint = f"did you mean `{meant}`?" if meant else "name it in an action's `output`"
            message = f"no action of the technique yields {quoted(name)}; {hint}"
            section.findings.error(node, message, Rule.UNKNOWN_OUTPUT)
        found[name] = None
        read = Read(name=name, spot=node)
        context.reads.append(PlacedRead(read, _TOPIC, order_of(_TOPIC, AFTER_ALL)))
    return tuple(found)


def _as_script(technique: Technique) -> Script:
    """Return a technique as the only topic of a script, to be looked over like one."""
    topic = technique.topic
    phase = Phase(phase_id=topic.topic_id, topics=(topic,))
    return Script(session_id=technique.technique_id, phases=(phase,))
