"""How a topic's queue stands."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.replacement import ActionReplacement
from session_store.records.turns import ActionInstance


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """The queue of the topic a session stands in."""

    script_id: str
    script_version: str
    replacements: tuple[ActionReplacement, ...] = ()
    position: ExecutionPosition
    plan_revision: int
    plan: tuple[ActionInstance, ...]
    past: tuple[PlanEdit, ...] = ()
    """Edits applied to that topic, oldest first."""
