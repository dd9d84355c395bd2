"""Stopping turns: what is asked of the one that runs, kept in the session's row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from session_store.codec import dump, load
from session_store.records import (
    Interrupted,
    InterruptOrder,
    Lease,
    StopRequest,
    TurnKind,
    TurnLeft,
)
from session_store.sql.database.statements import Found
from session_store.sql.safety import safety_states
from session_store.sql.sessions import calls, messages, sessions
from session_store.sql.sessions.events import end_of
from session_store.sql.sessions.rows import input_of
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts, leases
from session_store.sql.turns.attempts import AttemptState
from session_store.turn_rules import (
    asked_to_restart,
    asked_to_stop,
    is_repeat,
    may_restart,
    noted,
    stop_request_of,
    stop_request_of_input,
    urgent_input,
)


def interrupt_turn(db: sa.Connection, asked: InterruptOrder) -> Interrupted:
    """Note that a running turn is to end at its next safe point; an ended one stays as it is.

    Of several interrupts of one turn the first counts. NotFound for a turn that never was.
    """
    locked = sessions.lock(db, asked.key)
    known = stop_request_in(locked.row)
    if is_repeat(known, asked):
        return Interrupted(request=known)
    newest = attempts.newest(db, asked.key, asked.turn_id)
    if newest is None:
        raise NotFound("turn", asked.turn_id)
    if newest.state != AttemptState.RUNNING:
        return Interrupted(outcome=end_of(db, asked.key, newest).body.outcome)
    request = noted(known, stop_request_of(asked, newest.attempt))
    if request != known:
        sessions.update(db, asked.key, {"stop_request": dump(request)})
    return Interrupted(request=request)


def find_stop(db: sa.Connection, key: SessionKey) -> StopRequest | None:
    """Return what was asked last of a turn of the session, whether it still runs or not."""
    return stop_request_in(sessions.read(db, key))


def leave_turn(db: sa.Connection, lease: Lease, left: TurnLeft) -> None:
    """Free the lease of a turn that goes on running, or LeaseLost and nothing.

    Whoever takes it up next begins a further attempt; see `begin_turn`.
    """
    locked, _ = leases.held_by(db, lease, left)
    counted = calls.append(db, locked, left.turn_id, left.calls)
    sessions.update(db, lease.key, counted | leases.RELEASED)


def stop_request_in(row: Found) -> StopRequest | None:
    """Return the request that a session's row holds."""
    return load(StopRequest, row.stop_request) if row.stop_request else None


def interrupt_of(row: Found, turn_id: str) -> StopRequest | None:
    """Return the interrupt of a turn; nearly always there is none."""
    return asked_to_stop(stop_request_in(row), turn_id) if row.stop_request else None


def asks_to_restart(row: Found, attempt: Found) -> bool:
    """Return True where this very attempt is to begin anew."""
    if not row.stop_request:
        return False
    return asked_to_restart(stop_request_in(row), attempt.turn_id, attempt.attempt)


def has_opted_out(db: sa.Connection, locked: Locked) -> bool:
    """Return whether the session's script turned the crisis path off: no input is urgent then."""
    return bool(safety_states.current(db, locked.row).opt_out)


def urgent_to_note(locked: Locked, stop: StopRequest | None, client_message_id: str) -> StopRequest:
    """Return what is noted of an urgent input, with what it asks of the turn that runs."""
    if stop is not None:
        return replace(stop, urgent=client_message_id)
    return noted(stop_request_in(locked.row), urgent_input(client_message_id))


def after_failure(row: Found) -> str:
    """Return the column of a turn that failed: of what was asked, an urgent input stays noted."""
    known = stop_request_in(row)
    return dump(urgent_input(known.urgent)) if known is not None and known.urgent else ""


def urgent_among(row: Found, client_message_ids: Sequence[str]) -> int:
    """Return how many of the waiting inputs a turn takes up with the urgent one; 0: none is."""
    known = stop_request_in(row)
    if known is None or known.urgent not in client_message_ids:
        return 0
    return client_message_ids.index(known.urgent) + 1


def stop_request_to_note(db: sa.Connection, locked: Locked, mode: IfBusy) -> StopRequest | None:
    """Return what an INTERRUPT or RESTART input asks of the turn that runs; None where none does.

    An earlier interrupt of that turn counts instead of it.
    """
    running = attempts.unfinished(db, locked)
    if running is None or running.state != AttemptState.RUNNING:
        return None
    if mode is IfBusy.RESTART and not _may_restart(db, locked, running):
        return None
    return noted(
        stop_request_in(locked.row), stop_request_of_input(mode, running.turn_id, running.attempt)
    )


def _may_restart(db: sa.Connection, locked: Locked, running: Found) -> bool:
    rows = messages.of_turn(db, locked.key, running.turn_no)
    inputs = [input_of(row).if_busy for row in rows if row.client_message_id]
    waiting = [each.if_busy for each in messages.waiting(db, locked.key)]
    return may_restart(TurnKind(running.kind), running.steps, inputs, waiting)
