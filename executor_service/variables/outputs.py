"""Outputs: the model's values converted to the types a script asks for (SCRIPT-LANGUAGE)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor_service.scripts.configs import Output, OutputType
from executor_service.variables.plain import day_of, folded, number_of, truth_of
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation
from heartrule.model.placeholders import render_value

_LARGEST = 2**53 - 1
"""The largest whole number every JSON reader keeps exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedOutputs:
    """What an action extracted, as its script wants it."""

    values: Mapping[str, JsonValue]
    """Only what has a value; the rest stays unset."""
    degradations: tuple[Degradation, ...] = ()
    """One for each value that does not convert."""


def convert_outputs(raw: Mapping[str, JsonValue], outputs: Sequence[Output]) -> ConvertedOutputs:
    """Convert each output the model answered; names that are no output are left out.

    Null and blank text mean that the client said nothing of it: the variable stays as it is.
    """
    values: dict[str, JsonValue] = {}
    failed: list[Degradation] = []
    for output in outputs:
        said = raw.get(output.get)
        if said is None or (isinstance(said, str) and not said.strip()):
            continue
        value = convert(said, output)
        if value is None:
            failed.append(_not_converted(output))
        else:
            values[output.get] = value
    return ConvertedOutputs(values=values, degradations=tuple(failed))


def convert(said: JsonValue, output: Output) -> JsonValue:
    """Return a value in the output's type; None where it does not convert.

    Texts stay as they were said, lists and numbers become text; a choice gives the option as the
    script writes it; a date gives YYYY-MM-DD.
    """
    match output.type:
        case OutputType.NUMBER:
            return _number(said)
        case OutputType.INTEGER:
            number = _number(said)
            return number if isinstance(number, int) else None
        case OutputType.BOOLEAN:
            return truth_of(said)
        case OutputType.DATE:
            day = day_of(said)
            return None if day is None else day.isoformat()
        case OutputType.CHOICE:
            return _option(said, output.options)
        case OutputType.TEXT:
            return render_value(said)


def _number(said: JsonValue) -> int | float | None:
    """Return a number, whole ones without a fraction; None for one too large to be kept exactly."""
    number = number_of(said)
    if number is None or number != int(number):
        return None if number is None else float(number)
    return int(number) if abs(number) <= _LARGEST else None


def _option(said: JsonValue, options: Sequence[str]) -> str | None:
    wanted = folded(render_value(said)).casefold()
    return next((option for option in options if folded(option).casefold() == wanted), None)


def _not_converted(output: Output) -> Degradation:
    return Degradation(
        stage="variables",
        reason="OUTPUT_NOT_CONVERTED",
        metadata={"variable": output.get, "type": str(output.type)},
    )
