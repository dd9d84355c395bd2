"""Records that `collect` gathers: one a round, each once, in a list."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.scripts.model.fields import Collect
from heartrule.domain.json_value import JsonValue


def gather(
    collect: Collect, before: JsonValue, record: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return the variable with the record a reply holds; nothing where it adds none.

    A record that is there already is not added again; one that only adds to the last one takes its
    place, as a client tells of one thing in several answers.

    Args:
        collect: The list and its fields.
        before: The variable's value; what is no list counts as an empty one.
        record: Values of the reply in their types, by field.
    """
    known = list(before) if isinstance(before, list | tuple) else []
    if not record or any(_holds(each, record) for each in known):
        return {}
    if known and _holds(record, known[-1]):
        known.pop()
    return {collect.into: [*known, dict(record)]}


def _holds(whole: JsonValue, part: JsonValue) -> bool:
    """Return whether a record has all that another one has."""
    if not isinstance(whole, Mapping) or not isinstance(part, Mapping):
        return False
    return part.items() <= whole.items()
