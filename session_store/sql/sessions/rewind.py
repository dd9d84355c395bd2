"""Taking the last turn back: its rows stay for the record, the session goes on without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from heartrule.domain.conversation import UserInput, text_part
from heartrule.domain.events import (
    HistoryRewound,
    InputAccepted,
    SessionEvent,
)
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionState
from session_store.codec import dump
from session_store.event_drafts import EventDraft
from session_store.past import (
    RETRY,
    PastStep,
    busy,
    globals_written,
    known_already,
    nothing_to_retry,
    plan_after,
    require_events,
    variables_after,
)
from session_store.records import Retried, RetryOrder, TurnKind
from session_store.sql.database.statements import Found
from session_store.sql.monitor import advice, plan_edits
from session_store.sql.sessions import events, messages, past, sessions, variables
from session_store.sql.sessions.events import End
from session_store.sql.sessions.rows import input_of, message_of
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import inputs, plans

# Events among which the input is that was stored again; a turn taken back emits fewer.
_AGAIN = 100


@dataclass(frozen=True, slots=True)
class _Rewinding:
    """The turn that is taken back, and the one before it, whose state comes back."""

    locked: Locked
    last: Found
    before: Found
    kept: Sequence[PastStep]
    gone: Sequence[PastStep]
    messages: Sequence[Found]
    end_before: End
    """How the turn before ended."""

    @property
    def key(self) -> SessionKey:
        """The session."""
        return self.locked.key

    @property
    def state(self) -> ExecutionState:
        """The session's state before the turn, without what other rows hold."""
        state = self.end_before.body.state
        assert state is not None
        return ExecutionState(
            status=state.status,
            position=state.position,
            end_reason=state.end_reason,
            plan_revision=self.locked.row.plan_revision,
        )


def retry_turn(db: sa.Connection, retry: RetryOrder) -> Retried:
    """Take the last turn back and store its message again, in one transaction.

    Runs that it began are cancelled, and effects outside listed. SessionBusy where a turn runs
    or inputs wait; NotReady, reason NOTHING_TO_RETRY, where only the opening turn is there;
    InvalidRequest for a client_message_id that is known.
    """
    locked = sessions.lock(db, retry.key)
    done = _done(db, locked, retry)
    if done is not None:
        return done
    require_events(locked.row.pruned)
    rewinding = _look(db, locked)
    again = _input(db, rewinding, retry)
    _restore(db, rewinding)
    emitted = _emit(db, rewinding, retry.request_id)
    accepted = inputs.accept_input(
        db, retry.key, again, measured=bool(retry.text), urgent=retry.urgent
    )
    rewound = emitted[0].body
    assert isinstance(rewound, HistoryRewound)
    return Retried(
        rewound=rewound,
        rewound_sequence=emitted[0].sequence,
        message=accepted.message,
        events=(*emitted, *accepted.events),
    )


def _done(db: sa.Connection, locked: Locked, retry: RetryOrder) -> Retried | None:
    """Return what the same request did before."""
    sequence = past.rewound(db, locked.key, retry.request_id)
    if sequence is None:
        return None
    event, *rest = events.read_events(db, locked.key, sequence - 1, _AGAIN)
    assert isinstance(event.body, HistoryRewound)
    again = (each.body.messages[0] for each in rest if isinstance(each.body, InputAccepted))
    return Retried(
        rewound=event.body,
        rewound_sequence=sequence,
        message=next(again),
    )


def _look(db: sa.Connection, locked: Locked) -> _Rewinding:
    """Return what is to be done; refused where a turn runs or there is none to take back."""
    key, row = locked.key, locked.row
    turns = past.turns(db, key)
    settled = not turns or turns[-1].state in past.SETTLED
    if locked.is_held or row.waiting or not settled:
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
        messages=messages.of_turn(db, key, last.turn_no),
        end_before=events.end_of(db, key, kept[-1]),
    )


def _input(db: sa.Connection, rewinding: _Rewinding, retry: RetryOrder) -> UserInput:
    """Return the input to store again: the turn's inputs as one, or the text given."""
    name = retry.client_message_id or new_id("cmi")
    if messages.find_input(db, rewinding.key, name) is not None:
        raise known_already(name)
    taken = [input_of(row) for row in rewinding.messages if row.client_message_id]
    parts = tuple(part for each in taken for part in each.message.parts)
    answers = (each.message.input_request_id for each in reversed(taken))
    return UserInput(
        client_message_id=name,
        parts=(text_part(retry.text),) if retry.text else parts,
        input_request_id="" if retry.text else next(filter(None, answers), ""),
        traceparent=retry.traceparent,
    )


def _restore(db: sa.Connection, rewinding: _Rewinding) -> None:
    """Put plan and variables back."""
    key, row = rewinding.key, rewinding.locked.row
    touched, before = plan_after(rewinding.gone), plan_after(rewinding.kept)
    plans.remove(db, key, [each for name, each in touched.items() if name not in before])
    plans.store(db, key, [before[name] for name in touched if name in before])
    first = variables.first_variables(db, key)
    values = variables_after(first, rewinding.kept)
    variables.reset(db, variables.VariableOwner(key, row.user_id), values, rewinding.locked.now)


def _emit(db: sa.Connection, rewinding: _Rewinding, request_id: str) -> tuple[SessionEvent, ...]:
    """Take the turn's rows out of the way, write the events and the session's row as it was."""
    before, last, state = rewinding.before, rewinding.last, rewinding.state
    last_message, last_text = messages.last_said(
        db, rewinding.key, rewinding.end_before.last_message
    )
    row = rewinding.locked.row
    aside = past.set_aside(db, rewinding.locked, last)
    rewound = HistoryRewound(
        after_sequence=before.last_seq,
        removed_message_ids=tuple(message_of(each).message_id for each in rewinding.messages),
        cause=RETRY,
        state=replace(
            state,
            script_id=row.script_id,
            script_version=row.script_version,
            last_ai_message=last_text,
        ),
        turn_ids=(last.turn_id,),
        kept_globals=globals_written(rewinding.gone),
        sent_effects=aside.runs.effects,
    )
    drafts = [EventDraft(rewound, subject=request_id)]
    if aside.safety is not None:
        drafts.append(aside.safety.draft)
    drafts += advice.take_back(db, rewinding.key, last)
    edited, waiting = plan_edits.take_back(db, rewinding.key, last.turn_no)
    drafts += [*edited, *aside.runs.drafts()]
    emitted = events.emit(rewinding.locked, drafts, last_message=last_message)
    standing = {
        "status": state.status.value,
        "position": dump(state.position),
        "error": None,
        "end_reason": state.end_reason.value if state.end_reason else "",
        "open_turn_id": "",
        "open_attempt": 0,
        "next_turn": last.turn_no,
        "last_message": last_message,
        "open_request": before.open_request,
        "pruned": "",
        "edits_waiting": waiting,
        **aside.runs.after(),
    }
    if aside.safety is not None:
        standing |= aside.safety.write(db, rewinding.key, emitted.first + 1)
    events.keep(db, rewinding.locked, emitted, standing)
    aside.runs.write(db, emitted.events)
    return emitted.events
