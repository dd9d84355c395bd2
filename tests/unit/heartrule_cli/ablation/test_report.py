"""The report of an ablation: the table and the JSON."""

from __future__ import annotations

import json

import pytest

from heartrule_cli.ablation.measures import MEASURES
from heartrule_cli.ablation.report import as_json, number, report_lines
from heartrule_cli.ablation.study import NO_EVIDENCE, AblationPlan, Design, Run, Study
from heartrule_cli.style import Style
from heartrule_cli.text import width
from tests.support.ablations import MONITOR, plan_of, run_of, study_of

PLAIN = Style(colours=False)


def told(plan: AblationPlan, *runs: Run) -> list[str]:
    """Return the report about these runs."""
    return list(report_lines(study_of(plan, runs), PLAIN))


def test_a_difference_stands_beside_its_interval() -> None:
    """Two conversations, four rounds fewer and two: -3 on average."""
    runs = [run_of("a", rounds=9), run_of("a", MONITOR, rounds=5)]
    runs += [run_of("b", rounds=6), run_of("b", MONITOR, rounds=4)]
    lines = told(plan_of("a", "b"), *runs)
    at = next(i for i, line in enumerate(lines) if line.startswith("rounds judged"))
    assert lines[at].split() == ["rounds", "judged", "mean", "difference", "95", "%", "interval"]
    assert lines[at + 1].split() == ["none", "7.50"]
    assert lines[at + 2].split() == ["monitor", "4.50", "-3.00", "[-15.71,", "+9.71]"]


def test_no_difference_is_said() -> None:
    """A measure in which nothing differs is one line, below that word."""
    lines = told(plan_of("a", repeats=2), run_of("a", MONITOR, rounds=1))
    rest = lines[next(i for i, line in enumerate(lines) if line.startswith("no difference")) :]
    assert [line.split()[-1] for line in rest if line.startswith("variables filled")] == ["0.00"]
    assert not any(line.startswith("rounds judged  ") for line in rest)


def test_an_arm_that_does_not_differ_is_said_to() -> None:
    """Beside one that does, in the same table."""
    runs = [run_of("a", MONITOR, repeat=repeat, rounds=1) for repeat in (1, 2)]
    lines = told(plan_of("a", repeats=2), *runs)
    rows = {line.split()[0]: line for line in lines if line}
    assert rows["strategy"].endswith("no difference")
    assert rows["monitor"].endswith("in every run")


def test_every_figure_of_the_rehearsal_model_is_marked() -> None:
    """No line with a figure stands without the words, in any table."""
    lines = told(plan_of("a", design=Design.FULL, rehearsed=True), run_of("a", MONITOR, rounds=1))
    tables = lines[next(i for i, line in enumerate(lines) if not line) :]
    heads = ("rounds judged  ", "no difference")
    rows = [line for line in tables if line and not line.startswith(heads)]
    assert len(rows) > 30
    assert [line for line in rows if not line.endswith(NO_EVIDENCE)] == []


def test_a_real_models_figures_are_not_marked() -> None:
    """The words would be wrong there."""
    assert not any("evidence" in line for line in told(plan_of("a")))


def test_columns_stand_below_each_other_in_chinese_too() -> None:
    """Lost runs name files, whose signs take two columns."""
    plan = plan_of("小明不想说.yaml", "b.yaml")
    runs = [Run(conversation=name, repeat=1, arm=MONITOR, lost="X") for name in plan.conversations]
    *_, first, second = report_lines(Study(plan=plan, runs=runs), PLAIN)
    assert width(first.split("run 1")[0]) == width(second.split("run 1")[0])


def test_a_study_that_was_stopped_says_so() -> None:
    """What was played is told, and how much is missing."""
    lines = list(report_lines(Study(plan=plan_of("a"), runs=[run_of("a")]), PLAIN))
    assert "stopped: 4 of 5 runs were not played" in lines


@pytest.mark.parametrize(
    ("value", "text"), [(-0.001, "0.00"), (0.0, "0.00"), (1234.5, "+1,234.50"), (-2, "-2.00")]
)
def test_a_difference_has_a_sign(value: float, text: str) -> None:
    """Nothing is neither plus nor minus."""
    assert number(value, 2, signed=True) == text


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
