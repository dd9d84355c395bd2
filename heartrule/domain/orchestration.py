"""Edits of a topic's queue that the monitor proposes (000, path 2; RESOLUTIONS C30)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import AnalysisReport, MonitorAnalysis

# Edits a topic takes where its script names no `edit_budget`, so that a plan cannot change for
# ever.
DEFAULT_EDIT_BUDGET = 3


class OrchestrationAction(StrEnum):
    """The kind of change a plan makes."""

    INSERT = "insert"
    MODIFY = "modify"
    SKIP = "skip"
    REORDER = "reorder"


class RelativePosition(StrEnum):
    """A place relative to what runs."""

    AFTER_CURRENT = "after_current"
    BEFORE_NEXT = "before_next"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionDefinition:
    """An action as a script defines it."""

    action_type: str
    action_id: str = ""
    """Empty: one is made."""
    config: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestrationPlan:
    """One proposed change of what has not started yet."""

    action: OrchestrationAction
    index: int | None = None
    """INSERT: index into the remaining queue, from 0."""
    relative: RelativePosition | None = None
    """INSERT: a place relative to what runs; with neither, after_current."""
    new_action: ActionDefinition | None = None
    modifications: Mapping[str, JsonValue] = field(default_factory=dict)
    """MODIFY: the configuration keys to set."""
    reason: str = ""
    target_instance: str = ""
    """SKIP and MODIFY: the instance meant."""
    order: tuple[str, ...] = ()
    """REORDER: every remaining instance, in the new order."""


class QueueState(StrEnum):
    """The state of one entry of a queue."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedAction:
    """One entry of a topic's queue."""

    action_instance_id: str
    action_id: str
    action_type: str
    state: QueueState = QueueState.PENDING
    mandatory: bool = False
    """The orchestrator may neither skip nor change it."""
    inserted: bool = False
    """An edit put it in; the script does not have it."""
    config: Mapping[str, JsonValue] = field(default_factory=dict)
    """In an edit and in a queue: what an edit gave it, else empty. To the orchestrator: a summary
    of what it is about."""
    parent_instance_id: str = ""
    """The use_skill it runs inside; empty: it is the topic's own."""


class PlanEditState(StrEnum):
    """The state of an edit."""

    PENDING = "pending"
    """It waits for the beginning of a turn."""
    APPLIED = "applied"
    REJECTED = "rejected"
    UNDONE = "undone"
    """It was applied, and a later edit took it back."""
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEdit:
    """One edit of a topic's queue, from its cause to what became of it."""

    edit_id: str
    session_id: str
    cause_id: str
    """The advice, else the analysis `<action instance>/<round>`; of an undo the request's id."""
    judged_turn_id: str = ""
    phase_id: str = ""
    topic_id: str = ""
    """Whose queue is meant."""
    plan: OrchestrationPlan | None = None
    """None: an undo."""
    undoes: str = ""
    """The edit that is taken back; empty for a plan."""
    state: PlanEditState = PlanEditState.PENDING
    rule: str = ""
    """UPPER_SNAKE rule that rejected or expired it."""
    problem: str = ""
    """The reason of a rejection, with its place."""
    plan_revision: int = 0
    """The session's once it was applied; 0 before."""
    before: tuple[QueuedAction, ...] = ()
    """Applied: what had not started, in order."""
    after: tuple[QueuedAction, ...] = ()
    """Applied: the same part of the queue afterwards, skipped entries included."""
    ttl_turns: int = 2
    """Turns it may wait after the judged one."""
    made_at: datetime | None = None
    decided_turn_id: str = ""
    """The turn at whose beginning it was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestrationReport:
    """All an orchestrator needs to propose one plan; the request of PlanOrchestration."""

    report: AnalysisReport
    """The judged round."""
    analysis: MonitorAnalysis
    queue: tuple[QueuedAction, ...] = ()
    """The actions not yet started, in order."""
    topic_goal: str = ""
    budget_left: int = DEFAULT_EDIT_BUDGET
    action_types: tuple[str, ...] = ()
    """Types a new action may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestrationAnswer:
    """The response of PlanOrchestration."""

    plan: OrchestrationPlan | None = None
    """None: nothing is proposed."""
    parse_failed: bool = False
    warnings: tuple[str, ...] = ()
    calls: tuple[LLMDebugInfo, ...] = ()
    failure: str = ""
    """UPPER_SNAKE reason where no model gave a whole answer."""
    traceparent: str = ""
