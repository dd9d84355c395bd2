"""The fields of a form: what each of them takes."""

from __future__ import annotations

from executor_service.scripts.checking.exit_checks import check_criteria
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import ListNode
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FieldType, FormField
from executor_service.scripts.model.findings import Spot
from executor_service.scripts.model.mapping import changed
from heartrule.domain.output_type import OutputType

MAX_STEPS = 101
"""Most steps of a scale, such as 0 to 100."""
BOUNDED = frozenset({FieldType.NUMBER, FieldType.INTEGER, FieldType.SCALE})
"""The types of field that have bounds."""


def check_form(section: Section, made: FormConfig, reader: Reader) -> FormConfig:
    """Return a fill_form whose criteria were looked over."""
    del reader
    check_criteria(section, made)
    return made


def check_field(section: Section, made: FormField, reader: Reader) -> FormField:
    """Return a field with the type, the bounds and the options that go together."""
    kind = _kind(section, made, reader)
    least, most = _bounds(section, made, kind)
    options = _options(section, made, kind, (least, most))
    return changed(made, type=kind, options=options, min=least, max=most)


def _kind(section: Section, made: FormField, reader: Reader) -> FieldType:
    spotter, name = reader.spotter, made.name
    declared = spotter.context.board.explicit_type(name, spotter.topic)
    kind = made.type
    if not section.fits("type"):
        if section.has("type"):
            spotter.context.yields.add_unclear(name)
        kind = FieldType((declared or OutputType.TEXT).value)
    holds = OutputType.INTEGER if kind is FieldType.SCALE else OutputType(kind.value)
    if declared is not None and declared is not holds:
        section.findings.report(
            "field_conflict",
            section.spot_of("type"),
            name=name,
            declared=declared.value,
            kind=kind.value,
            holds=holds.value,
        )
    spotter.context.yields.add(name, spotter.topic, holds)
    return kind


def _bounds(
    section: Section, made: FormField, kind: FieldType
) -> tuple[float | None, float | None]:
    if kind not in BOUNDED:
        for key in ("min", "max"):
            if section.has(key):
                section.findings.report(
                    "bounds_misplaced", section.key_spot(key), key=key, kind=kind.value
                )
        return None, None
    least = _bound(section, "min", made.min, kind)
    most = _bound(section, "max", made.max, kind)
    if kind is FieldType.SCALE:
        for key in ("min", "max"):
            if not section.has(key):
                section.missing(key, ", the end of its scale")
    if least is not None and most is not None:
        _check_order(section, kind, least, most)
    return least, most


def _bound(section: Section, key: str, value: float | None, kind: FieldType) -> float | None:
    if value is not None and kind is not FieldType.NUMBER and not value.is_integer():
        section.findings.report(
            "not_whole", section.spot_of(key), key=key, value=value, kind=kind.value
        )
        return None
    return value


def _check_order(section: Section, kind: FieldType, least: float, most: float) -> None:
    spot: Spot = section.spot_of("max")
    if most < least or (kind is FieldType.SCALE and most == least):
        section.findings.report("bounds_reversed", spot, most=most, least=least)
    elif kind is FieldType.SCALE and most - least >= MAX_STEPS:
        section.findings.report("too_many_steps", spot, max_steps=MAX_STEPS)


def _options(
    section: Section, made: FormField, kind: FieldType, bounds: tuple[float | None, float | None]
) -> tuple[str, ...]:
    """Return the values of a choice, or what the steps of a scale mean."""
    node = section.node("options")
    if kind is FieldType.CHOICE or (kind is FieldType.SCALE and node is not None):
        section.need_items("options")
    elif kind is not FieldType.SCALE:
        if node is not None:
            section.findings.report("field_options_misplaced", section.spot_of("options"))
        return ()
    least, most = bounds
    if kind is FieldType.SCALE and isinstance(node, ListNode) and None not in bounds:
        assert least is not None
        assert most is not None
        steps = int(most - least) + 1
        if 0 < steps != len(node.items) > 0:
            section.findings.report(
                "words_and_steps", node, count=len(node.items), steps=steps, least=least, most=most
            )
    return made.options
