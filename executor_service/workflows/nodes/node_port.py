"""What a node is given when it runs, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from executor_service.workflows.nodes.node_access import NO_ACCESS, NodeAccess
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFile:
    """A file that code of a run wrote and named in what it returned."""

    mime_type: str
    data: bytes = field(repr=False)


class NodeSpending(Protocol):
    """Counts what the nodes of one session use of the policy's limits."""

    async def allow(self, *, api_calls: int = 0, llm_tokens: int = 0) -> bool:
        """Count what is about to be used; False, and nothing counted, where it passes a limit."""
        ...

    async def add(self, *, llm_tokens: int) -> None:
        """Count what was used beyond what had been allowed, whatever the limits."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCall:
    """One attempt of one node."""

    config: Mapping[str, JsonValue] = field(repr=False)
    """With its references filled in, secrets too."""
    spending: NodeSpending
    key: str
    """Equal for every attempt of the same thing: of its run, node and configuration."""
    timeout_s: float
    inputs: Mapping[str, JsonValue] = field(default_factory=dict, repr=False)
    """What its input_mapping gives."""
    env: Mapping[str, JsonValue] = field(default_factory=dict, repr=False)
    """The run's `global_config.env`; PYTHON nodes alone see it."""
    files: Mapping[str, NodeFile] = field(default_factory=dict)
    """Files that nodes before it made, by the name they returned."""
    access: NodeAccess = NO_ACCESS
    model_calls: list[LLMDebugInfo] = field(default_factory=list, repr=False)
    """Gets a record of each call to a model, whether the node ends well, fails or is cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeResult:
    """What a node gave."""

    output: JsonValue = field(repr=False)
    files: Mapping[str, NodeFile] = field(default_factory=dict)
    """New files, by the name that the output has."""


class NodeRunner(Protocol):
    """What runs the nodes of one type."""

    async def run(self, call: NodeCall) -> NodeResult:
        """Run one attempt; whoever calls keeps the time.

        Raises:
            NodeFailed: It did not succeed.
        """
        ...

    async def aclose(self) -> None:
        """Free threads and connections; nothing runs any more."""
        ...
