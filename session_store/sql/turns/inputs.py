"""Accepting inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import takewhile

import sqlalchemy as sa

from heartrule.domain.conversation import IfBusy, Message, Part, Role, UserInput
from heartrule.domain.errors import InvalidRequest, NotFound, SessionBusy
from heartrule.domain.events import InputAccepted
from heartrule.domain.ids import new_id
from heartrule.domain.input_limit import check_length
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionStatus
from session_store.codec import dump
from session_store.past import taken_back
from session_store.records import AcceptedInput, TurnStatus
from session_store.sql.database.statements import Found
from session_store.sql.sessions import messages, sessions
from session_store.sql.sessions.events import Emitted, emit, keep
from session_store.sql.sessions.rows import Input, message_of, plain_text_of
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts, stops
from session_store.sql.turns.attempts import AttemptState
from session_store.sql.turns.ending_rules import finished
from session_store.step_events import accepted_draft
from session_store.turn_rules import MAX_WAITING, RETRY_AFTER, STOPPING, check_request

# Turns in which a sentence may be spread over inputs that got no reply.
_RECENT_TURNS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """An input that was accepted and is to be written."""

    accepted: AcceptedInput
    emitted: Emitted
    input: Input

    def behind(self, locked: Locked) -> Locked:
        """Return the session as it will be with this input waiting."""
        row = locked.row
        counted = {"next_seq": row.next_seq + 1, "waiting": row.waiting + 1} | self.stopping()
        return Locked(locked.key, row._replace(**counted), locked.now)

    def stopping(self) -> dict[str, object]:
        """Return the session's column for a turn that this input stops."""
        request = self.accepted.stop
        return {"stop_request": dump(request)} if request is not None else {}


def accept_input(
    db: sa.Connection,
    key: SessionKey,
    user_input: UserInput,
    *,
    urgent: bool = False,
    answers: bool = False,
    measured: bool = True,
) -> AcceptedInput:
    """Store an input with its sequence number.

    A repeat returns `duplicate`; one whose turn FAILED marks that turn to be run again.
    Other content under one id: InvalidRequest, reason CLIENT_MESSAGE_ID_REUSED. Ended session:
    SessionFinished. REJECT while busy, or the seventeenth waiting input: SessionBusy with
    retry_after; the turn that runs does not count for one that `answers` its text. INTERRUPT
    asks the running turn to end, RESTART to begin anew with what waits; where nothing runs, or
    RESTART comes too late, both are as MERGE. An urgent input interrupts, whatever it or the
    session says, and the next turn takes it up with all that waits before it, the opening turn
    too; not where the session's script opted out. An urgent repeat makes what waits urgent.
    """
    locked, received = receive(
        db, key, user_input, urgent=urgent, answers=answers, measured=measured
    )
    if isinstance(received, AcceptedInput):
        return received
    store(db, locked, received)
    return received.accepted


def store(db: sa.Connection, locked: Locked, new: New) -> None:
    """Write an input that waits for its turn."""
    messages.store_input(db, locked.key, new.input)
    keep(db, locked, new.emitted, {"waiting": locked.row.waiting + 1} | new.stopping())


def receive(
    db: sa.Connection,
    key: SessionKey,
    user_input: UserInput,
    *,
    measured: bool = True,
    urgent: bool = False,
    answers: bool = False,
) -> tuple[Locked, New | AcceptedInput]:
    """Lock the session; return it with a new input, not yet written, or with what is repeated.

    Refused inputs raise.
    """
    locking = sessions.ask_lock(db, key)
    known = messages.ask_input(db, key, user_input.client_message_id)
    locked = sessions.locked_by(key, locking)
    if locked is None:
        raise NotFound("session", key.session_id)
    stored = known.rows()
    if measured and not stored:
        spoken = locked.row.language or locked.row.locale
        check_length(user_input.parts, locked.row.max_input_chars, spoken)
    urgent = urgent and not stops.has_opted_out(db, locked)
    if stored:
        repeated = _repeat(db, locked, stored[0], user_input)
        waits = urgent and not repeated.turn_id
        return _urged(db, locked, repeated) if waits else (locked, repeated)
    mode = IfBusy.INTERRUPT if urgent else user_input.if_busy or IfBusy(locked.row.if_busy)
    _check_room(db, locked, mode, answers=answers)
    return locked, _new(db, locked, user_input, mode, urgent=urgent)


def _digest(parts: tuple[Part, ...]) -> str:
    return sha256(dump(parts).encode()).hexdigest()


