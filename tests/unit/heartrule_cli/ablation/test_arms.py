"""Which combinations a design has."""

from __future__ import annotations

import pytest

from heartrule_cli.ablation.arms import Design, Factor, arms_of, weights_of

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
