"""One attempt of a node: its references are filled in, it runs, its output is mapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.failpoints import Failpoint
from executor_service.workflows.configs import MOST_SECONDS
from executor_service.workflows.engine.driven_run import DrivenRun
from executor_service.workflows.graph import node_at
from executor_service.workflows.loops import values_at
from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.node_values import NodeValues
from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.nodes.node_port import NodeCall, NodeFile
from executor_service.workflows.resolving import (
    call_key,
    output_values,
    own_values,
    resolved_config,
)
from heartrule.domain.json_value import JsonValue, texts_in
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.runs import NodeFailure, RunProgress
from heartrule.domain.workflows import Node, NodeType
from session_store.records.runs import NewArtifact

_SAFE_METHODS = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedNode:
    """A node whose values were looked up, or the reason why they could not be."""

    node: Node
    shown: Mapping[str, JsonValue] = field(default_factory=dict)
    """Its inputs; secrets stand in them by their names alone."""
    values: NodeValues = field(default_factory=NodeValues)
    """With its own inputs."""
    config: Mapping[str, JsonValue] = field(default_factory=dict)
    """Of a LOOP as it is written."""
    key: str = ""
    failure: NodeFailure | None = None

    @property
    def has_effect(self) -> bool:
        """Return whether it does something outside that no retry takes back."""
        method = self.node.config.get("method", "GET")
        return self.node.type is NodeType.HTTP and method not in _SAFE_METHODS


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """What came of an attempt: an output, or a failure."""

    output: JsonValue = None
    failure: NodeFailure | None = None
    files: Sequence[NewArtifact] = ()
    calls: Sequence[LLMDebugInfo] = ()
    failed_conditions: tuple[str, ...] = ()


def prepared(run_id: str, progress: RunProgress, path: str, access: NodeAccess) -> PreparedNode:
    """Return a node with its values; a value that is missing is the failure of its attempt."""
    node = node_at(progress.workflow, path)
    try:
        values = values_at(progress, path)
        names = {name: f"${{{name}}}" for name in access.secrets}
        shown = own_values(node, values, names).own
        own = own_values(node, values, access.secrets)
        if node.type is NodeType.LOOP:
            return PreparedNode(node=node, shown=shown, values=own, config=node.config)
        return PreparedNode(
            node=node,
            shown=shown,
            values=own,
            config=resolved_config(node, own),
            key=call_key(run_id, path, node, replace(values, secrets=access.secrets)),
        )
    except NodeFailed as error:
        return PreparedNode(node=node, failure=error.failure)


async def run_attempt(run: DrivenRun, ready: PreparedNode, seconds: float) -> AttemptResult:
    """Run a prepared node, no LOOP, for as long as it may take and `seconds` at most."""
    ports, calls = run.ports, list[LLMDebugInfo]()
    call = NodeCall(
        config=ready.config,
        spending=run.means.spending,
        key=ready.key,
        timeout_s=min(seconds, seconds_of(ready.node)),
        inputs=ready.values.own,
        env=_env(run.progress),
        files=await _files(run, ready),
        access=run.means.access,
        model_calls=calls,
    )
    try:
        given = await ports.nodes.run(ready.node.type, call)
        ports.failpoints.hit(Failpoint.IN_NODE)
        output = await ports.beside(output_values, ready.node, given.output, ready.values)
    except NodeFailed as error:
        return AttemptResult(failure=error.failure, calls=calls)
    files = tuple(
        NewArtifact(name=name, mime_type=file.mime_type, content=file.data)
        for name, file in given.files.items()
    )
    return AttemptResult(output=output, files=files, calls=calls)


def seconds_of(node: Node) -> float:
    """Return how long one run of a node may take at most."""
    given = node.config.get("timeout")
    return min(given, MOST_SECONDS) if isinstance(given, int | float) else MOST_SECONDS


def _env(progress: RunProgress) -> Mapping[str, JsonValue]:
    env = progress.workflow.global_config.get("env")
    return env if isinstance(env, Mapping) else {}


async def _files(run: DrivenRun, ready: PreparedNode) -> Mapping[str, NodeFile]:
    """Return the files that nodes before it wrote, as far as the node may want them."""
    wanted: set[str] = set()
    if ready.node.type is NodeType.PYTHON:
        wanted = set(run.files)
    elif ready.node.type is NodeType.HTTP and run.files:
        wanted = {each for each in texts_in(ready.config.get("body")) if each in run.files}
    found: dict[str, NodeFile] = {}
    for name in sorted(wanted):
        file = await run.ports.store.get_run_artifact(
            run.lease.key, run.lease.run_id, run.files[name], name
        )
        found[name] = NodeFile(mime_type=file.mime_type, data=file.content)
    return found
