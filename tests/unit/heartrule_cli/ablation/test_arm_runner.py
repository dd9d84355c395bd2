"""How far it has come."""

from __future__ import annotations

import io

from executor_service.scripts.model.findings import At
from heartrule_cli.ablation.arm_runner import PlannedRun, RunCounter
from heartrule_cli.ablation.study import NONE
from heartrule_cli.rehearsal.written_conversation import WrittenConversation, WrittenTurn
from heartrule_cli.style import Style

STEP = PlannedRun(
    conversation=WrittenConversation(file="a.yaml", turns=(WrittenTurn(spot=At()),)),
    arm=NONE,
    repeat=1,
)


def tell(*, colours: bool, runs: int, seconds: float) -> str:
    """Return what is told of so many runs, each taking so long."""
    told, now = io.StringIO(), iter(range(1_000_000))
    progress = RunCounter(told, Style(colours=colours), total=20, clock=lambda: next(now) * seconds)
    for _ in range(runs):
        progress.began(STEP)
    progress.over()
    return told.getvalue()


def test_a_log_has_a_line_each_tenth() -> None:
    """A line a run would bury what else is in it."""
    assert tell(colours=False, runs=20, seconds=0).splitlines() == [
        f"{count} of 20 runs" for count in range(2, 20, 2)
    ]


def test_a_terminal_has_one_passing_line() -> None:
    """It names the run, and nothing of it remains."""
    told = tell(colours=True, runs=3, seconds=0)
    assert "run 3 of 20 · none · a.yaml" in told
    assert (told.count("\n"), told.endswith("\r\x1b[K")) == (0, True)


def test_the_time_left_is_guessed() -> None:
    """In minutes where it is long."""
    assert "2 of 20 runs, about 18 min left" in tell(colours=False, runs=3, seconds=120)
