"""Taking the last turn back: its rows stay for the record, the session goes on without them.

A row that a turn after it may meet under the same name makes room: messages and attempts bear the
turn's number as -1-n, results no instance, and a monitor request goes altogether, its end written
out in the event that told it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import UserInput, text_part
from heartrule.domain.events import HistoryRewound, SessionEvent, TurnEnded
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionState
from session_store.codec import dump, load
from session_store.event_drafts import EventDraft, EventKind
from session_store.past import (
    RETRY,
    PastStep,
    busy,
    globals_written,
    known_already,
    nothing_to_retry,
    plan_after,
    variables_after,
)
from session_store.records import Retried, Retry, TurnKind
from session_store.sql import (
    bodies,
    events,
    inputs,
    messages,
    origins,
    past,
    plan_edits,
    plans,
    rewound_mind,
    sessions,
    variables,
)
from session_store.sql.prepared import Prepared
from session_store.sql.rows import input_of, message_of
from session_store.sql.sessions import Locked
from session_store.sql.statements import Found, at, of, owned
from session_store.sql.tables import action_results, attempts
from session_store.sql.tables import messages as messages_table
from session_store.sql.tables_going_back import rewindings
from session_store.sql.turns import is_held

_INSERT = Prepared(rewindings.insert())
_DONE = Prepared(
    select(rewindings).where(of(rewindings), rewindings.c.request_id == bindparam("at_request"))
)
_OF_TURN = bindparam("at_turn_no", type_=sa.Integer)
_FREE_MESSAGES = Prepared(
    messages_table.update()
    .where(of(messages_table), messages_table.c.turn_no == _OF_TURN)
    .values(turn_no=-1 - messages_table.c.turn_no)
)
_FREE_ATTEMPTS = Prepared(
    attempts.update()
    .where(of(attempts), attempts.c.turn_no == _OF_TURN)
    .values(turn_no=-1 - attempts.c.turn_no)
)
_FREE_RESULTS = Prepared(
    action_results.update()
    .where(of(action_results), action_results.c.turn_id == bindparam("at_turn"))
    .values(action_instance_id="")
)


@dataclass(frozen=True, slots=True)
class _Rewinding:
    """The turn that goes, and the one after which the session stands again."""

    locked: Locked
    last: Found
    before: Found
    kept: Sequence[PastStep]
    gone: Sequence[PastStep]
    said: Sequence[Found]

    @property
    def key(self) -> SessionKey:
        """The session."""
        return self.locked.key

    @property
    def state(self) -> ExecutionState:
        """Where the session stood before the turn, without what other rows say."""
        state = load(TurnEnded, self.before.ended).state
        assert state is not None
        return ExecutionState(
            status=state.status,
            position=state.position,
            end_reason=state.end_reason,
            plan_revision=self.locked.row.plan_revision,
        )


def retry_turn(db: sa.Connection, retry: Retry) -> Retried:
    """Take the last turn back and store its message again; see the port."""
    locked = sessions.lock(db, retry.key)
    done = _done(db, locked, retry)
    if done is not None:
        return done
    rewinding = _look(db, locked)
    again = _input(db, rewinding, retry)
    _restore(db, rewinding)
    told = _tell(db, rewinding)
    accepted = inputs.accept_input(db, retry.key, again)
    rewound = told[0].body
    assert isinstance(rewound, HistoryRewound)
    _INSERT.run(db, _row(rewinding, rewound, retry, told[0].sequence, accepted.sequence))
    return Retried(
        rewound=rewound,
        rewound_sequence=told[0].sequence,
        message=accepted.message,
        events=(*told, *accepted.events),
    )


def _done(db: sa.Connection, locked: Locked, retry: Retry) -> Retried | None:
    """Return what the same request did before."""
    found = {"at_request": retry.request_id}
    row = _DONE.row(db, at(locked.key) | found) if retry.request_id else None
    if row is None:
        return None
    (event,) = events.read_events(db, locked.key, row.sequence - 1, 1)
    assert isinstance(event.body, HistoryRewound)
    said = messages.by_sequence(db, locked.key, [row.input])[row.input]
    return Retried(
        rewound=event.body,
        rewound_sequence=row.sequence,
        message=replace(said, turn_id=""),
    )


def _look(db: sa.Connection, locked: Locked) -> _Rewinding:
    """Return what is to be done; refused where a turn runs or there is none to take back."""
    key, row = locked.key, locked.row
    turns = past.turns(db, key)
    settled = not turns or turns[-1].state in past.SETTLED
    if is_held(locked) or row.waiting or not settled:
        raise busy()
    if not turns or turns[-1].kind == TurnKind.OPENING:
        raise nothing_to_retry()
    *kept, last = turns
    return _Rewinding(
        locked=locked,
        last=last,
        before=kept[-1],
        kept=past.steps_of(db, key, kept),
        gone=past.steps_of(db, key, [last]),
        said=messages.of_turn(db, key, last.turn_no),
    )


def _input(db: sa.Connection, rewinding: _Rewinding, retry: Retry) -> UserInput:
    """Return what is said again: the turn's inputs as one, or the text given."""
    name = retry.client_message_id or new_id("cmi")
    if messages.find_input(db, rewinding.key, name) is not None:
        raise known_already(name)
    spoken = [input_of(row) for row in rewinding.said if row.client_message_id]
    parts = tuple(part for each in spoken for part in each.message.parts)
    answers = (each.message.input_request_id for each in reversed(spoken))
    return UserInput(
        client_message_id=name,
        parts=(text_part(retry.text),) if retry.text else parts,
        input_request_id="" if retry.text else next(filter(None, answers), ""),
        traceparent=retry.traceparent,
    )


