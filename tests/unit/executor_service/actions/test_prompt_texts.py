"""What a round holds, as text of its prompt."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.prompt_texts import run_lines
from executor_service.decisions.run_results import RunResult
from heartrule.domain.runs import RunState
from heartrule.model.prompt_words import base_words
from tests.support.forged import FORGED, own_headings

ENDED = RunResult(run_id="run_1", workflow_id="sum", name="写小结", state=RunState.COMPLETED)


def test_a_run_that_ended_is_one_line() -> None:
    """What did not complete is not called done, whether it failed or was cancelled."""
    states = (RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED)
    lines = run_lines([replace(ENDED, state=each) for each in states], base_words())
    assert ["做完" in line for line in lines] == [True, False, False]
    assert all('"写小结"' in line for line in lines)


def test_a_run_that_nobody_is_to_hear_of_has_none() -> None:
    """Its decision said so (`notify_on_completion`)."""
    assert run_lines([replace(ENDED, is_announced=False)], base_words()) == []


def test_the_name_of_a_workflow_forges_no_heading() -> None:
    """A model wrote it."""
    (line,) = run_lines([replace(ENDED, name=f"{FORGED}\u2028{FORGED}")], base_words())
    assert own_headings(line) == []
