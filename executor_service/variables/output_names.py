"""Values that a model returned under names that no output has: 年龄 where the script says 岁数."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from executor_service.scripts.model.fields import Output
from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """Which output each such value belongs to."""

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
