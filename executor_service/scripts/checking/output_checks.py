"""What an action yields: its outputs, and the fields of a form."""

from __future__ import annotations

import re

from executor_service.scripts.checking.collect_checks import check_instead, choice_options
from executor_service.scripts.checking.exit_checks import (
    check_assessment,
    check_criteria,
    check_known,
)
from executor_service.scripts.checking.question_checks import check_question
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import ListNode, Node
from executor_service.scripts.loading.wrong_values import as_text
from executor_service.scripts.model.actions import (
    SAY_ROUNDS_WITH_EXIT,
    AskConfig,
    SayConfig,
    ThinkConfig,
)
from executor_service.scripts.model.fields import (
    FieldType,
    FormField,
    Output,
    WhenUnsupported,
)
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.limits import Counted
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.wording import hint, quoted
from heartrule.domain.output_type import OutputType
from heartrule.words.words import say

# From 0 to 100; a wider range is no scale but an integer, which a client types.
MAX_STEPS = 101
BOUNDED = frozenset({FieldType.NUMBER, FieldType.INTEGER, FieldType.SCALE})
"""The types of field that have bounds."""
# How a definition says that its value is concluded, not said.
_INFERS = re.compile(r"推断|推测|推论|判断|infer|conclude", re.IGNORECASE)


def check_output(section: Section, made: Output, reader: Reader) -> Output:
    """Return an output with the type its declaration gives it, and options only as a choice."""
    kind = _output_type(section, made, reader)
    # Where no type is named, a declaration might have made it a choice.
    code = "options_misplaced" if section.has("type") else "options_without_type"
    options = choice_options(section, kind, made.options, code)
    unsupported = made.unsupported
    if unsupported is WhenUnsupported.STORE and not _INFERS.search(made.define):
        section.report_key("idle_unsupported", "unsupported")
        unsupported = WhenUnsupported.DROP
    return changed(made, type=kind, options=options, unsupported=unsupported)


def _output_type(section: Section, made: Output, reader: Reader) -> OutputType:
    name, declared = made.get, reader.declared_type(made.get)
    own = made.type if section.fits("type") else None
    if own is None and section.has("type"):
        reader.context.yields.unclear.add(name)
    if own is not None and declared is not None and own is not declared:
        section.report("output_conflict", "type", name=name, declared=declared, own=own)
    kind = own or declared or OutputType.TEXT
    if name:
        reader.yields(name, kind, section.spot_of("get"))
    return kind


def check_ask(section: Section, made: AskConfig, reader: Reader) -> AskConfig:
    """Return an ai_ask with the outputs it must have."""
    check_assessment(section, reader)
    check_criteria(section, made)
    _need_words(section, "brief")
    check_question(section, made.content)
    check_instead(section)
    asked = changed(made, required=_required(section, made.output))
    check_known(section, asked)
    return asked


def check_think(section: Section, made: ThinkConfig, _reader: Reader) -> ThinkConfig:
    """Return an ai_think that reads each variable once."""
    _need_words(section, "goal")
    check_instead(section)
    return changed(made, input_variables=tuple(dict.fromkeys(made.input_variables)))


def check_say(section: Section, made: SayConfig, _reader: Reader) -> SayConfig:
    """Return an ai_say with the rounds of one that has an exit, where the author names none."""
    _need_words(section, "goal")
    has_exit = made.exit or made.exit_criteria is not None
    if has_exit and not section.fits("max_rounds"):
        made = changed(made, max_rounds=SAY_ROUNDS_WITH_EXIT)
    check_criteria(section, made)
    return made


def _need_words(section: Section, other: str) -> None:
    """Report a config that names neither what to say nor the key that may stand for it."""
    if not section.has("content") and not section.has(other):
        section.missing("content", say("advice.or_key", other=other))


def _required(section: Section, outputs: tuple[Output, ...]) -> tuple[str, ...]:
    """Return the outputs the model must have: all of them unless the author lists fewer."""
    names = tuple(output.get for output in outputs)
    node = section.node("required")
    if isinstance(node, ListNode):
        return tuple(dict.fromkeys(_known(item, names, section.findings) for item in node.items))
    return names if section.boolean("required", default=True) else ()


def _known(node: Node, names: tuple[str, ...], findings: Findings) -> str:
    name = as_text(node, "required", findings)
    if name and name not in names:
        advice = hint(name, names, say("hint.its_outputs", known=tuple(names)))
        findings.report("unknown_required", node, name=quoted(name), hint=advice)
    return name


def check_field(section: Section, made: FormField, reader: Reader) -> FormField:
    """Return a field with the type, the bounds and the options that go together."""
    kind = _field_type(section, made, reader)
    least, most = _bounds(section, made, kind)
    options = _field_options(section, made, kind, (least, most))
    if made.safety_item and not made.safety_values:
        section.missing("safety_values", say("advice.safety_values"))
    if made.safety_values and not made.safety_item:
        section.report_key("idle_safety_values", "safety_values")
    return changed(made, type=kind, options=options, min=least, max=most)


def _field_type(section: Section, made: FormField, reader: Reader) -> FieldType:
    name, kind, declared = made.name, made.type, reader.declared_type(made.name)
    if not section.fits("type"):
        if section.has("type"):
            reader.context.yields.unclear.add(name)
        kind = FieldType((declared or OutputType.TEXT).value)
    holds = OutputType.INTEGER if kind is FieldType.SCALE else OutputType(kind.value)
    if declared is not None and declared is not holds:
        section.report(
            "field_conflict", "type", name=name, declared=declared, kind=kind, holds=holds
        )
    reader.context.take(Counted.OUTPUTS, section.spot_of("name"))
    reader.context.yields.add(name, reader.topic, holds)
    return kind


def _bounds(
    section: Section, made: FormField, kind: FieldType
) -> tuple[float | None, float | None]:
    """Return the bounds of a field; those that its type cannot have are reported and left out."""
    bounds = {"min": made.min, "max": made.max}
    for key, value in tuple(bounds.items()):
        if kind not in BOUNDED:
            if section.has(key):
                section.report_key("bounds_misplaced", key, key=key, kind=kind)
            bounds[key] = None
        elif value is not None and kind is not FieldType.NUMBER and not value.is_integer():
            section.report("not_whole", key, key=key, value=value, kind=kind)
            bounds[key] = None
        elif kind is FieldType.SCALE and not section.has(key):
            section.missing(key, say("advice.end_of_scale"))
    least, most = bounds["min"], bounds["max"]
    if least is not None and most is not None:
        is_scale = kind is FieldType.SCALE
        if most < least or (is_scale and most == least):
            section.report("bounds_reversed", "max", most=most, least=least)
        elif is_scale and most - least >= MAX_STEPS:
            section.report("too_many_steps", "max", max_steps=MAX_STEPS)
    return least, most


def _field_options(
    section: Section, made: FormField, kind: FieldType, bounds: tuple[float | None, float | None]
) -> tuple[str, ...]:
    """Return the values of a choice, or what the steps of a scale mean."""
    node = section.node("options")
    if kind is FieldType.CHOICE or (kind is FieldType.SCALE and node is not None):
        section.need_items("options")
    elif kind is not FieldType.SCALE:
        if node is not None:
            section.findings.report("field_options_misplaced", node)
        return ()
    least, most = bounds
    if isinstance(node, ListNode) and kind is FieldType.SCALE and None not in bounds:
        assert least is not None
        assert most is not None
        steps = int(most - least) + 1
        if 0 < steps != len(node.items) > 0:
            section.findings.report(
                "words_and_steps", node, count=len(node.items), steps=steps, least=least, most=most
            )
    return made.options
