"""Studies of runs that nobody played, for tests of how they are compared and told."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule_cli.ablation.measures import MEASURES
from heartrule_cli.ablation.study import (
    NONE,
    AblationPlan,
    Arm,
    Design,
    Factor,
    Run,
    Study,
    arms_of,
)

MONITOR = Arm(on=frozenset({Factor.MONITOR}))
ZEROS = {measure.key: 0.0 for measure in MEASURES}


def plan_of(
    *conversations: str, repeats: int = 1, design: Design = Design.ALONE, rehearsed: bool = False
) -> AblationPlan:
    """Return a plan of these conversations."""
    return AblationPlan(
        script="s.yaml",
        conversations=conversations,
        design=design,
        repeats=repeats,
        model="model: m at here",
        rehearsed=rehearsed,
    )


def run_of(conversation: str, arm: Arm = NONE, *, repeat: int = 1, **values: float) -> Run:
    """Return a run of these figures; the others are nothing."""
    return Run(conversation=conversation, repeat=repeat, arm=arm, values={**ZEROS, **values})


def study_of(plan: AblationPlan, runs: Iterable[Run] = ()) -> Study:
    """Return a study in which every run that is not given has figures of nothing."""
    given = {(run.conversation, run.repeat, run.arm): run for run in runs}
    places = [
        (name, repeat, arm)
        for name in plan.conversations
        for repeat in range(1, plan.repeats + 1)
        for arm in arms_of(plan.design)
    ]
    made = [given.get(place) or run_of(place[0], place[2], repeat=place[1]) for place in places]
    return Study(plan=plan, runs=made)
