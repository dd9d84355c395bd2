"""Values of a form's fields: as a submitted form gives them, and as talk does.

A submission is taken as it is typed, and as the text boxes of a web page write it: "25" is a
number there, `25岁` is none. Talk is read as an output of ai_ask is: `25岁` holds one number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from executor_service.exits.comparison import number_of
from executor_service.scripts.model.fields import FieldType, FormField
from executor_service.scripts.model.kinds import is_date
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.model.reply.convert import Unconvertible, convert
from heartrule.model.reply.flags import read_flag


class Trouble(StrEnum):
    """Why a value is none of its field's."""

    TYPE = "type"
    RANGE = "range"
    OPTION = "option"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a set of values came to."""

    values: Mapping[str, JsonValue] = field(default_factory=dict)
    """Those that their fields take, in the fields' order."""
    wrong: Mapping[str, Trouble] = field(default_factory=dict)
    """The others; what stood there is not kept."""
    unknown: int = 0
    """How many values have a name that no field has."""


def check_submission(fields: Sequence[FormField], given: Mapping[str, JsonValue]) -> Checked:
    """Hold each value of a submitted form against its field; nulls and blanks are no answer."""
    checked = _check(fields, given, _submitted)
    known = {each.name for each in fields}
    return Checked(values=checked.values, wrong=checked.wrong, unknown=len(set(given) - known))


def check_talked(fields: Sequence[FormField], given: Mapping[str, JsonValue]) -> Checked:
    """Hold each value that a model took from talk against its field."""
    return _check(fields, given, _talked)


def _check(
    fields: Sequence[FormField],
    given: Mapping[str, JsonValue],
    take: Callable[[FormField, JsonValue], JsonValue | Trouble],
) -> Checked:
    values: dict[str, JsonValue] = {}
    wrong: dict[str, Trouble] = {}
    for each in fields:
        answer = given.get(each.name)
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            continue
        value = take(each, answer)
        if isinstance(value, Trouble):
            wrong[each.name] = value
        else:
            values[each.name] = value
    return Checked(values=values, wrong=wrong)


def _submitted(each: FormField, answer: JsonValue) -> JsonValue | Trouble:
    match each.type:
        case FieldType.TEXT:
            return answer.strip() if isinstance(answer, str) else Trouble.TYPE
        case FieldType.BOOLEAN:
            flag = read_flag(answer) if isinstance(answer, bool | str) else None
            return Trouble.TYPE if flag is None else flag
        case FieldType.CHOICE:
            return answer if answer in each.options else Trouble.OPTION
        case FieldType.DATE:
            return _day(answer)
        case _:
            number = number_of(answer)
            return Trouble.TYPE if number is None else _in_range(each, float(number))


def _day(answer: JsonValue) -> JsonValue | Trouble:
    text = answer.strip() if isinstance(answer, str) else ""
    return text if is_date(text) else Trouble.TYPE


def _talked(each: FormField, answer: JsonValue) -> JsonValue | Trouble:
    if each.type is FieldType.SCALE and isinstance(answer, str) and answer.strip() in each.options:
        return int(each.min or 0) + each.options.index(answer.strip())
    if each.type is FieldType.SCALE:
        value = convert(answer, OutputType.INTEGER)
    else:
        value = convert(answer, OutputType(each.type.value), each.options)
    if isinstance(value, Unconvertible):
        return Trouble.OPTION if each.type is FieldType.CHOICE else Trouble.TYPE
    if each.type in {FieldType.NUMBER, FieldType.INTEGER, FieldType.SCALE}:
        assert isinstance(value, int | float)
        return _in_range(each, value)
    return value


def _in_range(each: FormField, number: float) -> JsonValue | Trouble:
    """Return a number of the field's kind within its bounds, an integer where it is one."""
    whole = float(number).is_integer()
    if not whole and each.type is not FieldType.NUMBER:
        return Trouble.TYPE
    below = each.min is not None and number < each.min
    above = each.max is not None and number > each.max
    if below or above:
        return Trouble.RANGE
    return int(number) if whole else float(number)
