"""The runs of an ablation, and the figures they give. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heartrule_cli.ablation.arms import Arm, Design, Factor, arms_of, weights_of
from heartrule_cli.ablation.intervals import Estimate, estimate
from heartrule_cli.model_choice import REHEARSAL_NAME

NO_EVIDENCE = "no evidence: rehearsal model"
"""Stands at every figure of fixed answers."""


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
    """What models were asked for and never answered, each with the last failure's reason."""
    models: frozenset[str] = frozenset()
    """Names of the models that were asked."""
    lost: str = ""
    """Why it has no values; empty where it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationPlan:
    """What is to be played."""

    script: str
    conversations: Sequence[str]
    design: Design
    repeats: int
    model: str
    """Who spoke, in a line."""
    rehearsed: bool
    """The rehearsal model spoke."""

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
        """What stands at every figure; empty where only real models spoke."""
        rehearsed = any(REHEARSAL_NAME in run.models for run in self.runs)
        return NO_EVIDENCE if rehearsed or self.plan.rehearsed else ""

    @property
    def missing(self) -> int:
        """How many runs were never begun or broken off."""
        return self.plan.size - len(self.runs)

    @property
    def lost(self) -> list[Run]:
        """The runs that came to no end."""
        return [run for run in self.runs if run.lost]

    def mean(self, arm: Arm, key: str) -> Estimate | None:
        """Return a measure in one arm; None where no run of it came to its end."""
        return self._contrast({arm: 1.0}, key)

    def difference(self, arm: Arm, key: str) -> Estimate | None:
        """Return how an arm differs from the base; None for the base itself."""
        if arm == self.plan.base:
            return None
        return self._contrast({arm: 1.0, self.plan.base: -1.0}, key)

    def effect(self, factor: Factor, key: str) -> Estimate | None:
        """Return what a factor changes, averaged over all company; None in a smaller design."""
        weights = weights_of(factor, self.plan.design)
        return self._contrast(weights, key) if weights else None

    def differs(self, key: str) -> bool:
        """Return whether any arm differs from the base in any conversation."""
        found = (self.difference(arm, key) for arm in self.plan.arms)
        return any(each is not None and not each.is_zero for each in found)

    def _contrast(self, weights: Mapping[Arm, float], key: str) -> Estimate | None:
        """Compare arms within each conversation that has runs of all of them."""
        contrasts = {}
        for name in self.plan.conversations:
            values = [(w, self._values(name, arm, key)) for arm, w in weights.items()]
            if all(runs for _, runs in values):
                contrasts[name] = values
        return estimate(contrasts) if contrasts else None

    def _values(self, conversation: str, arm: Arm, key: str) -> list[float]:
        return [
            run.values[key]
            for run in self.runs
            if not run.lost and run.arm == arm and run.conversation == conversation
        ]
