"""All a turn needs, bounded, read where its attempt began."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from heartrule.domain.conversation import Role
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition
from session_store.codec import load
from session_store.event_drafts import EmittingAttempt
from session_store.records import Lease, TurnKind, TurnSnapshot
from session_store.sql.database.statements import Found, copied
from session_store.sql.monitor import plan_edits
from session_store.sql.monitor.advice import Stored, fitting
from session_store.sql.safety import safety_states
from session_store.sql.sessions import messages, summaries, variables
from session_store.sql.sessions.rows import Input, lines_of, plain_text_of
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import plans, stops
from session_store.sql.turns.attempts import degradations_in
from session_store.turn_rules import coming_round, window_start

# What the snapshot has as the session's row and the attempt have it.
_OF_SESSION = (
    "script_id",
    "script_version",
    "user_id",
    "locale",
    "language",
    "time_zone",
    "strategy_engine",
    "plan_revision",
    "runs_waiting",
)
_OF_ATTEMPT = ("turn_id", "turn_no", "attempt", "kind", "inputs_consumed", "steps")


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """An attempt that begins."""

    turn_id: str
    turn_no: int
    attempt: int
    kind: TurnKind
    inputs: tuple[Input, ...]
    inputs_consumed: bool
    new_inputs: int
    steps: int
    """Those that earlier attempts committed; the next two are of these."""
    merges: int = 0
    """How often further inputs joined the turn after it failed."""
    degradations: str = ""
    plan: str = ""

    @property
    def emitting(self) -> EmittingAttempt:
        """The attempt as its events name it."""
        return EmittingAttempt(turn_id=self.turn_id, attempt=self.attempt)

    @property
    def client_message_ids(self) -> tuple[str, ...]:
        """The ids of the turn's inputs, in order."""
        return tuple(each.message.client_message_id for each in self.inputs)


def snapshot_of(
    db: sa.Connection,
    locked: Locked,
    turn: Begun,
    *,
    advice: Sequence[Stored],
    events: tuple[SessionEvent, ...],
) -> TurnSnapshot:
    """Return what the turn starts from.

    Args:
        db: The transaction that begins the turn.
        locked: The session as the transaction leaves it; the lease is the turn's.
        turn: The attempt.
        advice: What waits for a prompt.
        events: What the transaction emits.
    """
    row, key = locked.row, locked.key
    position = load(ExecutionPosition, row.position)
    first = max(window_start(turn.turn_no), row.summarized)
    window = messages.ask_window(db, key, first, turn.turn_no)
    asked_plan = plans.ask_topic(db, key, position)
    known = variables.ask_visible(db, variables.VariableOwner(key, row.user_id))
    recent = window.rows()
    unjudged = set() if turn.inputs_consumed else {each.message.sequence for each in turn.inputs}
    inputs = tuple(each.of_turn(turn.turn_id) for each in turn.inputs)
    timeouts = [each.turn_timeout for each in turn.inputs if each.turn_timeout is not None]
    plan = asked_plan()
    return TurnSnapshot(
        lease=Lease(key=key, owner=row.lease_owner, token=row.lease_token),
        position=position,
        plan=plan,
        variables=known(),
        inputs=inputs,
        new_inputs=inputs[len(inputs) - turn.new_inputs :],
        window=lines_of([each for each in recent if each.sequence not in unjudged]),
        summary=summaries.current(db, row),
        advice=fitting(advice, position, coming_round(position, plan)),
        last_ai_message=_last(db, locked, recent),
        turn_timeout=min(timeouts, default=None),
        traceparents=tuple(each.traceparent for each in turn.inputs if each.traceparent),
        degradations=degradations_in(turn.degradations),
        message_ids=message_ids(db, key, turn.turn_no) if turn.steps else (),
        replacements=variables.replacements(db, key) if row.replaced else (),
        edits=plan_edits.at_hand(db, locked, position),
        stop=stops.interrupt_of(row, turn.turn_id),
        safety=safety_states.current(db, row),
        events=events,
        **copied(row, _OF_SESSION),
        **copied(turn, _OF_ATTEMPT),
    )


def message_ids(db: sa.Connection, key: SessionKey, turn_no: int) -> tuple[str, ...]:
    """Return the ids of the assistant's messages in the turn's committed steps, in order."""
    rows = messages.of_turn(db, key, turn_no)
    return tuple(row.message_id for row in rows if not row.client_message_id)


def _last(db: sa.Connection, locked: Locked, window: Sequence[Found]) -> str:
    """Return the text of the assistant's last message; it is nearly always in the window."""
    sequence = locked.row.last_message
    for row in reversed(window):
        if row.sequence == sequence and row.role == Role.ASSISTANT:
            return plain_text_of(row)
    return messages.text_of(db, locked.key, sequence)
