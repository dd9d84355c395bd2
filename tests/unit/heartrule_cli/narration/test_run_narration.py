"""Runs of workflows as lines that a person reads."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.domain.events import Heartbeat
from heartrule.domain.run_events import (
    Activity,
    ActivityState,
    NodeChanged,
    NodeExecutionFailed,
    RunChanged,
)
from heartrule.domain.runs import NodeState, RunErrorCode, RunState, SkipReason
from heartrule_cli.narration.run_narration import activity_text, run_lines, seconds_words
from tests.support.wire_samples import NOW

BEGAN = Activity(activity_id="r", state=ActivityState.BEGAN, name="周报")
NODE = NodeChanged(run_id="r", path="loop/3/a", state=NodeState.RUNNING)


def test_a_run_is_told_with_its_workflow_and_state() -> None:
    """And why it failed, where it did."""
    run = RunChanged(run_id="r", workflow_id="w", revision=2, state=RunState.RUNNING)
    assert run_lines(run) == ("run r of w revision 2: running",)
    failed = replace(run, state=RunState.FAILED, code=RunErrorCode.TIMEOUT)
    assert run_lines(failed) == ("run r of w revision 2: failed (TIMEOUT)",)
    of_agent = replace(run, workflow_id="", revision=0, agent="researcher")
    assert run_lines(of_agent) == ("run r of agent researcher: running",)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (NODE, "running"),
        (replace(NODE, attempt=2), "running attempt 2"),
        (replace(NODE, state=NodeState.RETRYING, code=RunErrorCode.LIMIT), "retrying (LIMIT)"),
        (
            replace(NODE, state=NodeState.SKIPPED, attempt=0, skip_reason=SkipReason.CONDITION),
            "skipped (condition)",
        ),
    ],
)
def test_a_node_is_told_with_its_state(changed: NodeChanged, told: str) -> None:
    """The first attempt is not counted aloud."""
    assert run_lines(changed) == (f"run r node loop/3/a: {told}",)


def test_a_failure_is_one_line() -> None:
    """Whatever stands in its sentence."""
    failed = NodeExecutionFailed(
        run_id="r", path="a", attempt=3, code=RunErrorCode.CODE_ERROR, message="a\x1b[31m\nb"
    )
    assert run_lines(failed) == ("run r node a failed in attempt 3: CODE_ERROR: a[31m⏎b",)


def test_other_events_are_told_elsewhere() -> None:
    """A run has no line for them."""
    assert run_lines(Heartbeat(last_sequence=1)) == ()


@pytest.mark.parametrize(
    ("activity", "told"),
    [
        (BEGAN, "(周报 is under way)"),
        (replace(BEGAN, state=ActivityState.GOES_ON, label="核对"), "(周报 is under way: 核对)"),
        (replace(BEGAN, state=ActivityState.ENDED, is_completed=True), "(周报 is done)"),
        (replace(BEGAN, state=ActivityState.ENDED), "(周报 ended without a result)"),
    ],
)
def test_a_client_reads_that_something_goes_on(activity: Activity, told: str) -> None:
    """By the workflow's name alone."""
    assert activity_text(activity) == told


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.041, "0.04 s"), (2.14, "2.1 s"), (75.4, "75 s"), (0, "0.00 s")]
)
def test_a_time_has_two_figures(seconds: float, told: str) -> None:
    """More would be noise."""
    assert str(seconds_words(NOW, NOW + timedelta(seconds=seconds))) == told
