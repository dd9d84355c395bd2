"""Outputs: the model's values in the types a script asks for, and under its names.

A model may return a value under a name no output has: 年龄 where the script says 岁数.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """Which output each value under a name of the model's belongs to."""

    names: Mapping[str, str] = field(default_factory=dict)
    """The name it was returned under, by output."""
    unknown: tuple[str, ...] = ()
    """Names that belong to none."""


def rename(
    foreign: Mapping[str, JsonValue],
    outputs: Sequence[Output],
    *,
    fits: Callable[[Output, str], bool],
) -> Renamed:
    """Return which outputs take foreign values: the one that lists the name, or the only one left.

    Args:
        foreign: Values by the names of the reply.
        outputs: Those of the action that have no value yet, neither before nor in this reply.
        fits: Whether the value of that name has the output's type and a quote of the client's.
    """
    names: dict[str, str] = {}
    for name in foreign:
        listed = next((o for o in outputs if name in o.also and o.get not in names), None)
        if listed is not None and fits(listed, name):
            names[listed.get] = name
    rest = [name for name in foreign if name not in names.values()]
    left = [output for output in outputs if output.get not in names]
    if len(left) == 1:
        only = left[0]
        match = next((name for name in rest if fits(only, name)), None)
        if match is not None:
            names[only.get] = match
            rest.remove(match)
    return Renamed(names=names, unknown=tuple(rest))
