"""Stopping a running turn: what is asked, what was noted, what is left behind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.events import DraftPosition, Outcome
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo


class StopKind(StrEnum):
    """What a running turn is asked to do at its next safe point."""

    INTERRUPT = "interrupt"
    """End; what is committed stays."""
    RESTART = "restart"
    """Begin anew with the inputs that wait, unless it has said something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequest:
    """What is asked of one running turn; durable until another takes its place."""

    turn_id: str
    attempt: int
    """The attempt that ran; a RESTART concerns it alone, an INTERRUPT all that follow."""
    kind: StopKind
    request_id: str = ""
    heard: DraftPosition | None = None
    """How much of the draft is to be kept; None: as `keeps_shown` says."""
    keeps_shown: bool = False
    """True: all of a draft that holds a whole sentence is to be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupt:
    """A turn is to be interrupted."""

    key: SessionKey
    turn_id: str
    request_id: str = ""
    """The same request_id gets the same answer while the turn is the last that was stopped."""
    heard: DraftPosition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """What became of an interrupt; exactly one field is set."""

    request: StopRequest | None = None
    """Noted: the turn stops at its next safe point."""
    outcome: Outcome | None = None
    """Nothing changed: the turn had ended so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLeft:
    """An attempt that its holder gives up, so that a further one may begin at once."""

    turn_id: str
    attempt: int
    calls: tuple[LLMDebugInfo, ...] = ()
