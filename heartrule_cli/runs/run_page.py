"""A run that a server keeps, as a page for a person. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from heartrule.domain.runs import NodeFailure, NodeState, RunState, SkipReason
from heartrule.v1 import run_details_pb2, run_pb2, run_request_pb2
from heartrule.wire.enums import members
from heartrule.wire.json_values import read_struct, read_value
from heartrule.wire.message_mapping import from_message
from heartrule_cli.narration import value_text
from heartrule_cli.run_narration import failure_text, seconds_text
from heartrule_cli.style import Style
from heartrule_cli.text import one_line, table_lines

_HEAD = ("node", "attempt", "state", "took", "")
_RUN_STATES = members(RunState, run_pb2.RunState.DESCRIPTOR)
_NODE_STATES = members(NodeState, run_pb2.NodeState.DESCRIPTOR)
_REASONS = members(SkipReason, run_pb2.SkipReason.DESCRIPTOR)


def run_page(found: run_request_pb2.GetRunResponse, style: Style) -> Iterator[str]:
    """Yield the run, its attempts as a table, what they gave, and its files."""
    yield from _heading(found.run, style)
    if found.inputs.fields:
        yield f"  inputs    {value_text(read_struct(found.inputs))}"
    yield ""
    yield style.bold("Nodes")
    yield from table_lines([_HEAD, *(_row(each) for each in found.attempts)])
    outputs = [line for each in found.attempts for line in _output(each)]
    if outputs:
        yield ""
        yield style.bold("Outputs")
        yield from outputs
    if found.artifacts:
        yield ""
        yield style.bold("Files")
        yield from table_lines([_file(each) for each in found.artifacts])
        yield style.dim("  --artifact NODE/NAME reads one")


def _heading(run: run_details_pb2.Run, style: Style) -> Iterator[str]:
    yield style.bold(f"Run {one_line(run.run_id)}")
    if run.agent:
        yield f"  agent     {one_line(run.agent)} in thread {one_line(run.thread_id)}"
    else:
        yield f"  workflow  {one_line(run.workflow_id)} revision {run.revision}"
    took = _took(run, "begin_time", "end_time")
    yield f"  state     {_RUN_STATES.get(run.state, 'unknown')}" + (f" in {took}" if took else "")
    if run.HasField("failure"):
        yield f"  failure   {_failure(run.failure)}"
    if run.HasField("create_time"):
        yield f"  queued    {_local(run.create_time)}"
    began = f", turn {one_line(run.turn_id)}" if run.turn_id else ""
    yield f"  begun by  {one_line(run.decision_id)}{began}"
    if run.replaces:
        yield f"  replaces  {one_line(run.replaces)}"
    if run.is_trimmed:
        yield "  trimmed   age emptied its inputs and outputs, and deleted its files"


def _row(attempt: run_details_pb2.NodeAttempt) -> tuple[str, ...]:
    notes: list[str] = []
    if attempt.skip_reason:
        notes.append(str(_REASONS.get(attempt.skip_reason, "unknown")))
    if attempt.HasField("failure"):
        notes.append(_failure(attempt.failure))
    if attempt.failed_conditions:
        edges = ", ".join(map(one_line, attempt.failed_conditions))
        notes.append(f"condition could not be computed: {edges}")
    return (
        one_line(attempt.path),
        str(attempt.attempt or "-"),
        str(_NODE_STATES.get(attempt.state, "unknown")),
        _took(attempt, "begin_time", "end_time"),
        "; ".join(notes),
    )


def _output(attempt: run_details_pb2.NodeAttempt) -> Iterator[str]:
    if attempt.HasField("output"):
        yield f"  {one_line(attempt.path)} gave {value_text(read_value(attempt.output))}"
    elif attempt.output_sha256:
        yield f"  {one_line(attempt.path)} gave more than 16 KiB: --value {attempt.output_sha256}"


def _file(file: run_details_pb2.RunArtifact) -> tuple[str, ...]:
    place = f"{one_line(file.path)}/{one_line(file.name)}"
    return place, one_line(file.mime_type), f"{file.size_bytes:,} bytes"


def _failure(failure: run_details_pb2.NodeFailure) -> str:
    return failure_text(from_message(failure, NodeFailure, lenient=True))


def _took(timed: Message, begin: str, end: str) -> str:
    if not (timed.HasField(begin) and timed.HasField(end)):
        return ""
    return seconds_text(getattr(timed, begin).ToDatetime(), getattr(timed, end).ToDatetime())


def _local(moment: Timestamp) -> str:
    return moment.ToDatetime(tzinfo=UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
