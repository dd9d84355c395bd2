"""An ablation: its factors, the arms of a design, the runs, and the figures they give. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

from heartrule.words.words import Said
from heartrule_cli.ablation.intervals import Estimate, estimate
from heartrule_cli.services.model_choice import REHEARSAL_NAME

# Repeated at every figure of fixed answers, so that none can be quoted without it.
NO_EVIDENCE = "no evidence: rehearsal model"


class Factor(StrEnum):
    """A part of HeartRule that helps the talking model."""

    MONITOR = "monitor"
    """The monitor's advice enters prompts."""
    STRATEGY = "strategy"
    """The strategy engine recommends how to speak."""
    ORCHESTRATION = "orchestration"
    """The monitor may edit the plan; it analyses every round for that, advice or none."""


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
        """The arm's name in reports: `none`, `all`, or the factors that are on."""
        if not self.on:
            return "none"
        if len(self.on) == len(Factor):
            return "all"
        return "+".join(each for each in Factor if each in self.on)


NONE = Arm(on=frozenset())
ALL = Arm(on=frozenset(Factor))


def arms_of(design: Design) -> tuple[Arm, ...]:
    """Return the arms of a design, its base first."""
    by_size = [
        [Arm(on=frozenset(on)) for on in combinations(Factor, size)]
        for size in range(len(Factor) + 1)
    ]
    if design is Design.ALONE:
        return (NONE, *by_size[1], ALL)
    if design is Design.WITHOUT:
        return (ALL, *reversed(by_size[2]), NONE)
    return tuple(arm for arms in by_size for arm in arms)


def weights_of(factor: Factor, design: Design) -> Mapping[Arm, float]:
    """Return each arm's weight in the factor's mean effect; empty where arms are missing.

    Half of a full design has the factor on and half off, with the other factors balanced.
    """
    if design is not Design.FULL:
        return {}
    arms = arms_of(design)
    each = 2 / len(arms)
    return {arm: each if factor in arm.on else -each for arm in arms}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One conversation played once in one arm."""

    conversation: str
    """Its file."""
    repeat: int
    """Counted from 1."""
    arm: Arm
    values: Mapping[str, float] = field(default_factory=dict)
    """By the keys of the measures."""
    silent: Mapping[str, str] = field(default_factory=dict)
    """Purposes without any answered call, each with the reason of its last failure."""
    models: frozenset[str] = frozenset()
    """Names of the models that were called."""
    lost: Said = ""
    """Why it has no values; empty where it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationPlan:
    """What is to be played."""

    script: str
    conversations: Sequence[str]
    design: Design
    repeats: int
    model: Said
    """A line that names the model."""
    rehearsed: bool
    """True for the rehearsal model."""

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms, the base first."""
        return arms_of(self.design)

    @property
    def base(self) -> Arm:
        """The arm that others are compared with."""
        return self.arms[0]

    @property
    def size(self) -> int:
        """How many runs it takes."""
        return len(self.arms) * len(self.conversations) * self.repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What was played."""

    plan: AblationPlan
    runs: Sequence[Run]

    @property
    def evidence(self) -> str:
        """The mark of every figure; empty where only real models answered."""
        rehearsed = any(REHEARSAL_NAME in run.models for run in self.runs)
        return NO_EVIDENCE if rehearsed or self.plan.rehearsed else ""

    @property
    def missing(self) -> int:
        """How many runs were never begun or broken off."""
        return self.plan.size - len(self.runs)

    @property
    def lost(self) -> list[Run]:
        """The runs without figures."""
        return [run for run in self.runs if run.lost]

    def mean(self, arm: Arm, key: str) -> Estimate | None:
        """Return a measure in one arm; None where every run of it was lost."""
        return self._contrast({arm: 1.0}, key)

    def difference(self, arm: Arm, key: str) -> Estimate | None:
        """Return how an arm differs from the base; None for the base itself."""
        if arm == self.plan.base:
            return None
        return self._contrast({arm: 1.0, self.plan.base: -1.0}, key)

    def effect(self, factor: Factor, key: str) -> Estimate | None:
        """Return what a factor changes on average over the others; None in a smaller design."""
        return self._contrast(weights_of(factor, self.plan.design), key)

    def differs(self, key: str) -> bool:
        """Return whether any arm differs from the base in any conversation."""
        found = (self.difference(arm, key) for arm in self.plan.arms)
        return any(each is not None and not each.is_zero for each in found)

    def _contrast(self, weights: Mapping[Arm, float], key: str) -> Estimate | None:
        """Compare arms within each conversation that has runs of all of them."""
        contrasts = []
        for name in self.plan.conversations:
            values = [(weight, self._values(name, arm, key)) for arm, weight in weights.items()]
            if values and all(runs for _, runs in values):
                contrasts.append(values)
        return estimate(contrasts) if contrasts else None

    def _values(self, conversation: str, arm: Arm, key: str) -> list[float]:
        return [
            run.values[key]
            for run in self.runs
            if not run.lost and run.arm == arm and run.conversation == conversation
        ]
