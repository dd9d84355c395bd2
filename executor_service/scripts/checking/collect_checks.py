"""What a `collect` must agree with: the list it fills, and when there is enough of it."""

from __future__ import annotations

from executor_service.scripts.checking.written_conditions import compiled
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import ScalarNode
from executor_service.scripts.model.fields import Collect, RecordField
from executor_service.scripts.model.mapping import changed
from heartrule.domain.output_type import OutputType
from heartrule.model.template_filling import placeholders


def check_record_field(section: Section, made: RecordField, _reader: Reader) -> RecordField:
    """Return a field that has options as a choice, and only then."""
    return changed(made, options=choice_options(section, made.type, made.options))


def choice_options(
    section: Section, kind: OutputType, options: tuple[str, ...], code: str = "options_misplaced"
) -> tuple[str, ...]:
    """Return the options of a choice; those of another type are reported and left out."""
    if kind is OutputType.CHOICE:
        section.need_items("options")
        return options
    if section.has("options"):
        section.report(code, "options")
    return ()


def check_collect(section: Section, made: Collect, reader: Reader) -> Collect:
    """Return a collect whose `until` is a condition where it reads the list itself."""
    if made.into:
        reader.context.lists.add(made.into)
        reader.yields(made.into, OutputType.TEXT, section.spot_of("into"))
    node = section.node("until")
    if isinstance(node, ScalarNode) and any(
        each.name == made.into for each in placeholders(node.text)
    ):
        return changed(made, until="", enough=compiled(node, reader.topic, reader.context))
    return made


def check_instead(section: Section) -> None:
    """Report a `collect` beside `output`: it stands in its place."""
    if section.has("collect") and section.has("output"):
        section.report_key("collect_and_output", "collect")