def _repeat(
    db: sa.Connection, locked: Locked, known: Found, user_input: UserInput
) -> AcceptedInput:
    """Return what became of the input; a failed turn is marked to run again."""
    if known.turn_no is not None and known.turn_no < 0:
        raise taken_back(user_input.client_message_id)
    if known.digest != _digest(user_input.parts):
        raise InvalidRequest(
            "client_message_id was used for other content", reason="CLIENT_MESSAGE_ID_REUSED"
        )
    state = _ask_again(db, locked, known.turn_id) if known.turn_id else None
    return AcceptedInput(
        duplicate=True,
        message=message_of(known),
        sequence=known.sequence,
        turn_id=known.turn_id,
        turn_state=state,
    )


def _urged(
    db: sa.Connection, locked: Locked, repeated: AcceptedInput
) -> tuple[Locked, AcceptedInput]:
    """Note that an input which waits is urgent; return the session and the input as they are."""
    asked = stops.stop_request_to_note(db, locked, IfBusy.INTERRUPT)
    stop = stops.urgent_to_note(locked, asked, repeated.message.client_message_id)
    row = sessions.change(db, locked, {"stop_request": dump(stop)})
    return Locked(locked.key, row, locked.now), replace(repeated, stop=stop)


def _ask_again(db: sa.Connection, locked: Locked, turn_id: str) -> TurnStatus | None:
    """Return the state of a turn; a failed one is marked to run again."""
    newest = attempts.newest(db, locked.key, turn_id)
    if newest is None:
        return None
    state = AttemptState(newest.state)
    if state is AttemptState.FAILED:
        if locked.row.status == ExecutionStatus.COMPLETED:
            raise finished(_end_reason(locked.row))
        attempts.update(db, locked.key, newest, {"state": AttemptState.ASKED_AGAIN.value})
    return state.of_turn


def _end_reason(row: Found) -> EndReason | None:
    return EndReason(row.end_reason) if row.end_reason else None


def _check_room(db: sa.Connection, locked: Locked, mode: IfBusy, *, answers: bool) -> None:
    """Refuse a new input that this session cannot take now, or at all.

    The turn that runs is no reason where the input `answers` its text.
    """
    row = locked.row
    if row.status == ExecutionStatus.COMPLETED:
        raise finished(_end_reason(row))
    if mode is IfBusy.REJECT and (row.waiting or (not answers and _is_running(db, locked))):
        raise SessionBusy("a turn runs", reason="SESSION_BUSY", retry_after=RETRY_AFTER)
    if row.waiting >= MAX_WAITING:
        raise SessionBusy(
            f"{row.waiting} inputs wait already",
            reason="TOO_MANY_WAITING",
            metadata={"max_waiting": str(MAX_WAITING)},
            retry_after=RETRY_AFTER,
        )


def _is_running(db: sa.Connection, locked: Locked) -> bool:
    unfinished = attempts.unfinished(db, locked)
    return unfinished is not None and bool(unfinished.state == AttemptState.RUNNING)


def _new(
    db: sa.Connection, locked: Locked, user_input: UserInput, mode: IfBusy, *, urgent: bool
) -> New:
    """Return a new input with its number; nothing is written."""
    check_request(user_input, locked.row.open_request)
    stop = stops.stop_request_to_note(db, locked, mode) if mode in STOPPING else None
    if urgent:
        stop = stops.urgent_to_note(locked, stop, user_input.client_message_id)
    message = Message(
        message_id=new_id("msg"),
        role=Role.CLIENT,
        parts=user_input.parts,
        client_message_id=user_input.client_message_id,
        input_request_id=user_input.input_request_id,
    )
    emitted = emit(locked, [accepted_draft(message)])
    body = emitted.events[0].body
    assert isinstance(body, InputAccepted)
    (stored,) = body.messages
    new = Input(
        message=stored,
        if_busy=mode,
        digest=_digest(user_input.parts),
        turn_timeout=user_input.turn_timeout,
        traceparent=user_input.traceparent,
        fresh=True,
    )
    accepted = AcceptedInput(
        duplicate=False,
        message=stored,
        sequence=emitted.first,
        turn_id="",
        turn_state=None,
        events=emitted.events,
        stop=stop,
        earlier=_earlier(db, locked) if locked.is_held or locked.row.waiting else (),
    )
    return New(accepted=accepted, emitted=emitted, input=new)


def _earlier(db: sa.Connection, locked: Locked) -> tuple[str, ...]:
    """Return what the client has written since the assistant spoke, of some turns at most."""
    after = locked.row.next_turn
    # From 0: turns that were taken back have numbers below it.
    rows = messages.ask_window(db, locked.key, max(0, after - _RECENT_TURNS), after).rows()
    last = takewhile(lambda row: row.role == Role.CLIENT, reversed(rows))
    waiting = messages.waiting(db, locked.key) if locked.row.waiting else ()
    return (
        *(plain_text_of(row) for row in reversed(tuple(last))),
        *(each.message.plain_text() for each in waiting),
    )
