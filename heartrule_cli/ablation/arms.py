"""What is switched on and off, and in which combinations. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations


class Factor(StrEnum):
    """A part of HeartRule that helps the talking model."""

    MONITOR = "monitor"
    """Advice of the second mind enters prompts."""
    STRATEGY = "strategy"
    """The strategy engine recommends how to speak."""
    ORCHESTRATION = "orchestration"
    """The second mind may edit the plan; it looks at every round for that, advice or none."""


class Design(StrEnum):
    """Which combinations are played."""

    FULL = "full"
    """All eight."""
    ALONE = "alone"
    """None, each alone, all: what one part adds to nothing."""
    WITHOUT = "without"
    """All, each left out, none: what is lost with one part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One combination."""

    on: frozenset[Factor]

    @property
    def name(self) -> str:
        """What reports call it: `none`, `all`, or what is on."""
        if not self.on:
            return "none"
        if len(self.on) == len(Factor):
            return "all"
        return "+".join(each for each in Factor if each in self.on)


NONE = Arm(on=frozenset())
ALL = Arm(on=frozenset(Factor))


def arms_of(design: Design) -> tuple[Arm, ...]:
    """Return the arms of a design, its base first."""
    if design is Design.ALONE:
        return (NONE, *_of_size(1), ALL)
    if design is Design.WITHOUT:
        return (ALL, *reversed(_of_size(2)), NONE)
    return tuple(arm for size in range(len(Factor) + 1) for arm in _of_size(size))


def weights_of(factor: Factor, design: Design) -> Mapping[Arm, float]:
    """Return what each arm counts for the factor's mean effect; nothing where arms are lacking.

    Half of a full design has the factor on and half off, in equal company.
    """
    if design is not Design.FULL:
        return {}
    arms = arms_of(design)
    each = 2 / len(arms)
    return {arm: each if factor in arm.on else -each for arm in arms}


def _of_size(size: int) -> tuple[Arm, ...]:
    return tuple(Arm(on=frozenset(chosen)) for chosen in combinations(Factor, size))
