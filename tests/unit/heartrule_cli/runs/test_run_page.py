"""A kept run as it is shown."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.runs import NodeFailure, RunErrorCode
from heartrule.v1 import run_details_pb2, run_pb2, run_request_pb2
from heartrule.wire.json_values import fill_value
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.times import fill_timestamp
from heartrule_cli.runs.run_page import run_page
from heartrule_cli.style import Style
from tests.support.wire_samples import NOW

LATE = NodeFailure(code=RunErrorCode.TIMEOUT, message="too\nlate", is_retryable=True)


def timed(target: run_details_pb2.Run | run_details_pb2.NodeAttempt, seconds: float) -> None:
    fill_timestamp(NOW, target.begin_time)
    fill_timestamp(NOW + timedelta(seconds=seconds), target.end_time)


def a_run() -> run_request_pb2.GetRunResponse:
    """Return a run of two nodes, the second of which was tried twice."""
    found = run_request_pb2.GetRunResponse()
    run = found.run
    run.run_id, run.workflow_id, run.revision, run.decision_id = "run_1", "sales", 2, "dec_1"
    run.state, run.turn_id = run_pb2.RUN_STATE_FAILED, "turn_1"
    fill_message(LATE, run.failure)
    timed(run, 3)
    first = found.attempts.add(path="取数", attempt=1, state=run_pb2.NODE_STATE_COMPLETED)
    fill_value({"n": 1}, first.output)
    timed(first, 0.5)
    for number in (1, 2):
        tried = found.attempts.add(path="b", attempt=number, state=run_pb2.NODE_STATE_FAILED)
        fill_message(LATE, tried.failure)
        timed(tried, 1)
    found.attempts.add(
        path="c",
        state=run_pb2.NODE_STATE_SKIPPED,
        skip_reason=run_pb2.SKIP_REASON_CONDITION,
        failed_conditions=["b->c"],
    )
    return found


def lines(found: run_request_pb2.GetRunResponse) -> list[str]:
    return list(run_page(found, Style(colours=False)))


def section(found: run_request_pb2.GetRunResponse, title: str) -> list[str]:
    told = lines(found)
    return told[told.index(title) + 1 :]


def test_the_heading_says_what_became_of_the_run() -> None:
    """Its workflow, its state with its time, its failure, and what began it."""
    assert lines(a_run())[:5] == [
        "Run run_1",
        "  workflow  sales revision 2",
        "  state     failed in 3.0 s",
        "  failure   TIMEOUT: too⏎late",
        "  begun by  dec_1, turn turn_1",
    ]


def test_each_attempt_is_a_row() -> None:
    """In columns, however wide the names are; why it failed, or did not run, stands last."""
    assert section(a_run(), "Nodes")[:5] == [
        "  node  attempt  state      took",
        "  取数  1        completed  0.50 s",
        "  b     1        failed     1.0 s   TIMEOUT: too⏎late",
        "  b     2        failed     1.0 s   TIMEOUT: too⏎late",
        "  c     -        skipped            condition; condition could not be computed: b->c",
    ]


def test_what_nodes_gave_is_told() -> None:
    """What is large is named by the option that reads it."""
    found = a_run()
    found.attempts[1].output_sha256 = "abc"
    assert section(found, "Outputs") == [
        '  取数 gave {"n": 1}',
        "  b gave more than 16 KiB: --value abc",
    ]


def test_files_are_named_as_they_are_fetched() -> None:
    """By node and name."""
    found = a_run()
    found.artifacts.add(path="loop/3/b", name="x.png", mime_type="image/png", size_bytes=12_345)
    assert section(found, "Files")[0] == "  loop/3/b/x.png  image/png  12,345 bytes"


def test_a_run_that_has_only_begun_is_shown() -> None:
    """Without times, attempts and outputs."""
    found = run_request_pb2.GetRunResponse()
    found.run.run_id, found.run.state = "run_1", run_pb2.RUN_STATE_QUEUED
    told = lines(found)
    assert told[2] == "  state     queued"
    assert told[-1] == "  node  attempt  state  took"
