"""Random workflows, read twice: by the schedule with its loops and recoveries, and plainly."""

from __future__ import annotations

import random

import pytest

from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.schedule import MOST_AT_ONCE
from heartrule.domain.runs import NodeState
from tests.support.naive_runs import NaiveRun
from tests.support.played_runs import PlayedRun
from tests.support.run_fates import Fate, random_plan

HERE = "tests/unit/executor_service/workflows/test_random_runs.py"
DEFAULTS = (
    {"action": "RETRY", "max_attempts": 3, "delay": 1},
    {"action": "SKIP"},
    {"action": "ABORT"},
)
AT_LENGTH = pytest.mark.long(short=f"{HERE}::test_both_readings_agree[short]")
SHORT = range(300)
LONG = [range(start, start + 500) for start in range(0, 10_000, 500)]


def both(seed: int) -> tuple[NaiveRun, PlayedRun]:
    """Return a random run in both readings."""
    plan, fate = random_plan(seed), Fate(seed=seed, is_kind=seed % 3 == 0)
    default = random.Random(seed).choice(DEFAULTS)
    naive = NaiveRun(plan, fate, default).play()
    return naive, PlayedRun(plan, fate, RecoveryPlan.model_validate(default)).play()


def differences(seed: int) -> list[str]:
    """Return in what the two readings of a run differ."""
    naive, played = both(seed)
    records = played.progress.nodes
    found = {
        "outcome": (naive.outcome, played.outcome),
        "order": (naive.log, played.log),
        "states": (naive.states, {path: each.state.value for path, each in records.items()}),
        "outputs": (
            {path: naive.outputs[path] for path, at in naive.states.items() if at == "completed"},
            {p: each.output for p, each in records.items() if each.state is NodeState.COMPLETED},
        ),
        "reasons": (
            naive.reasons,
            {p: str(each.skip_reason) for p, each in records.items() if each.skip_reason},
        ),
        "conditions": (
            naive.unreadable,
            {edge for each in records.values() for edge in each.failed_conditions if "->" in edge},
        ),
    }
    return [f"{seed} {what}: {a} != {b}" for what, (a, b) in found.items() if a != b]


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(SHORT, id="short"),
        *(pytest.param(each, id=str(each.start), marks=AT_LENGTH) for each in LONG),
    ],
)
def test_both_readings_agree(seeds: range) -> None:
    """Same order, states, outputs, reasons and outcome, whatever fails and is done about it."""
    wrong = [each for seed in seeds for each in differences(seed)]
    assert not wrong, wrong[:3]


def test_the_random_runs_are_of_every_kind() -> None:
    """They hold what the comparison is for: every state, every recovery, loops, four at once."""
    runs = [both(seed) for seed in SHORT]
    states = {state for naive, _ in runs for state in naive.states.values()}
    assert states == {"completed", "failed", "skipped", "cancelled"}
    notes = {what for naive, _ in runs for _, what, _, _ in naive.log}
    assert {f"recovery {each}" for each in ("RETRY", "SKIP", "ABORT", "MODIFY")} <= notes
    reasons = {reason for naive, _ in runs for reason in naive.reasons.values()}
    assert reasons == {"condition", "upstream", "recovery"}
    assert any(naive.unreadable for naive, _ in runs)
    assert any("/" in path for naive, _ in runs for path in naive.states)


def test_at_most_four_nodes_have_begun() -> None:
    """Whoever goes on is counted, a node that waits for its next attempt too."""
    most = max(map(_most_at_once, SHORT))
    assert most == MOST_AT_ONCE


def _most_at_once(seed: int) -> int:
    _, played = both(seed)
    open_ones: set[str] = set()
    most = 0
    for _, what, path, _ in played.log:
        if "/" in path:
            continue
        open_ones.add(path)
        if what == "completed" or what in {"recovery SKIP", "recovery ABORT"}:
            open_ones.discard(path)
        most = max(most, len(open_ones))
    return most
