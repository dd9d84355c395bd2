"""Which turn begins next, decided without rows (docs/explanation/architecture.md, point 2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from heartrule.domain.conversation import IfBusy
from session_store.records import NoTurn, TurnKind, TurnLater, TurnStatus
from session_store.turn_rules import MAX_MERGES, group_size, joins_failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """The session's newest turn, where it has not completed; there is never more than one."""

    kind: TurnKind
    state: TurnStatus
    steps: int = 0
    """Steps it has committed."""
    retry: bool = False
    """True when a repeat of one of its inputs asked for it since it failed."""
    inputs: tuple[IfBusy, ...] = ()
    merges: int = 0
    """How often further inputs joined it after it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """What decides, of a session whose lease is free."""

    opened: bool
    completed: bool
    unfinished: Unfinished | None = None
    waiting: tuple[IfBusy, ...] = ()
    """Inputs without a turn, oldest first."""
    window_left: timedelta = timedelta(0)
    """How long the merge window of the oldest waiting input stays open; not above 0: closed."""
    restarts: bool = False
    """True when the running attempt was asked to begin anew with what waits."""
    urgent: int = 0
    """How many of the waiting inputs, up to an urgent one, no other turn may delay; 0: none."""


class NextTurn(StrEnum):
    """What to begin."""

    OPEN = "open"
    """The opening turn, for the first time."""
    RESUME = "resume"
    """A further attempt of the unfinished turn."""
    START = "start"
    """A new turn."""


@dataclass(frozen=True, slots=True)
class TurnToBegin:
    """What to begin, and how many of the waiting inputs it takes up."""

    kind: NextTurn
    taken: int = 0
    gives_up: bool = False
    """True: the unfinished turn runs no more."""


def opening_turn(state: SessionState) -> TurnToBegin | NoTurn:
    """Return what begin_opening does: begin or take up the opening turn, until it has ended."""
    if state.opened:
        return NoTurn.IDLE
    turn = state.unfinished
    if turn is None:
        return TurnToBegin(NextTurn.OPEN, state.urgent)
    failed = turn.state is TurnStatus.FAILED
    return TurnToBegin(NextTurn.RESUME, _with_failed(turn, state) if failed else 0)


def next_turn(state: SessionState) -> TurnToBegin | TurnLater | NoTurn:
    """Return what begin_turn does.

    A turn that was asked to restart takes up what waits. A failed turn is resumed only when a
    repeat or a waiting input asks for it, at once. Inputs join it a few times; the next ones begin
    a turn of their own, which is the end of the failed one. The merge window holds back new turns
    alone, and none that a QUEUE input begins. An urgent input is taken up by the turn that begins,
    with all that waits before it, and no window holds it back.
    """
    turn, waiting = state.unfinished, state.waiting
    if turn is not None and turn.state is TurnStatus.RUNNING:
        return TurnToBegin(NextTurn.RESUME, _with_restarted(turn, waiting) if state.restarts else 0)
    if turn is not None and (turn.retry or waiting):
        joining = _with_failed(turn, state)
        if not joining or not _is_full(turn):
            return TurnToBegin(NextTurn.RESUME, joining)
        if turn.retry and not state.urgent:
            return TurnToBegin(NextTurn.RESUME)
        return TurnToBegin(NextTurn.START, joining, gives_up=True)
    if state.completed or not waiting:
        return NoTurn.IDLE
    if not state.opened:
        return TurnToBegin(NextTurn.OPEN, state.urgent)
    if state.window_left > timedelta(0) and waiting[0] is not IfBusy.QUEUE and not state.urgent:
        return TurnLater(delay=state.window_left)
    return TurnToBegin(NextTurn.START, max(group_size(waiting), state.urgent))


def _with_restarted(turn: Unfinished, waiting: tuple[IfBusy, ...]) -> int:
    """Return how many waiting inputs a turn takes up that begins anew."""
    return joins_failed(turn.inputs, waiting) if _is_unjudged(turn) else 0


def _with_failed(turn: Unfinished, state: SessionState) -> int:
    """Return how many waiting inputs a failed turn takes up when it is resumed.

    Before its first step they are judged together with its own. Afterwards, and in the opening
    turn, all of them become history: they were written before the messages that the resumption
    commits, so they answer none of them (ADR 45).
    """
    waiting = state.waiting
    joining = joins_failed(turn.inputs, waiting) if _is_unjudged(turn) else len(waiting)
    return max(joining, state.urgent)


def _is_full(turn: Unfinished) -> bool:
    """Return whether nothing may join a failed turn: each merge makes its prompt longer."""
    return _is_unjudged(turn) and turn.merges >= MAX_MERGES


def _is_unjudged(turn: Unfinished) -> bool:
    return turn.kind is TurnKind.INPUT and not turn.steps
