"""The arms of a design, and the figures of a study."""

from __future__ import annotations

import pytest

from heartrule_cli.ablation.study import (
    NO_EVIDENCE,
    NONE,
    Design,
    Factor,
    Run,
    Study,
    arms_of,
    weights_of,
)
from heartrule_cli.services.model_choice import REHEARSAL_NAME
from tests.support.ablations import MONITOR, plan_of, run_of, study_of

SINGLE = ["monitor", "strategy", "orchestration"]
PAIRS = ["monitor+strategy", "monitor+orchestration", "strategy+orchestration"]


@pytest.mark.parametrize(
    ("design", "names"),
    [
        (Design.FULL, ["none", *SINGLE, *PAIRS, "all"]),
        (Design.ALONE, ["none", *SINGLE, "all"]),
        (Design.WITHOUT, ["all", *reversed(PAIRS), "none"]),
    ],
)
def test_a_designs_arms(design: Design, names: list[str]) -> None:
    """The base stands first: the plain conversation, or the whole from which one is left out."""
    assert [arm.name for arm in arms_of(design)] == names


@pytest.mark.parametrize("factor", Factor)
def test_a_mean_effect_weighs_all_company_alike(factor: Factor) -> None:
    """On and off cancel for every other factor, so that only this one's change remains."""
    weights = weights_of(factor, Design.FULL)
    for other in Factor:
        balance = sum(weight for arm, weight in weights.items() if other in arm.on)
        assert balance == (1.0 if other is factor else 0.0)


@pytest.mark.parametrize("design", [Design.ALONE, Design.WITHOUT])
def test_a_smaller_design_has_no_mean_effects(design: Design) -> None:
    """Half of its combinations were never played."""
    assert weights_of(Factor.MONITOR, design) == {}


def test_an_arm_is_compared_with_the_base() -> None:
    """The mean of the differences of the conversations, whatever their own level."""
    runs = [run_of("a", rounds=9), run_of("a", MONITOR, rounds=7)]
    runs += [run_of("b", rounds=3), run_of("b", MONITOR, rounds=1)]
    found = study_of(plan_of("a", "b"), runs).difference(MONITOR, "rounds")
    assert found is not None
    assert (found.mean, found.same) == (-2, True)


def test_the_base_differs_from_nothing() -> None:
    """It has a mean alone."""
    study = study_of(plan_of("a"), [run_of("a", rounds=4)])
    mean = study.mean(NONE, "rounds")
    assert mean is not None
    assert (mean.mean, study.difference(NONE, "rounds")) == (4, None)


def test_a_measure_that_is_the_same_everywhere_does_not_differ() -> None:
    """Also where conversations differ among themselves."""
    arms = arms_of(Design.ALONE)
    runs = [run_of(name, arm, rounds=level) for name, level in (("a", 4), ("b", 9)) for arm in arms]
    study = study_of(plan_of("a", "b"), runs)
    assert not study.differs("rounds")


def test_one_conversation_that_differs_is_a_difference() -> None:
    """Although the arm's mean is that of the base."""
    runs = [run_of("a", MONITOR, rounds=1), run_of("b", MONITOR, rounds=-1)]
    assert study_of(plan_of("a", "b"), runs).differs("rounds")


def test_a_mean_effect_is_averaged_over_all_company() -> None:
    """What the monitor adds alone and in three companies, in one figure."""
    runs = [
        run_of("a", arm, rounds=2.0 * (Factor.MONITOR in arm.on) + 5 * (Factor.STRATEGY in arm.on))
        for arm in arms_of(Design.FULL)
    ]
    study = study_of(plan_of("a", design=Design.FULL), runs)
    effects = [study.effect(factor, "rounds") for factor in Factor]
    assert [each.mean for each in effects if each is not None] == [2, 5, 0]


def test_a_lost_run_counts_nowhere() -> None:
    """A conversation without any run of an arm is left out of that arm's comparison."""
    lost = Run(conversation="a", repeat=1, arm=MONITOR, lost="MODEL_TIMEOUT")
    plan = plan_of("a", "b")
    whole = study_of(plan, [run_of("a", rounds=100), run_of("b", MONITOR, rounds=3)])
    runs = [lost if (r.conversation, r.arm) == ("a", MONITOR) else r for r in whole.runs]
    study = Study(plan=plan, runs=runs)
    found = study.difference(MONITOR, "rounds")
    assert found is not None
    assert (found.mean, study.lost) == (3, [lost])


def test_the_rehearsal_model_behind_an_address_is_no_evidence_either() -> None:
    """What counts is who answered, not what the environment calls it."""
    served = Run(conversation="a", repeat=1, arm=NONE, models=frozenset({REHEARSAL_NAME}))
    real = Run(conversation="a", repeat=1, arm=NONE, models=frozenset({"m"}))
    studies = [Study(plan=plan_of("a"), runs=[run]) for run in (served, real)]
    assert [study.evidence for study in studies] == [NO_EVIDENCE, ""]
