"""A node from its first attempt to its end: retries, recoveries, and the turns of a LOOP."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from executor_service.workflows.engine.driven_run import DrivenRun
from executor_service.workflows.engine.driver_ports import NodeEnd
from executor_service.workflows.engine.node_attempt import (
    AttemptResult,
    PreparedNode,
    prepared,
    run_attempt,
    seconds_of,
)
from executor_service.workflows.engine.run_telemetry import attempt_span
from executor_service.workflows.graph import node_at
from executor_service.workflows.loops import next_in_loop
from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.recovery import retry_delay
from executor_service.workflows.resolving import output_values
from heartrule.domain.errors import QuotaSpent
from heartrule.domain.runs import (
    ENDED_NODES,
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
)
from heartrule.domain.workflows import NodeType
from session_store.records.runs import EndedNode


async def run_node(run: DrivenRun, path: str, *, until: float | None = None) -> NodeEnd:
    """Run a node to its end; where its run has to wait longer than it may, never return.

    Whoever drives the run cancels what never returns, and takes the run again later: a step that
    an engine records has then not ended, and goes on.

    Args:
        run: The run; rows of attempts before are in its progress.
        path: The node's.
        until: When the loop that it stands in has no more time, as the run's clock tells it.

    Raises:
        LeaseLost: Another worker has the run.
    """
    if run.progress.state(path) is NodeState.WAITING_DECISION:
        # It was written before this run was taken, as nothing could be decided then.
        if await run.recover(EndedNode(record=run.progress.nodes[path])):
            return NodeEnd.RUN_OVER
        if run.progress.state(path) in ENDED_NODES:
            return NodeEnd.ENDED
    while True:
        if run.progress.state(path) is NodeState.WAITING_DECISION or run.is_stopped:
            await run.stand(path)
        await run.rest(path)
        result, record = await _attempt(run, path, until)
        if isinstance(result, NodeEnd):
            return result
        if await _conclude(run, record, result):
            return NodeEnd.RUN_OVER
        if run.progress.state(path) in ENDED_NODES:
            return NodeEnd.ENDED


async def _attempt(
    run: DrivenRun, path: str, until: float | None
) -> tuple[AttemptResult | NodeEnd, NodeRecord]:
    ready = await run.ports.beside(prepared, run.lease.run_id, run.progress, path, run.means.access)
    record = beginning(run.progress.nodes.get(path), path, run.failed_conditions(path))
    try:
        has_begun = await run.begin(record, dict(ready.shown), has_effect=ready.has_effect)
    except QuotaSpent as error:
        ready = replace(ready, failure=_no_room(error))
        has_begun = await run.begin(record, None, has_effect=False)
    if not has_begun:
        await run.stand(path)
    with attempt_span(ready.node.type, record.attempt) as meter:
        result = await _result(run, path, ready, until)
        if isinstance(result, AttemptResult):
            meter.ended(result.failure)
    return result, record


async def _result(
    run: DrivenRun, path: str, ready: PreparedNode, until: float | None
) -> AttemptResult | NodeEnd:
    """Return what comes of an attempt that began."""
    if ready.failure is not None:
        return AttemptResult(failure=ready.failure)
    if ready.node.type is NodeType.LOOP:
        return await _turns(run, path, ready)
    seconds = run.time_left if until is None else min(run.time_left, until - run.ports.clock.now())
    if run.time_left <= 0:
        await run.stand(path)
    if seconds <= 0:
        return AttemptResult(failure=_LATE)
    return await run_attempt(run, ready, seconds)


def beginning(
    before: NodeRecord | None, path: str, failed_conditions: tuple[str, ...]
) -> NodeRecord:
    """Return the record of the attempt that begins now.

    An attempt whose worker went away begins again under its own number, so that it uses up no
    retry.
    """
    if before is None:
        return NodeRecord(path=path, state=NodeState.RUNNING, failed_conditions=failed_conditions)
    is_lost = before.state is NodeState.RUNNING or (
        before.failure is not None and before.failure.code is RunErrorCode.WORKER_LOST
    )
    return replace(
        before,
        state=NodeState.RUNNING,
        attempt=max(1, before.attempt + (not is_lost)),
        failure=None,
        output=None,
        skip_reason=None,
    )


async def _turns(run: DrivenRun, path: str, ready: PreparedNode) -> AttemptResult | NodeEnd:
    """Run the turns of a LOOP; those that ended before, by whichever worker, count."""
    timed = "timeout" in ready.node.config
    ends_at = run.ports.clock.now() + seconds_of(ready.node) if timed else None
    while True:
        try:
            step = await run.ports.beside(next_in_loop, run.progress, path)
            if not step.path:
                output = await run.ports.beside(
                    output_values, ready.node, step.output, ready.values
                )
                return AttemptResult(output=output, failed_conditions=step.failed_conditions)
        except NodeFailed as error:
            return AttemptResult(failure=error.failure)
        if ends_at is not None and run.ports.clock.now() >= ends_at:
            return AttemptResult(failure=_LATE)
        if await run_node(run, step.path, until=ends_at) is NodeEnd.RUN_OVER:
            return NodeEnd.RUN_OVER


async def _conclude(run: DrivenRun, record: NodeRecord, result: AttemptResult) -> bool:
    """Write how an attempt ended and what follows; True: the run is over."""
    if result.failure is None:
        completed = replace(
            record,
            state=NodeState.COMPLETED,
            output=result.output,
            failed_conditions=(*record.failed_conditions, *result.failed_conditions),
        )
        ended = EndedNode(
            record=completed, artifacts=tuple(result.files), calls=tuple(result.calls)
        )
        try:
            await run.end(ended)
        except QuotaSpent as error:
            result = AttemptResult(failure=_no_room(error), calls=result.calls)
        else:
            return False
    if run.time_left <= 0:  # the run ends by its deadline, not by what the deadline did to a node
        await run.stand(record.path)
    failed = replace(record, state=NodeState.RETRYING, failure=result.failure)
    delay = retry_delay(node_at(run.progress.workflow, record.path), failed)
    if delay is None:
        spent = replace(failed, state=NodeState.WAITING_DECISION)
        return await run.recover(EndedNode(record=spent, calls=tuple(result.calls), is_spent=True))
    await run.end(
        EndedNode(record=failed, calls=tuple(result.calls), wake_after=timedelta(seconds=delay))
    )
    return False


_LATE = NodeFailure(
    code=RunErrorCode.TIMEOUT, message="its loop has no time left", is_retryable=False
)


def _no_room(error: QuotaSpent) -> NodeFailure:
    return NodeFailure(code=RunErrorCode.LIMIT, message=error.message, is_retryable=False)
