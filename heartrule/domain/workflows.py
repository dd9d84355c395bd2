"""Workflows that a conversation agent drafts (document 002, scenarios 2, 3 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from heartrule.domain.json_value import JsonValue

MOST_NODES = 50
"""Nodes of a workflow, START, END and the bodies of loops counted (section 3.1; D11)."""
MOST_WORKFLOWS = 100
"""Of a session; each has one megabyte at most, and an agent's turn reads their newest revisions."""


class NodeType(StrEnum):
    """What a node does; START and END stand in plans alone (RESOLUTIONS D6)."""

    LLM = "LLM"
    HTTP = "HTTP"
    PYTHON = "PYTHON"
    DATABASE = "DATABASE"
    CONDITION = "CONDITION"
    LOOP = "LOOP"
    START = "START"
    END = "END"


class WorkflowStatus(StrEnum):
    """How far a workflow is."""

    DRAFT = "draft"
    """The rules of a plan do not hold for it yet."""
    READY = "ready"
    RUNNING = "running"
    COMPLETED = "completed"
    """A run of it has ended well; it may run again."""
    FAILED = "failed"


class SandboxTier(StrEnum):
    """Where a PYTHON node's code can run (RESOLUTIONS D9)."""

    SMALL = "small"
    """An interpreter of its own with a short list of modules."""
    PROCESS = "process"
    """A confined child process, with pandas, numpy and matplotlib."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One step of a workflow."""

    node_id: str
    type: NodeType
    name: str
    config: Mapping[str, JsonValue] = field(default_factory=dict)
    input_mapping: Mapping[str, JsonValue] = field(default_factory=dict)
    output_mapping: Mapping[str, JsonValue] = field(default_factory=dict)
    description: str = ""
    retry_config: Mapping[str, JsonValue] | None = None
    on_failure: Mapping[str, JsonValue] | None = None
    """The recovery plan for when its retries are spent; None: the policy's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """The order of two nodes."""

    source: str
    target: str
    condition: str = ""
    """CEL over the outputs of nodes; empty: always taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowInput:
    """A parameter of a run (RESOLUTIONS D24)."""

    type: str = ""
    """string, number, integer, boolean, array or object; empty: any."""
    is_required: bool = True
    default: JsonValue = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """One revision of a workflow; a revision never changes."""

    workflow_id: str
    revision: int = 1
    name: str = ""
    description: str = ""
    status: WorkflowStatus = WorkflowStatus.DRAFT
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    inputs: Mapping[str, WorkflowInput] = field(default_factory=dict)
    global_config: Mapping[str, JsonValue] = field(default_factory=dict)
