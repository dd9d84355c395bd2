"""Accepting an input that begins a turn, by what is kept of a session that nobody changed since."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa

from heartrule.domain.conversation import IfBusy, UserInput
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.position import ExecutionStatus
from session_store.event_drafts import Attempt
from session_store.records import AcceptedInput, TurnKind
from session_store.sql import advice, attempts, events, inputs, messages, sessions, turns
from session_store.sql.kept import Kept, attempt_of, line_of_input
from session_store.sql.seizing import take
from session_store.sql.sessions import Locked
from session_store.sql.snapshot import caught_up, snapshot_of, whole
from session_store.sql.turns import Holder, Start
from session_store.step_events import begin_drafts
from session_store.turn_rules import window_start


def accept_and_begin(
    db: sa.Connection,
    key: SessionKey,
    user_input: UserInput,
    holder: Holder,
    kept: Kept | None = None,
) -> tuple[AcceptedInput, Start]:
    """Store an input and begin what it may begin; see the port. `kept` saves reading."""
    if kept is not None and _begins(kept, user_input):
        begun = _begin(db, key, user_input, holder, kept) or _begin_after_mind(
            db, key, user_input, holder, kept
        )
        if begun is not None:
            return begun
    return turns.accept_and_begin(db, key, user_input, holder)


def _begins(kept: Kept, user_input: UserInput) -> bool:
    """Return whether a new input begins a turn of its own at once, by the rules of begin_rules.

    Whatever its `if_busy`: nothing runs and nothing waits.
    """
    row = kept.row
    return (
        row.opened
        and not (row.open_turn_id or row.waiting or row.lease_owner or row.edits_waiting)
        and row.status != ExecutionStatus.COMPLETED
        and row.merge_window <= timedelta(0)
        and user_input.input_request_id in {"", row.open_request}
    )


def _begin_after_mind(
    db: sa.Connection, key: SessionKey, user_input: UserInput, holder: Holder, kept: Kept
) -> tuple[AcceptedInput, Start] | None:
    """Do so where only the second mind has changed the session since `kept`; else None."""
    locked = sessions.try_lock(db, key)
    known = caught_up(db, locked, kept) if locked is not None else None
    if known is None or known is kept or not _begins(known, user_input):
        return None
    return _begin(db, key, user_input, holder, known)


def _begin(
    db: sa.Connection, key: SessionKey, user_input: UserInput, holder: Holder, kept: Kept
) -> tuple[AcceptedInput, Start] | None:
    """Store the input and begin its turn; None, and nothing written, where `kept` is too old."""
    row = kept.row
    waiting = kept.advice if kept.advice is not None else tuple(advice.pending(db, key))
    late = advice.outlived(waiting, row.next_turn)
    begun = turns.first_attempt(TurnKind.INPUT, row.next_turn, ())
    taking = {
        "lease_owner": holder.owner,
        "lease_token": row.lease_token + 1,
        "open_turn_id": begun.turn_id,
        "open_attempt": begun.attempt,
        "next_turn": begun.turn_no + 1,
        "next_seq": row.next_seq + 2 + len(late),
    }
    name = user_input.client_message_id
    was = take(db, key, row, taking, ttl=holder.ttl, client_message_id=name)
    if was is None:
        return None
    new = inputs.heard(was, user_input, user_input.if_busy or IfBusy(row.if_busy))
    turn = replace(begun, inputs=(new.input,))
    messages.take_up(db, key, turn.inputs, turn_id=turn.turn_id, turn_no=turn.turn_no)
    told = events.tell(
        new.behind(was),
        begin_drafts(
            Attempt(turn_id=turn.turn_id, attempt=turn.attempt),
            lost="",
            expired=advice.change(db, key, late, AdviceState.EXPIRED),
            client_message_ids=turn.client_message_ids,
        ),
    )
    attempt = turns.attempt_row(turn, told.first)
    attempts.store(db, key, attempt)
    events.write(db, key, told.after(new.told))
    start = window_start(turn.turn_no)
    after = replace(
        kept,
        row=sessions.changed(row, taking),
        window=(*kept.window_from(start), line_of_input(new.input, turn.turn_no)),
        advice=tuple([each for each in waiting if each not in late]),
        attempt=attempt_of(attempt),
    )
    after = whole(db, key, after)
    locked = Locked(key, after.row, was.now)
    snapshot = snapshot_of(db, locked, turn, kept=after, events=told.events)
    return new.accepted, Start(snapshot, after)