def _restore(db: sa.Connection, rewinding: _Rewinding) -> None:
    """Put plan and variables back, and take the turn's rows out of the way."""
    key, row = rewinding.key, rewinding.locked.row
    touched, before = plan_after(rewinding.gone), plan_after(rewinding.kept)
    plans.remove(db, key, [each for name, each in touched.items() if name not in before])
    plans.store(db, key, [before[name] for name in touched if name in before])
    first = origins.first_variables(db, key)
    values = variables_after(first, rewinding.kept)
    variables.reset(db, variables.Owner(key, row.user_id), values, rewinding.locked.now)
    turn = {"at_turn_no": rewinding.last.turn_no, "at_turn": rewinding.last.turn_id}
    for statement in (_FREE_MESSAGES, _FREE_ATTEMPTS, _FREE_RESULTS):
        statement.run(db, at(key) | turn)


def _tell(db: sa.Connection, rewinding: _Rewinding) -> tuple[SessionEvent, ...]:
    """Write the events and the session's row as it was, and return the events."""
    before, last, state = rewinding.before, rewinding.last, rewinding.state
    spoken = messages.spoken(db, rewinding.key, before.last_message)
    row = rewinding.locked.row
    rewound = HistoryRewound(
        after_sequence=before.last_seq,
        removed_message_ids=tuple(message_of(each).message_id for each in rewinding.said),
        cause=RETRY,
        state=bodies.whole(state, row, last_ai_message=spoken),
        turn_ids=(last.turn_id,),
        kept_globals=globals_written(rewinding.gone),
    )
    drafts = [EventDraft(EventKind.HISTORY_REWOUND, last.turn_id, rewound)]
    drafts += rewound_mind.take_back(db, rewinding.key, last)
    edited, waiting = plan_edits.take_back(db, rewinding.key, last.turn_no)
    told = events.tell(rewinding.locked, drafts + edited)
    standing = {
        "status": state.status.value,
        "position": dump(state.position),
        "error": None,
        "end_reason": state.end_reason.value if state.end_reason else "",
        "open_turn_id": "",
        "open_attempt": 0,
        "next_turn": last.turn_no,
        "last_message": before.last_message,
        "open_request": before.open_request,
        "edits_waiting": waiting,
    }
    events.keep(db, rewinding.locked, told, standing)
    return told.events


def _row(
    rewinding: _Rewinding, rewound: HistoryRewound, retry: Retry, sequence: int, said: int
) -> dict[str, object]:
    slim = HistoryRewound(
        after_sequence=rewound.after_sequence,
        removed_message_ids=rewound.removed_message_ids,
        cause=rewound.cause,
        state=bodies.slim(rewound.state),
        turn_ids=rewound.turn_ids,
        kept_globals=rewound.kept_globals,
    )
    return owned(rewinding.key) | {
        "turn_id": rewinding.last.turn_id,
        "sequence": sequence,
        "rewound": dump(slim),
        "last_message": rewinding.before.last_message,
        "request_id": retry.request_id,
        "input": said,
    }
