"""Edits of plans: those that wait, and how a topic's queue stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import MonitorAnalysis, PlanningState
from heartrule.domain.orchestration import PlanEdit
from session_store.records.monitoring import MonitorTicket, MonitorWork

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
    ticket: MonitorTicket | None = None
    """The round whose analysis asked for it; None: no analysis did."""
    state: PlanningState = PlanningState.PROPOSED
    """What became of the wish: one that is owed no longer proposes nothing."""
    reason: str = ""
    """Why there is no plan, in UPPER_SNAKE."""
    retry_after: timedelta | None = None
    """Failed, and owed still: the pause before the next attempt. None: it is owed no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningWork:
    """A plan that is owed, claimed, with what it is to be made from."""

    judged: MonitorWork
    """The round; `attempt` counts those at the plan."""
    analysis: MonitorAnalysis
    advice_id: str = ""
    """The advice the analysis gave; empty for none."""
