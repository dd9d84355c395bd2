"""Decisions and workflows as the store takes and gives them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from heartrule.domain.decisions import Decision, DecisionState, Verdict
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import Workflow
from session_store.records.runs import NewRun, RunEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionChange:
    """A decision that is made, judged, or taken further."""

    decision: Decision
    """One that is known stays as it was made: its id alone is read."""
    state: DecisionState
    """From now on."""
    is_made: bool = True
    """False: it is known already."""
    verdict: Verdict | None = None
    """None: it is not judged now. A decision is judged again when its time comes (RESOLUTIONS D15);
    the payload that takes effect stays that of its first valid verdict (D20)."""
    place: int = 0
    """Among the decisions that were made at once."""
    action_instance_id: str = ""
    """The action whose agent made it; empty: none did."""


def as_made(changes: Iterable[DecisionChange]) -> list[DecisionChange]:
    """Return those among the changes that are made, in the order in which they were."""
    return sorted((each for each in changes if each.is_made), key=attrgetter("place"))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """A revision of a workflow; the number is its own."""

    workflow: Workflow
    decision_id: str = ""
    """What made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDecision:
    """A decision with what became of it."""

    decision: Decision
    state: DecisionState
    verdict: Verdict | None = None
    place: int = 0
    action_instance_id: str = ""
    turn_id: str = ""
    """Empty: it was made between turns."""
    step: int = 0
    """Which of the turn's steps made it, from 0."""
    sequence: int = 0
    """Of its DecisionMade."""
    is_taken_back: bool = False
    """True: the turn that made it was taken back; no list has it."""
    create_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptWorkflow:
    """A revision with where it came from."""

    workflow: Workflow
    decision_id: str = ""
    turn_id: str = ""
    sequence: int = 0
    """Of the event that tells it; 0: none does, the script brought it."""
    create_time: datetime | None = None

    @property
    def is_of_script(self) -> bool:
        """Return whether the session began with it."""
        return not self.sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFilter:
    """Which decisions are listed."""

    turn_id: str = ""
    """Empty, as the next: any."""
    decision_type: str = ""
    state: DecisionState | None = None
    """None: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedDecision:
    """A decision that is made between turns, with its verdict and effect."""

    key: SessionKey
    change: DecisionChange
    workflows: tuple[NewRevision, ...] = ()
    runs: tuple[NewRun, ...] = ()
    run_effects: tuple[RunEffect, ...] = ()
    at_sequence: int
    """The session's last event when it was judged: what has moved since is judged anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOutcome:
    """What the session remembers of a decision's id (RESOLUTIONS D20)."""

    kept: KeptDecision
    events: tuple[SessionEvent, ...] = ()
    """Empty: the id is known, and this is what became of it then."""
