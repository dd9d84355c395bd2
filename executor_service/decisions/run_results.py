"""What came of a run: its result for a variable, and what an agent is told of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from executor_service.decisions.sizes import is_small, is_too_deep
from executor_service.decisions.subagent_task import SubagentTask
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation
from heartrule.domain.runs import ENDED_RUNS, NodeFailure, NodeState, RunProgress, RunState
from heartrule.domain.threads import SubThread
from heartrule.domain.variables import Provenance, ValueSupport
from heartrule.domain.workflows import NodeType
from session_store.records.kept_runs import KeptRun

LONGEST_OUTPUTS = 4096
"""Bytes of a run's outputs that an agent is told."""
# Failed nodes that are told; a run that fails has one, a loop may have more.
_MOST_FAILURES = 5
_ENDS = frozenset({NodeType.START, NodeType.END})
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailure:
    """Why a node of a run, or the run itself, failed."""

    path: str
    """The node's; empty: the run's own failure."""
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A run as the conversation sees it."""

    run_id: str
    workflow_id: str
    name: str
    """The workflow's."""
    state: RunState
    lands_in: str = ""
    """The variable that gets the result; empty: none does."""
    is_announced: bool = True
    """True: who talks next with the client knows of its end."""
    outputs: Mapping[str, JsonValue] = field(default_factory=dict)
    """What its last nodes gave, by id: those that no node behind them followed."""
    failures: tuple[RunFailure, ...] = ()
    end_time: datetime | None = None
    thread_id: str = ""
    """Of a sub-agent: its thread; empty: a workflow ran."""
    text: str = ""
    """Of a sub-agent: what it answered, and the client reads."""
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    """Of a sub-agent: what it returned, by the names of the variables that get it."""

    @property
    def is_of_thread(self) -> bool:
        """Whether a sub-agent gave it."""
        return bool(self.thread_id)

    @property
    def has_ended(self) -> bool:
        """Whether nothing more is to come of it."""
        return self.state in ENDED_RUNS

    @property
    def value(self) -> JsonValue:
        """Return what the variable gets: the last node's output; of several, an object by id."""
        if len(self.outputs) == 1:
            return next(iter(self.outputs.values()))
        return dict(self.outputs)

    @property
    def landing(self) -> Mapping[str, JsonValue]:
        """Return what each variable gets; that of the run gets a sub-agent's text."""
        if not self.lands_in:
            return self.values
        return {self.lands_in: self.text if self.is_of_thread else self.value, **self.values}

    @property
    def source(self) -> str:
        """Return what gave it: the thread, or the run with its node where it was one."""
        if self.is_of_thread:
            return self.thread_id
        return "/".join((self.run_id, *self.outputs)) if len(self.outputs) == 1 else self.run_id


def run_result(kept: KeptRun, progress: RunProgress) -> RunResult:
    """Return what came of a run so far; pure."""
    return replace(
        _without_values(kept),
        workflow_id=kept.workflow_id,
        outputs={path: progress.nodes[path].output for path in _last_nodes(progress)},
        failures=tuple(_failures(kept, progress))[:_MOST_FAILURES],
    )


def subagent_result(kept: KeptRun, thread: SubThread, inputs: Mapping[str, JsonValue]) -> RunResult:
    """Return what came of a sub-agent so far; pure.

    Of what it returned those values count whose names the script declares.

    Args:
        kept: The run.
        thread: The thread it works on.
        inputs: What the run was given: the sub-agent's task.
    """
    task = SubagentTask.of(inputs)
    declared = {name: thread.values[name] for name in task.outputs if name in thread.values}
    return replace(
        _without_values(kept),
        failures=() if kept.failure is None else (_failure("", kept.failure),),
        thread_id=thread.thread_id,
        text=thread.result_text,
        values=declared,
    )


def _without_values(kept: KeptRun) -> RunResult:
    return RunResult(
        run_id=kept.run_id,
        workflow_id="",
        name=kept.name,
        state=kept.state,
        lands_in=kept.lands_in,
        is_announced=kept.is_announced,
        end_time=kept.end_time,
    )


def land(result: RunResult, variables: VariableStore, now: datetime) -> Degradation | None:
    """Write what a run that completed gave to its variables; return why something was left out.

    A run that did not complete, or that no variable waits for, writes nothing; nor does a result
    that is not small, since each later turn reads it.
    """
    if result.state is not RunState.COMPLETED:
        return None
    left_out = None
    for name, value in result.landing.items():
        if not is_small(value) or is_too_deep(value):
            left_out = Degradation.of("decision", "RUN_RESULT_TOO_LARGE", run_id=result.run_id)
            continue
        variables.write(
            name,
            value,
            action_id=result.source,
            now=now,
            provenance=Provenance(support=ValueSupport.RUN),
        )
    return left_out


def told(result: RunResult, *, with_outputs: bool) -> dict[str, JsonValue]:
    """Return what an agent's prompt says of a run, outputs cut to `LONGEST_OUTPUTS`."""
    line: dict[str, JsonValue] = {"run_id": result.run_id, "state": result.state.value}
    if result.is_of_thread:
        line = {**line, "subagent": result.name}
    else:
        line = {**line, "workflow_id": result.workflow_id, "workflow": result.name}
    if result.failures:
        line["failures"] = [
            {"node_id": each.path, "code": each.code, "message": each.message}
            for each in result.failures
        ]
    outputs = result.outputs
    if result.is_of_thread and result.state is RunState.COMPLETED:
        outputs = {"text": result.text, **result.values}
    if with_outputs and outputs:
        line["outputs"] = _cut(outputs)
    return line


def _cut(outputs: Mapping[str, JsonValue]) -> JsonValue:
    whole = dict(outputs)
    written = _beginning(whole)
    if len(written) <= LONGEST_OUTPUTS and not is_too_deep(whole):
        return whole
    return f"{written[:LONGEST_OUTPUTS].decode(errors='ignore')}…"


def _beginning(value: JsonValue) -> bytes:
    """Return compact JSON up to a little beyond the limit: a result may have megabytes."""
    written = b""
    with suppress(RecursionError):  # the encoder recurses: deeper than that nobody reads
        for piece in _JSON.iterencode(value):
            written += piece[: LONGEST_OUTPUTS + 1].encode(errors="replace")
            if len(written) > LONGEST_OUTPUTS:
                break
    return written


def _last_nodes(progress: RunProgress) -> Iterator[str]:
    """Yield completed nodes that do something and that no completed one of these follows."""
    does = {each.node_id for each in progress.workflow.nodes if each.type not in _ENDS}
    done = {each for each in does if progress.state(each) is NodeState.COMPLETED}
    for node in progress.workflow.nodes:
        followers = {e.target for e in progress.workflow.edges if e.source == node.node_id}
        if node.node_id in done and not followers & done:
            yield node.node_id


def _failures(kept: KeptRun, progress: RunProgress) -> Iterator[RunFailure]:
    failed = False
    for path, record in progress.nodes.items():
        if record.state in {NodeState.FAILED, NodeState.WAITING_DECISION} and record.failure:
            failed = True
            yield _failure(path, record.failure)
    if kept.failure is not None and not failed:
        yield _failure("", kept.failure)


def _failure(path: str, failure: NodeFailure) -> RunFailure:
    return RunFailure(path=path, code=failure.code.value, message=failure.message)
