"""Outputs: the model's values in the types a script asks for (SCRIPT-LANGUAGE, output)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor_service.scripts.model.fields import Output
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation
from heartrule.model.reply.convert import Unconvertible, convert


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedOutputs:
    """What an action extracted, as its script wants it."""

    values: Mapping[str, JsonValue]
    """Only what has a value; the rest stays unset."""
    degradations: tuple[Degradation, ...] = ()
    """One for each value that does not convert."""


def convert_outputs(raw: Mapping[str, JsonValue], outputs: Sequence[Output]) -> ConvertedOutputs:
    """Convert each output the model answered; names that are no output are left out.

    Null and blank text mean that the client gave no value: the variable stays as it is.
    """
    values: dict[str, JsonValue] = {}
    failed: list[Degradation] = []
    for output in outputs:
        given = raw.get(output.get)
        if given is None or (isinstance(given, str) and not given.strip()):
            continue
        value = convert(given, output.type, output.options)
        if isinstance(value, Unconvertible):
            # Its value is the client's, and is not repeated.
            facts = {"variable": output.get, "type": str(output.type)}
            failed.append(Degradation.of("variables", "OUTPUT_NOT_CONVERTED", **facts))
        else:
            values[output.get] = value
    return ConvertedOutputs(values=values, degradations=tuple(failed))
