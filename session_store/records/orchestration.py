"""Edits of plans: those that wait, and how a topic's queue stands."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.orchestration import PlanEdit

UNDECIDED = -1
"""Number of the turn of an edit that waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEdit:
    """An edit with the turns it hangs on."""

    edit: PlanEdit
    judged_turn_no: int = 0
    """Number of the turn that was judged; of an undo, of the newest turn then."""
    decided_turn_no: int = UNDECIDED
    sequence: int = 0
    """Of the event that told of it first; it orders edits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditsAtHand:
    """What a turn needs to decide edits; empty for a session in which none waits."""

    waiting: tuple[KeptEdit, ...] = ()
    """In the order in which they were made."""
    past: tuple[PlanEdit, ...] = ()
    """Edits applied to the topic the session stands in, undone ones too, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedEdit:
    """What an orchestrator proposed, to be kept for the next turn."""

    key: SessionKey
    edit: PlanEdit | None
    """None: nothing was proposed; the calls are kept all the same."""
    judged_turn_id: str = ""
    calls: tuple[LLMDebugInfo, ...] = ()
