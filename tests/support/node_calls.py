"""Calls of nodes as a run makes them, without a run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.nodes.node_access import NO_ACCESS, NodeAccess
from executor_service.workflows.nodes.node_attempts import Nodes
from executor_service.workflows.nodes.node_port import NodeCall, NodeFile, NodeResult, NodeRunner
from executor_service.workflows.sandbox.sandbox_port import (
    SandboxJob,
    SandboxResult,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeFailure
from heartrule.domain.workflows import NodeType

KEY = "k" * 64


@dataclass(slots=True)
class CountedSpending:
    """Allows what a session has left, and remembers what was counted."""

    left: int = 1_000_000
    """Of either kind."""
    counted: list[Mapping[str, int]] = field(default_factory=list)
    added: int = 0

    async def allow(self, *, api_calls: int = 0, llm_tokens: int = 0) -> bool:
        if api_calls + llm_tokens > self.left:
            return False
        self.left -= api_calls + llm_tokens
        self.counted.append({"api_calls": api_calls, "llm_tokens": llm_tokens})
        return True

    async def add(self, *, llm_tokens: int) -> None:
        self.added += llm_tokens


class WrittenSandbox:
    """Gives one answer, and remembers the jobs."""

    def __init__(self, answer: SandboxResult | NodeFailed) -> None:
        self._answer = answer
        self.jobs: list[SandboxJob] = []

    async def run(self, job: SandboxJob) -> SandboxResult:
        self.jobs.append(job)
        if isinstance(self._answer, NodeFailed):
            raise self._answer
        return self._answer

    async def aclose(self) -> None:
        """Do nothing."""


def node_call(
    config: Mapping[str, JsonValue],
    *,
    inputs: Mapping[str, JsonValue] | None = None,
    files: Mapping[str, NodeFile] | None = None,
    access: NodeAccess = NO_ACCESS,
    spending: CountedSpending | None = None,
    timeout_s: float = 30.0,
) -> NodeCall:
    """Return one attempt of a node whose references are filled in."""
    return NodeCall(
        config=config,
        spending=spending or CountedSpending(),
        key=KEY,
        timeout_s=timeout_s,
        inputs=inputs or {},
        files=files or {},
        access=access,
    )


async def ran(runner: NodeRunner, call: NodeCall) -> NodeResult:
    """Return the result of a call, as a run is given it."""
    return await Nodes({NodeType.HTTP: runner}).run(NodeType.HTTP, call)


async def failure_of(runner: NodeRunner, call: NodeCall) -> NodeFailure:
    """Return why a call fails, as a run is told it."""
    with pytest.raises(NodeFailed) as raised:
        # A limit is kept within a second over it.
        async with asyncio.timeout(call.timeout_s + 1.0):
            await ran(runner, call)
    return raised.value.failure
