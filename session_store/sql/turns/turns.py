"""Beginning turns: the lease, the attempt, and all a turn needs, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

import sqlalchemy as sa

from heartrule.domain.conversation import UserInput
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.begin_rules import (
    NextTurn,
    SessionState,
    TurnToBegin,
    Unfinished,
    next_turn,
    opening_turn,
)
from session_store.codec import dump
from session_store.records import AcceptedInput, NoTurn, TurnKind, TurnLater, TurnSnapshot
from session_store.sql.database.statements import Found, copied
from session_store.sql.database.tables import attempts as attempts_table
from session_store.sql.monitor import advice
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import messages, sessions
from session_store.sql.sessions.events import emit, keep, was_emitted
from session_store.sql.sessions.rows import Input, input_of
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts, inputs, stops
from session_store.sql.turns.attempts import AttemptState
from session_store.sql.turns.inputs import New
from session_store.sql.turns.snapshot import Begun, snapshot_of
from session_store.step_events import ATTEMPT_LOST, RESTARTED, TAKEN_OVER, begin_drafts

# What an attempt takes over from the one before it.
_LASTING = ("turn_id", "turn_no", "steps", "degradations", "plan")
_ATTEMPTS = RowsOf(Begun, attempts_table)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who wants the lease, and for how long."""

    owner: str
    ttl: timedelta
    takes_over: bool = False
    """True: also where another holds it and an urgent input waits."""


