"""Stopping turns in memory."""

from __future__ import annotations

from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import NotFound
from heartrule.domain.events import Outcome
from heartrule.domain.keys import SessionKey
from session_store.memory.rows import SessionRow, Tables
from session_store.memory.steps import held_by, keep_calls, release
from session_store.records import (
    Interrupt,
    Interrupted,
    Lease,
    StopWish,
    TurnLeft,
    TurnState,
)
from session_store.stop_rules import (
    STOPPING,
    is_repeat,
    may_restart,
    noted,
    wish_of,
    wish_of_input,
)


class MemoryStops:
    """StopStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def interrupt_turn(self, asked: Interrupt) -> Interrupted:
        """Note that a running turn is to end; see the port."""
        row = self._tables.session(asked.key)
        if is_repeat(row.stop_wish, asked):
            return Interrupted(wish=row.stop_wish)
        turn = row.turns.get(asked.turn_id) or row.taken_back.get(asked.turn_id)
        if turn is None:
            raise NotFound("turn", asked.turn_id)
        if turn.state is not TurnState.RUNNING:
            return Interrupted(outcome=turn.ended or Outcome.FAILED)
        row.stop_wish = noted(row.stop_wish, wish_of(asked, turn.attempt))
        return Interrupted(wish=row.stop_wish)

    async def find_stop(self, key: SessionKey) -> StopWish | None:
        """Return what was asked last of a turn of the session."""
        return self._tables.session(key).stop_wish

    async def leave_turn(self, lease: Lease, left: TurnLeft) -> None:
        """Free the lease of a turn that goes on running, or LeaseLost and nothing."""
        row, _ = held_by(self._tables, lease, left)
        keep_calls(self._tables, row, left.calls, turn_id=left.turn_id)
        release(row)


def wish_to_note(row: SessionRow, mode: IfBusy) -> StopWish | None:
    """Return what an INTERRUPT or RESTART input asks of the turn that runs; None where none does.

    An earlier interrupt of that turn counts instead of it.
    """
    turn = row.newest_turn()
    if mode not in STOPPING or turn is None or turn.state is not TurnState.RUNNING:
        return None
    inputs = [each.if_busy for each in turn.inputs]
    waiting = [each.if_busy for each in row.waiting()]
    if mode is IfBusy.RESTART and not may_restart(turn.kind, turn.steps, inputs, waiting):
        return None
    return noted(row.stop_wish, wish_of_input(mode, turn.turn_id, turn.attempt))
