"""fill_form: the form, its fields, and what each of them takes."""

from __future__ import annotations

from executor_service.scripts.configs import (
    FORM_ROUNDS,
    ActionType,
    FieldType,
    FormConfig,
    FormField,
)
from executor_service.scripts.context import Spotter
from executor_service.scripts.criteria import check_rounds, read_exit_criteria
from executor_service.scripts.findings import Spot
from executor_service.scripts.keys import FORM, FORM_FIELD
from executor_service.scripts.outputs import free_name, read_options
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, wrong
from executor_service.scripts.tree import ListNode, MapNode, Node, ScalarNode
from heartrule.domain.output_type import OutputType

MAX_FIELDS = 200
"""Most fields of a form."""
MAX_STEPS = 101
"""Most steps of a scale, such as 0 to 100."""
BOUNDED = frozenset({FieldType.NUMBER, FieldType.INTEGER, FieldType.SCALE})


def read_form(config: Section, spotter: Spotter) -> FormConfig:
    """Return the config of a fill_form; what does not fit is reported and left out."""
    spotter.texts(config, "content")
    form = config.section("form", FORM)
    if form is None and not config.has("form"):
        config.missing("form", " with a title and fields")
    title = form.text("title", required=True) if form else ""
    fields = _fields(form, spotter) if form else ()
    criteria = read_exit_criteria(config, ActionType.FILL_FORM, spotter)
    rounds = config.integer("max_rounds", default=FORM_ROUNDS, least=1)
    check_rounds(config, criteria, rounds)
    return FormConfig(
        title=title,
        fields=fields,
        content=config.text("content"),
        exit_criteria=criteria,
        max_rounds=rounds,
    )


def _fields(form: Section, spotter: Spotter) -> tuple[FormField, ...]:
    nodes = form.full_list("fields")
    if len(nodes) > MAX_FIELDS:
        form.findings.error(
            nodes[MAX_FIELDS], f"more than {MAX_FIELDS} fields; split the form", Rule.TOO_LARGE
        )
        return ()
    found: dict[str, FormField] = {}
    for node in nodes:
        field = _field(node, form, spotter)
        if field is None or not field.name:
            continue
        if field.name in found:
            form.findings.error(
                node, f"the field `{field.name}` stands here twice", Rule.DUPLICATE_NAME
            )
        found.setdefault(field.name, field)
    return tuple(found.values())


def _field(node: Node, form: Section, spotter: Spotter) -> FormField | None:
    if not isinstance(node, MapNode):
        shown = node.text if isinstance(node, ScalarNode) else "变量名"
        wrong(node, "a field", f"- {{name: {shown}, label: …}}", form.findings)
        return None
    section = Section(node, FORM_FIELD, form.findings)
    name = section.variable("name")
    name = free_name(name, section.spot_of("name"), section.findings) if name else ""
    kind = _kind(section, name, spotter)
    least, most = _bounds(section, kind)
    return FormField(
        name=name,
        label=section.text("label"),
        type=kind,
        options=_options(section, kind, least, most),
        min=least,
        max=most,
        required=section.boolean("required", default=True),
    )


def _kind(section: Section, name: str, spotter: Spotter) -> FieldType:
    declared = spotter.context.board.explicit_type(name, spotter.topic)
    kind = section.word("type", FieldType)
    if kind is None:
        if section.has("type"):
            spotter.context.yields.add_unclear(name)
        kind = FieldType((declared or OutputType.TEXT).value)
    holds = OutputType.INTEGER if kind is FieldType.SCALE else OutputType(kind.value)
    if declared is not None and declared is not holds:
        section.findings.error(
            section.spot_of("type"),
            f"`{name}` is declared as {declared.value}, but the field's type "
            f"{kind.value} gives {holds.value}; change one of them",
            Rule.TYPE_CONFLICT,
        )
    spotter.context.yields.add(name, spotter.topic, holds)
    return kind


def _bounds(section: Section, kind: FieldType) -> tuple[float | None, float | None]:
    if kind not in BOUNDED:
        for key in ("min", "max"):
            if section.has(key):
                section.findings.error(
                    section.key_spot(key),
                    f"`{key}` belongs to a number, an integer or a scale, not to {kind.value}",
                    Rule.MISPLACED_KEY,
                )
        return None, None
    least, most = (_bound(section, key, kind) for key in ("min", "max"))
    if kind is FieldType.SCALE:
        for key in ("min", "max"):
            if not section.has(key):
                section.missing(key, ", the end of its scale")
    if least is not None and most is not None:
        _check_order(section, kind, least, most)
    return least, most


def _bound(section: Section, key: str, kind: FieldType) -> float | None:
    value = section.number(key)
    if value is not None and kind is not FieldType.NUMBER and not value.is_integer():
        message = f"`{key}` is {value:g}; write a whole number, as its field is {kind.value}"
        section.findings.error(section.spot_of(key), message, Rule.WRONG_VALUE)
        return None
    return value


def _check_order(section: Section, kind: FieldType, least: float, most: float) -> None:
    spot: Spot = section.spot_of("max")
    if most < least or (kind is FieldType.SCALE and most == least):
        section.findings.error(
            spot, f"`max` {most:g} is not above `min` {least:g}", Rule.BAD_BOUNDS
        )
    elif kind is FieldType.SCALE and most - least >= MAX_STEPS:
        section.findings.error(
            spot, f"a scale has at most {MAX_STEPS} steps; write an integer", Rule.BAD_BOUNDS
        )


def _options(
    section: Section, kind: FieldType, least: float | None, most: float | None
) -> tuple[str, ...]:
    """Return the values of a choice, or what the steps of a scale mean."""
    if kind is FieldType.CHOICE:
        return read_options(section)
    if kind is not FieldType.SCALE:
        if section.has("options"):
            message = "`options` belong to a choice or a scale; write `type: choice` too"
            section.findings.error(section.spot_of("options"), message, Rule.MISPLACED_KEY)
        return ()
    node = section.node("options")
    options = read_options(section) if node is not None else ()
    steps = None if least is None or most is None else int(most - least) + 1
    if isinstance(node, ListNode) and steps is not None and 0 < steps != len(node.items) > 0:
        section.findings.error(
            node,
            f"{len(node.items)} words for the {steps} steps from {least:g} to {most:g}",
            Rule.BAD_BOUNDS,
        )
    return options
