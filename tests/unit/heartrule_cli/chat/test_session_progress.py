"""What a client waits for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.domain import events as body
from heartrule.domain.monitoring import AnalysisOutcome
from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule_cli.chat.session_progress import SessionProgress
from tests.support.wire_samples import BUSY, RESULT, STATE

RUNNING = replace(STATE, status=ExecutionStatus.RUNNING)
COMPLETED = replace(STATE, status=ExecutionStatus.COMPLETED)
REQUESTED = replace(RESULT, metadata={"analysis": "requested"})


def opened(state: ExecutionState) -> body.Opened:
    return body.Opened(state=state, max_input_bytes=100, heartbeat_interval=timedelta(seconds=15))


def ended(*ids: str, outcome: body.Outcome = body.Outcome.WAITING) -> body.TurnEnded:
    problem = BUSY if outcome is body.Outcome.FAILED else None
    return body.TurnEnded(outcome=outcome, client_message_ids=ids, state=STATE, problem=problem)


def analysed(about: int) -> body.AnalysisEnded:
    return body.AnalysisEnded(
        action_instance_id="act_1",
        about_round=about,
        judged_turn_id="turn_1",
        result=AnalysisOutcome.NO_ADVICE,
    )


def note(progress: SessionProgress, *bodies: body.EventBody) -> None:
    for each in bodies:
        progress.note(body.SessionEvent(session_id="ses_1", body=each))


def after(*bodies: body.EventBody) -> SessionProgress:
    progress = SessionProgress()
    note(progress, *bodies)
    return progress


def test_nobody_speaks_before_the_stream_is_opened() -> None:
    """A conversation begins with the server's word on where it stands."""
    assert SessionProgress().busy


@pytest.mark.parametrize(
    ("state", "busy"),
    [
        (STATE, False),
        (COMPLETED, False),
        (RUNNING, True),
        (replace(STATE, pending_client_message_ids=("c-1",)), True),
        (replace(STATE, status=ExecutionStatus.ERROR, error=BUSY), False),
    ],
)
def test_the_state_tells_whether_a_turn_is_to_come(state: ExecutionState, *, busy: bool) -> None:
    """A new session runs its opening turn; a waiting one is ready; a failed one may be retried."""
    assert after(opened(state)).busy is busy


def test_the_opening_turn_ends_the_wait_of_a_new_session() -> None:
    """It answers no input, and still is what was waited for."""
    assert not after(opened(RUNNING), ended()).busy


def test_only_its_own_turn_answers_an_input() -> None:
    """Another client's turn ends nothing of ours."""
    progress = after(opened(STATE))
    progress.sent(["c-2"])
    note(progress, ended("c-1"))
    assert progress.busy
    note(progress, ended("c-1", "c-2"))
    assert not progress.busy


def test_a_reconnection_does_not_end_the_wait() -> None:
    """After a lost stream the turn's end is still to come, whatever the state says."""
    progress = after(opened(STATE))
    progress.sent(["c-1"])
    note(progress, opened(STATE))
    assert progress.busy


def test_a_refused_input_is_not_waited_for() -> None:
    """Nothing of it was stored; why is kept until somebody takes note."""
    progress = after(opened(STATE))
    progress.sent(["c-1"])
    note(progress, body.InputRejected(client_message_id="c-1", problem=BUSY))
    assert (progress.busy, progress.refused) == (False, {"c-1": BUSY})


def test_a_failed_turn_leaves_its_problem_until_it_is_tried_again() -> None:
    """The problem says whether trying again helps."""
    progress = after(opened(RUNNING), ended(outcome=body.Outcome.FAILED))
    failed_with = progress.problem
    progress.sent()
    assert (failed_with, progress.problem, progress.busy) == (BUSY, None, True)


def test_the_last_state_says_that_the_script_is_at_its_end() -> None:
    """Both a state change and a stream's opening can say it."""
    assert after(opened(STATE), body.StateChanged(state=COMPLETED)).completed
    assert after(opened(COMPLETED)).completed


def test_analyses_are_waited_for_where_the_result_says_so() -> None:
    """Each requested round has one end; a round that asked for none is not waited for."""
    progress = after(opened(STATE), body.ActionResultRecorded(action_result=RESULT))
    assert not progress.analysing
    note(progress, body.ActionResultRecorded(action_result=REQUESTED))
    assert progress.analysing
    note(progress, analysed(2))
    assert progress.analysing
    note(progress, analysed(1))
    assert not progress.analysing


def test_an_analysis_may_end_before_its_result_is_told() -> None:
    """The order of the two events does not matter."""
    progress = after(opened(STATE), analysed(1), body.ActionResultRecorded(action_result=REQUESTED))
    assert not progress.analysing


def test_analyses_can_be_given_up() -> None:
    """A monitor that never answers is waited for once."""
    progress = after(opened(STATE), body.ActionResultRecorded(action_result=REQUESTED))
    progress.forget_analyses()
    assert not progress.analysing


def test_a_failed_turn_that_was_taken_back_is_no_problem_any_more() -> None:
    """Another client of the session may have done it."""
    told = (opened(STATE), ended("m1", outcome=body.Outcome.FAILED))
    rewound = body.HistoryRewound(state=RUNNING, turn_ids=("turn_1",))
    assert after(*told).problem is not None
    assert after(*told, rewound).problem is None
    assert after(*told, rewound).state == RUNNING
