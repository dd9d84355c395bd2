"""The past turns of a session: read to be folded by `session_store.past`, or taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import (
    ActionResultRecorded,
    HistoryRewound,
    ScopeLeft,
    StrategyDecided,
    VariableChanged,
)
from heartrule.domain.keys import SessionKey
from session_store.codec import load
from session_store.event_drafts import (
    kind_of,
)
from session_store.past import PastStep
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables import HAS_SUBJECT, attempts, events, messages
from session_store.sql.decisions import decision_rows, workflow_rows
from session_store.sql.runs.runs_taken_back import RunsTakenBack, taken_back
from session_store.sql.safety import safety_states
from session_store.sql.safety.safety_states import Rewound
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import plans
from session_store.sql.turns.attempts import AttemptState

_ATTEMPTS = Prepared(
    select(attempts)
    .where(of(attempts), attempts.c.turn_no >= 0)
    .order_by(attempts.c.turn_no, attempts.c.attempt)
)
_OPERATIONS = Prepared(
    select(events.c.turn_id, events.c.body)
    .where(of(events), events.c.kind == kind_of(VariableChanged))
    .order_by(events.c.sequence)
)
_DONE = Prepared(
    select(events.c.sequence).where(
        of(events),
        events.c.subject == bindparam("at_request"),
        HAS_SUBJECT,
        events.c.kind == kind_of(HistoryRewound),
    )
)
_IN_HISTORIES = (VariableChanged, ScopeLeft, ActionResultRecorded, StrategyDecided)
_TURN_NO = bindparam("at_turn_no", type_=sa.Integer)
_FREE_MESSAGES = Prepared(
    messages.update()
    .where(of(messages), messages.c.turn_no == _TURN_NO)
    .values(turn_no=-1 - messages.c.turn_no)
)
_FREE_ATTEMPTS = Prepared(
    attempts.update()
    .where(of(attempts), attempts.c.turn_no == _TURN_NO)
    .values(turn_no=-1 - attempts.c.turn_no)
)
_UNLIST = Prepared(
    events.update()
    .where(
        of(events),
        events.c.sequence >= bindparam("from_sequence"),
        # Outside a turn a session was ended by time after it, which is undone as well.
        events.c.turn_id.in_([bindparam("at_turn"), constant("")]),
        events.c.kind.in_([constant(kind_of(each)) for each in _IN_HISTORIES]),
    )
    .values(subject="", listed=False)
)
# States of a turn that neither runs nor is asked to run.
SETTLED = frozenset({
    AttemptState.COMPLETED.value, AttemptState.FAILED.value, AttemptState.GIVEN_UP.value
})  # fmt: skip


def turns(db: sa.Connection, key: SessionKey) -> list[Found]:
    """Return the newest attempt of every turn that was not taken back, in order."""
    newest = {row.turn_id: row for row in _ATTEMPTS.rows(db, at(key))}
    return list(newest.values())


def has_ended(turn: Found) -> bool:
    """Return whether the session stood after this turn: it ended, and not in a failure."""
    return bool(turn.state == AttemptState.COMPLETED)


def steps_of(db: sa.Connection, key: SessionKey, which: Sequence[Found]) -> list[PastStep]:
    """Return what the committed steps of each of these turns changed, in order."""
    known = plans.of_session(db, key)
    written = defaultdict(list)
    for row in _OPERATIONS.rows(db, at(key)):
        written[row.turn_id].append(load(VariableChanged, row.body).variable_operation)
    return [
        PastStep(
            turn_no=turn.turn_no,
            instances=plans.changed(turn.plan, known),
            operations=tuple(written.get(turn.turn_id, ())),
        )
        for turn in which
    ]


def rewound(db: sa.Connection, key: SessionKey, request_id: str) -> int | None:
    """Return the number of the HistoryRewound that a request made; None for the empty id."""
    row = _DONE.row(db, at(key) | {"at_request": request_id}) if request_id else None
    return None if row is None else row.sequence


@dataclass(frozen=True, slots=True)
class SetAside:
    """What else changes with a turn that is taken back."""

    safety: Rewound | None
    """Where the session is on the crisis path then; None: nothing changes."""
    runs: RunsTakenBack


def set_aside(db: sa.Connection, locked: Locked, turn: Found) -> SetAside:
    """Make room for a turn that may use the names of one that is taken back.

    Messages and attempts keep its number as -1-n; its events are in no history and have no subject,
    its decisions in no list, and what it drafted is gone.
    """
    key = locked.key
    name = {"at_turn_no": turn.turn_no, "at_turn": turn.turn_id, "from_sequence": turn.first_seq}
    for statement in (_FREE_MESSAGES, _FREE_ATTEMPTS, _UNLIST):
        statement.run(db, at(key) | name)
    decision_rows.take_back(db, key, turn.first_seq)
    workflow_rows.take_back(db, key, turn.first_seq)
    safety = safety_states.rewound(db, key, turn.first_seq)
    return SetAside(safety, taken_back(db, locked, turn.first_seq))
