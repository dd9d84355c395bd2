"""Messages of RunService from what the store keeps of runs.

With `masks` they hold no text or number that a model or a client may have written; ids, states and
names of fields stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeFailure, NodeState, RunKind, RunState, SkipReason
from heartrule.domain.sensitive import MASK, without_texts
from heartrule.v1 import run_details_pb2, run_pb2
from heartrule.wire.enums import numbers
from heartrule.wire.json_values import fill_value
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.times import fill_timestamp
from session_store.records.kept_runs import KeptArtifact, KeptNode, KeptRun, RunLanding

_PLAIN = (
    "run_id",
    "workflow_id",
    "thread_id",
    "revision",
    "priority",
    "decision_id",
    "turn_id",
    "replaces",
    "sequence",
    "is_taken_back",
    "is_trimmed",
)
_LANDINGS = {
    RunLanding.WAITS: run_details_pb2.RUN_LANDING_WAITS,
    RunLanding.TAKEN: run_details_pb2.RUN_LANDING_TAKEN,
    RunLanding.SESSION_OVER: run_details_pb2.RUN_LANDING_SESSION_OVER,
}
_TIMES = ("create_time", "begin_time", "end_time", "deadline", "wake_time")


def masked_value(value: Mapping[str, JsonValue], *, masks: bool) -> Mapping[str, JsonValue]:
    """Return an object, its texts and numbers masked where asked."""
    if not masks:
        return value
    return {name: without_texts(each) for name, each in value.items()}


def fill_run(run: KeptRun, target: run_details_pb2.Run, *, masks: bool) -> None:
    """Fill the message of a run."""
    for name in _PLAIN:
        setattr(target, name, getattr(run, name))
    target.state = _number(run.state, run_pb2.RunState)
    target.agent = run.name if run.kind is RunKind.SUB_AGENT else ""
    if run.landing is not RunLanding.NONE:
        target.landing = _LANDINGS[run.landing]
    _fill_failure(run.failure, target, masks=masks)
    for name in _TIMES:
        fill_time(getattr(run, name), target, name)


def fill_attempt(node: KeptNode, target: run_details_pb2.NodeAttempt, *, masks: bool) -> None:
    """Fill the message of an attempt; what lies apart is named by its hash."""
    record = node.record
    target.path, target.attempt = record.path, record.attempt
    target.state = _number(record.state, run_pb2.NodeState)
    if record.skip_reason is not None:
        target.skip_reason = _number(record.skip_reason, run_pb2.SkipReason)
    _fill_failure(record.failure, target, masks=masks)
    for name, value in (("inputs", node.inputs), ("output", record.output)):
        if value is not None:
            fill_value(without_texts(value) if masks else value, getattr(target, name))
    target.inputs_sha256, target.output_sha256 = node.inputs_hash, node.output_hash
    target.failed_conditions.extend(record.failed_conditions)
    target.has_effect, target.sequence = node.has_effect, node.sequence
    for name in ("wake_time", "begin_time", "end_time"):
        fill_time(getattr(node, name), target, name)


def fill_artifact(
    found: KeptArtifact, target: run_details_pb2.RunArtifact, *, masks: bool = False
) -> None:
    """Fill the description of a file, of an input or of an output."""
    target.path, target.mime_type = found.path, found.mime_type
    target.name = MASK if masks else found.name
    target.size_bytes, target.sha256 = found.size, found.sha256
    fill_time(found.create_time, target, "create_time")


def _fill_failure(failure: NodeFailure | None, target: Any, *, masks: bool) -> None:
    if failure is not None:
        shown = replace(failure, message=MASK) if masks and failure.message else failure
        fill_message(shown, target.failure)


def fill_time(moment: datetime | None, target: Any, name: str) -> None:
    """Fill the field of that name, where there is a moment."""
    if moment is not None:
        fill_timestamp(moment, getattr(target, name))


def _number(member: RunState | NodeState | SkipReason, enum: Any) -> Any:
    return numbers(type(member), enum.DESCRIPTOR)[member]
