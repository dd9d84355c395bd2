"""A sample of each event of runs."""

from __future__ import annotations

from heartrule.domain.run_events import (
    Activity,
    ActivityKind,
    ActivityState,
    NodeChanged,
    NodeExecutionFailed,
    RunChanged,
)
from heartrule.domain.runs import NodeState, RunErrorCode, RunState, SkipReason
from heartrule.domain.sent_effects import SentEffect

SENT = (SentEffect(run_id="run_1", path="node_4"),)
OF_RUNS = (
    Activity(
        activity_id="run_1",
        kind=ActivityKind.SUB_THREAD,
        state=ActivityState.ENDED,
        name="销售分析",
        is_completed=True,
        label="核对",
        message_id="msg_2",
    ),
    RunChanged(
        run_id="run_1",
        workflow_id="wf_1",
        revision=2,
        state=RunState.FAILED,
        code=RunErrorCode.RUN_TIMEOUT,
        decision_id="dec_1",
        agent="researcher",
    ),
    NodeChanged(
        run_id="run_1",
        path="loop/3/inner",
        state=NodeState.SKIPPED,
        attempt=2,
        skip_reason=SkipReason.CONDITION,
        code=RunErrorCode.HTTP_4XX,
    ),
    NodeExecutionFailed(
        run_id="run_1",
        path="node_4",
        attempt=3,
        code=RunErrorCode.HTTP_5XX,
        message="the address answered 503",
        is_retryable=True,
    ),
)
"""One body of each kind."""
