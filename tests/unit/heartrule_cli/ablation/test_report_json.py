"""The report for programs."""

from __future__ import annotations

import json

from heartrule_cli.ablation.arms import Design
from heartrule_cli.ablation.measures import MEASURES
from heartrule_cli.ablation.report_json import as_json
from heartrule_cli.ablation.study import NO_EVIDENCE
from tests.support.ablations import MONITOR, plan_of, run_of, study_of


def test_json_tells_arms_effects_and_runs_each_marked() -> None:
    """Whoever picks one figure out of it picks its mark, too."""
    plan = plan_of("a", repeats=2, design=Design.FULL, rehearsed=True)
    told = json.loads(as_json(study_of(plan, [run_of("a", MONITOR, rounds=1)])))
    counts = [len(told[key]) for key in ("figures", "effects", "runs")]
    assert counts == [8 * len(MEASURES), 3 * len(MEASURES), 16]
    marks = {each["evidence"] for key in ("figures", "effects", "runs") for each in told[key]}
    assert marks == {NO_EVIDENCE}


def test_json_has_the_difference_and_its_bounds() -> None:
    """The base has none."""
    runs = [run_of("a", MONITOR, repeat=repeat, rounds=repeat) for repeat in (1, 2)]
    told = json.loads(as_json(study_of(plan_of("a", repeats=2), runs)))
    rounds = {f["arm"]: f for f in told["figures"] if f["measure"] == "rounds"}
    assert rounds["none"]["difference"] is None
    assert rounds["monitor"]["difference"]["mean"] == 1.5
    assert rounds["monitor"]["difference"]["low"] < 0 < rounds["monitor"]["difference"]["high"]
