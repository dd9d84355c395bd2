"""How far a form is filled: names alone, kept in its action's memory (RESOLUTIONS C22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from executor_service.forms.values import Checked, Trouble
from executor_service.scripts.model.fields import FormField
from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class FormProgress:
    """Which fields have a value, and which were last answered with one that does not fit.

    A form begins empty whatever its variables hold, and keeps what earlier rounds filled in.
    """

    filled: frozenset[str] = frozenset()
    wrong: Mapping[str, Trouble] = field(default_factory=dict)

    def after(self, checked: Checked) -> FormProgress:
        """Return the progress with a set of values taken in; a wrong one unfills its field."""
        answered = {**checked.values, **checked.wrong}
        wrong = {name: trouble for name, trouble in self.wrong.items() if name not in answered}
        return FormProgress(
            filled=(self.filled | set(checked.values)) - set(checked.wrong),
            wrong={**wrong, **checked.wrong},
        )

    def missing(self, fields: Sequence[FormField]) -> tuple[FormField, ...]:
        """Return the required fields without an answer."""
        return tuple(
            each
            for each in fields
            if each.required and each.name not in self.filled and each.name not in self.wrong
        )

    def refused(self, fields: Sequence[FormField]) -> tuple[FormField, ...]:
        """Return the fields whose last answer does not fit."""
        return tuple(each for each in fields if each.name in self.wrong)

    def complete(self, fields: Sequence[FormField]) -> bool:
        """Return whether nothing required is missing and nothing is wrong."""
        return not self.missing(fields) and not self.wrong

    def facts(self, fields: Sequence[FormField]) -> dict[str, JsonValue]:
        """Return its part of an action's result."""
        return {
            "form": {
                "filled": [each.name for each in fields if each.name in self.filled],
                "missing": [each.name for each in self.missing(fields)],
                "invalid": {
                    each.name: self.wrong[each.name].value for each in self.refused(fields)
                },
                "fields": len(fields),
            }
        }

    def memory(self) -> dict[str, JsonValue]:
        """Return what the action keeps of it."""
        return {
            "filled": sorted(self.filled),
            "wrong": {name: trouble.value for name, trouble in self.wrong.items()},
        }


def remembered(memory: Mapping[str, JsonValue]) -> FormProgress:
    """Return the progress an action kept; none where it kept none."""
    wrong = memory.get("wrong")
    return FormProgress(
        filled=frozenset(names(memory.get("filled"))),
        wrong={name: Trouble(str(each)) for name, each in wrong.items()}
        if isinstance(wrong, Mapping)
        else {},
    )


def names(value: JsonValue) -> tuple[str, ...]:
    """Return the names in a list that a memory holds; none where it holds none."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple(str(each) for each in value)