# What began, or why nothing did.
Start: TypeAlias = TurnSnapshot | TurnLater | NoTurn


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What decides which turn begins."""

    locked: Locked
    waiting: tuple[Input, ...]
    attempt: Found | None
    """The newest attempt of the unfinished turn."""
    inputs: tuple[Input, ...]
    """Of the unfinished turn."""
    new: New | None = None
    """The last of those that wait, where this transaction accepted it and has not written it."""


def begin_opening(
    db: sa.Connection, key: SessionKey, *, owner: str, ttl: timedelta
) -> TurnSnapshot | NoTurn:
    """Take the lease and begin, or take up, the opening turn; IDLE once it is done."""
    locked = sessions.lock(db, key)
    candidate = _look(db, locked)
    begin = opening_turn(_state_of(candidate))
    if isinstance(begin, NoTurn):
        return begin
    if locked.is_held:
        return _held(candidate)
    return _begin(db, candidate, begin, Holder(owner, ttl))


def begin_turn(
    db: sa.Connection, key: SessionKey, *, owner: str, ttl: timedelta, takes_over: bool = False
) -> Start:
    """Take the lease and begin the next turn, or take up an unfinished one.

    In this order: an unfinished opening turn; the opening turn where it is unopened and inputs
    wait; a running turn whose holder is gone (attempt + 1), with the waiting inputs where it
    was asked to restart; a failed turn that a repeat or a new input asks for (merged with the
    waiting inputs where no step of it was committed); the waiting inputs as one turn (QUEUE:
    one each). A lease that another holds counts as gone where an urgent input waits and
    `takes_over` is set; without it that is NoTurn.URGENT.
    """
    return _begin_next(db, sessions.lock(db, key), Holder(owner, ttl, takes_over))


def accept_and_begin(
    db: sa.Connection,
    key: SessionKey,
    user_input: UserInput,
    *,
    owner: str,
    ttl: timedelta,
    urgent: bool = False,
) -> tuple[AcceptedInput, Start]:
    """Do as accept_input, then as begin_turn, in one transaction (ADR 19)."""
    holder = Holder(owner, ttl)
    locked, received = inputs.receive(db, key, user_input, urgent=urgent)
    if isinstance(received, AcceptedInput):
        return received, _begin_next(db, locked, holder)
    begun = _begin_next(db, received.behind(locked), holder, received)
    if not isinstance(begun, TurnSnapshot):
        inputs.store(db, locked, received)
    return received.accepted, begun


def was_begun(db: sa.Connection, begun: Start, key: SessionKey) -> bool:
    """Return True where this transaction began a turn."""
    return isinstance(begun, TurnSnapshot) and was_emitted(db, key, begun.events)


def was_accepted_or_begun(
    db: sa.Connection, done: tuple[AcceptedInput, Start], key: SessionKey
) -> bool:
    """Return True where this transaction accepted the input, or began a turn."""
    accepted, begun = done
    return was_begun(db, begun, key) or was_emitted(db, key, accepted.events)


def _begin_next(db: sa.Connection, locked: Locked, holder: Holder, new: New | None = None) -> Start:
    """Begin the next turn of a free session; `new` is written where one begins, and only there."""
    if locked.is_held and not locked.row.stop_request:
        return NoTurn.HELD
    candidate = _look(db, locked, new)
    if locked.is_held and not (holder.takes_over and _urgent(candidate)):
        return _held(candidate)
    begin = next_turn(_state_of(candidate))
    if not isinstance(begin, TurnToBegin):
        return begin
    return _begin(db, candidate, begin, holder)


def _look(db: sa.Connection, locked: Locked, new: New | None = None) -> _Candidate:
    attempt = attempts.unfinished(db, locked)
    taken: tuple[Input, ...] = ()
    if attempt is not None:
        rows = messages.of_turn(db, locked.key, attempt.turn_no)
        taken = tuple(input_of(row) for row in rows if row.client_message_id)
    unwritten = (new.input,) if new is not None else ()
    known = messages.waiting(db, locked.key) if locked.row.waiting > len(unwritten) else ()
    return _Candidate(locked, known + unwritten, attempt, taken, new)


def _state_of(candidate: _Candidate) -> SessionState:
    row, attempt = candidate.locked.row, candidate.attempt
    left = timedelta(0)
    if candidate.waiting:
        since = candidate.waiting[0].message.create_time
        assert since is not None, "what waits was stored"
        left = since + row.merge_window - candidate.locked.now
    return SessionState(
        opened=row.opened,
        completed=row.status == ExecutionStatus.COMPLETED,
        unfinished=_unfinished(candidate),
        waiting=tuple(each.if_busy for each in candidate.waiting),
        window_left=left,
        restarts=attempt is not None and stops.asks_to_restart(row, attempt),
        urgent=_urgent(candidate),
    )


def _held(candidate: _Candidate) -> NoTurn:
    return NoTurn.URGENT if _urgent(candidate) else NoTurn.HELD


def _urgent(candidate: _Candidate) -> int:
    """Return how many waiting inputs a turn takes up with the urgent one."""
    row, waiting = candidate.locked.row, candidate.waiting
    if not row.stop_request or not waiting:
        return 0
    return stops.urgent_among(row, [each.message.client_message_id for each in waiting])


def _unfinished(candidate: _Candidate) -> Unfinished | None:
    attempt = candidate.attempt
    if attempt is None:
        return None
    return Unfinished(
        kind=TurnKind(attempt.kind),
        state=AttemptState(attempt.state).of_turn,
        steps=attempt.steps,
        retry=attempt.state == AttemptState.ASKED_AGAIN,
        merges=attempt.merges,
        inputs=tuple(each.if_busy for each in candidate.inputs),
    )


def _begin(
    db: sa.Connection, candidate: _Candidate, what: TurnToBegin, holder: Holder
) -> TurnSnapshot:
    """Take the free lease, make or take up the turn, and return all it needs."""
    locked, key = candidate.locked, candidate.locked.key
    resumed = candidate.attempt if what.kind is NextTurn.RESUME else None
    if what.gives_up and candidate.attempt is not None:
        attempts.update(db, key, candidate.attempt, attempts.given_up(locked))
    taken = candidate.waiting[: what.taken]
    turn = (
        _first(candidate, what.kind, taken) if resumed is None else _next(candidate, resumed, taken)
    )
    messages.take_up(db, key, taken, turn_id=turn.turn_id, turn_no=turn.turn_no)
    if candidate.new is not None and candidate.new.input not in taken:
        messages.store_input(db, key, candidate.new.input)
    still, expired = advice.expire_outlived(db, key, turn.turn_no)
    drafts = begin_drafts(
        turn.emitting,
        lost=_leave(db, locked, resumed, joined=bool(taken)),
        expired=expired,
        client_message_ids=turn.client_message_ids,
    )
    emitted = emit(locked, drafts)
    first = emitted.first if resumed is None else int(resumed.first_seq)
    attempts.store(db, key, _attempt_row(turn, first))
    taking = {
        "lease_owner": holder.owner,
        "lease_token": locked.row.lease_token + 1,
        "lease_until": locked.now + holder.ttl,
        "open_turn_id": turn.turn_id,
        "open_attempt": turn.attempt,
        "waiting": locked.row.waiting - len(taken),
    }
    whole = emitted if candidate.new is None else emitted.after(candidate.new.emitted)
    if candidate.new is not None:
        taking |= candidate.new.stopping()
    left = keep(db, locked, whole, taking | _made(turn, new=resumed is None))
    taken_over = Locked(key, left, locked.now)
    return snapshot_of(db, taken_over, turn, advice=still, events=emitted.events)


def _first(candidate: _Candidate, choice: NextTurn, taken: Sequence[Input]) -> Begun:
    """Return the first attempt of a new turn."""
    return Begun(
        turn_id=new_id("turn"),
        turn_no=candidate.locked.row.next_turn,
        attempt=1,
        kind=TurnKind.OPENING if choice is NextTurn.OPEN else TurnKind.INPUT,
        inputs=tuple(taken),
        inputs_consumed=choice is NextTurn.OPEN and bool(taken),
        new_inputs=len(taken),
        steps=0,
    )


def _next(candidate: _Candidate, before: Found, taken: Sequence[Input]) -> Begun:
    """Return a further attempt of the unfinished turn."""
    return Begun(
        attempt=before.attempt + 1,
        kind=TurnKind(before.kind),
        inputs=candidate.inputs + tuple(taken),
        inputs_consumed=before.inputs_consumed or before.kind == TurnKind.OPENING,
        new_inputs=before.new_inputs + len(taken),
        merges=before.merges + (bool(taken) and before.state != AttemptState.RUNNING),
        **copied(before, _LASTING),
    )


def _leave(db: sa.Connection, locked: Locked, before: Found | None, *, joined: bool) -> str:
    """Close the attempt before this one; return why it has no outcome, empty where it has one."""
    if before is None:
        return ""
    lost = bool(before.state == AttemptState.RUNNING)
    left = AttemptState.LOST if lost else AttemptState.FAILED
    attempts.update(db, locked.key, before, {"state": left.value})
    if joined or not lost:
        return RESTARTED if lost else ""
    return TAKEN_OVER if locked.is_held else ATTEMPT_LOST


def _made(turn: Begun, *, new: bool) -> dict[str, object]:
    """Return what a new turn changes in the session's row."""
    if not new:
        return {}
    opening = {"opening_turn_id": turn.turn_id} if turn.kind is TurnKind.OPENING else {}
    return {"next_turn": turn.turn_no + 1, **opening}


def _attempt_row(turn: Begun, first: int) -> dict[str, object]:
    """Return the columns of an attempt that begins; `first` is the turn's first event."""
    return _ATTEMPTS.new_row(
        turn,
        state=AttemptState.RUNNING.value,
        client_message_ids=dump(turn.client_message_ids),
        first_seq=first,
    )
