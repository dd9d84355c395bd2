"""A new session made of another one's past: its rows are read and written anew (ADR 25).

Every row belongs to the new session from then on, so that erasing one leaves the other whole. Ids
of turns, messages and action instances stay: they are unique in a session. Numbers do not: events
are counted anew from 1, and whatever names one of them follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from heartrule.domain.errors import AlreadyExists, NotFound
from heartrule.domain.position import ExecutionPosition, ExecutionState, ExecutionStatus
from session_store.codec import dump
from session_store.decisions.plan_edit_rules import kept_in_fork, revision_of
from session_store.past import (
    BEFORE_ALL,
    PastStep,
    globals_written,
    known_after,
    not_a_place,
    plan_after,
    require_events,
    reused_request,
    turn_before,
    variables_after,
)
from session_store.records import Forked, ForkOrder
from session_store.sql.database.statements import Found
from session_store.sql.forks import past_copies, safety_in_forks, threads_in_forks
from session_store.sql.monitor import plan_edits
from session_store.sql.sessions import events, past, sessions, summaries, variables
from session_store.sql.sessions.session_records import record
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts, plans


@dataclass(frozen=True, slots=True)
class _Forking:
    """The turns that are copied, and those that are not."""

    source: Locked
    kept: Sequence[Found]
    """The turns it begins with."""
    steps: Sequence[PastStep]
    """Theirs."""
    since: Sequence[PastStep]
    """What the source did after them."""


def fork_session(db: sa.Connection, fork: ForkOrder) -> Forked:
    """Create a session from the state another had after one of its turns.

    NotFound for a session or turn that is not there; NotReady, reason TURN_NOT_ENDED, for a
    turn that failed, runs or was taken back. Nothing of the source changes.
    """
    source = sessions.lock(db, fork.source)
    first = sessions.of_request(db, fork.key.tenant, fork.request_id)
    if first is not None:
        return _again(db, first, fork)
    require_events(source.row.pruned)
    forking = _look(db, source, fork)
    row, copied = _write(db, forking, fork)
    made = threads_in_forks.close(db, source, Locked(fork.key, row, source.now), copied.places)
    row = safety_in_forks.raise_to_source(db, source, made)
    kept_globals = globals_written(forking.since)
    return Forked(session=record(db, row), kept_globals=kept_globals)


def _again(db: sa.Connection, first: Found, fork: ForkOrder) -> Forked:
    """Return the session that the same request made before."""
    if first.forked_from_session_id != fork.source.session_id:
        raise reused_request()
    turns = past.turns(db, fork.source)
    numbers = {each.turn_id: each.turn_no for each in turns}
    number = numbers.get(first.forked_from_turn_id, BEFORE_ALL)
    since = [each for each in past.steps_of(db, fork.source, turns) if each.turn_no > number]
    return Forked(session=record(db, first), kept_globals=globals_written(since))


def _look(db: sa.Connection, source: Locked, fork: ForkOrder) -> _Forking:
    turns = past.turns(db, source.key)
    steps = past.steps_of(db, source.key, turns)
    ended = [each for each in turns if past.has_ended(each)]
    newest = ended[-1].turn_no if ended else BEFORE_ALL
    if fork.from_turn_id:
        number = _number(db, ended, fork)
    elif fork.replacement is not None:
        number = turn_before(steps, fork.replacement, newest=newest)
    else:
        number = newest
    return _Forking(
        source=source,
        kept=[each for each in ended if each.turn_no <= number],
        steps=[each for each in steps if each.turn_no <= number],
        since=[each for each in steps if each.turn_no > number],
    )


def _number(db: sa.Connection, ended: Sequence[Found], fork: ForkOrder) -> int:
    """Return the number of the turn that is named."""
    for each in ended:
        if each.turn_id == fork.from_turn_id:
            return int(each.turn_no)
    if attempts.newest(db, fork.source, fork.from_turn_id) is not None:
        raise not_a_place(fork.from_turn_id)
    raise NotFound("turn", fork.from_turn_id)


def _write(
    db: sa.Connection, forking: _Forking, fork: ForkOrder
) -> tuple[Found, past_copies.Copied]:
    """Write all rows of the new session; return its own, and what was copied."""
    source, key, now = forking.source, fork.key, forking.source.now
    old = source.row
    tried = (*variables.replacements(db, source.key), *filter(None, (fork.replacement,)))
    copied = past_copies.copy(db, past_copies.Past(source.key, key, forking.kept))
    last = forking.kept[-1].turn_no if forking.kept else BEFORE_ALL
    edits = kept_in_fork(plan_edits.of_session(db, source.key), last, key.session_id)
    safety = safety_in_forks.copy(
        db, source.key, key, last=_last_event(forking), number=copied.numbers.number
    )
    own = {
        "replaced": bool(tried),
        "plan_revision": revision_of(edits),
        "runs_waiting": copied.runs_waiting,
        "results_waiting": copied.results_waiting,
    }
    summarized = summaries.copy(db, source.key, key, last_turn=last)
    row = sessions.INSERT.row(
        db, _session_row(db, forking, fork, copied) | own | safety | summarized
    )
    if row is None:
        raise AlreadyExists("session", fork.session_id)
    first = variables.first_variables(db, source.key)
    variables.store_first(db, key, first)
    known = known_after(variables.definitions_of(db, source.key), forking.steps)
    variables.store_definitions(db, key, known, now)
    variables.replace_config(db, key, tried)
    moved = (replace(each, sequence=copied.numbers.number(each.sequence)) for each in edits)
    plan_edits.store(db, key, moved)
    plans.store(db, key, tuple(plan_after(forking.steps).values()))
    owner = variables.VariableOwner(key, old.user_id)
    past_owner = variables.VariableOwner(source.key, old.user_id)
    values = (*variables_after(first, forking.steps), *variables.own_globals(db, past_owner))
    variables.store(db, owner, values, now)
    return row, copied


def _last_event(forking: _Forking) -> int:
    """Return the number of the last event that is copied."""
    return int(forking.kept[-1].last_seq) if forking.kept else 0


def _session_row(
    db: sa.Connection, forking: _Forking, fork: ForkOrder, copied: past_copies.Copied
) -> dict[str, object]:
    old, now = forking.source.row, forking.source.now
    last = forking.kept[-1] if forking.kept else None
    end = events.end_of(db, forking.source.key, last) if last is not None else None
    state = end.body.state if end is not None else None
    status = state.status if state is not None else ExecutionStatus.RUNNING
    new = sessions.NEW.value(old, key=fork.key, request_id=fork.request_id)
    return sessions.new_row(new, now) | {
        "forked_from_session_id": fork.source.session_id,
        "forked_from_turn_id": last.turn_id if last is not None else "",
        "status": status.value,
        "position": dump(state.position if state is not None else ExecutionPosition()),
        "end_reason": _end_reason(state),
        "opened": last is not None,
        "opening_turn_id": forking.kept[0].turn_id if forking.kept else "",
        "next_turn": last.turn_no + 1 if last is not None else 0,
        "last_message": past_copies.last_message(
            db, forking.source.key, copied, end.last_message if end is not None else 0
        ),
        "open_request": last.open_request if last is not None else "",
        "next_seq": len(copied.numbers.old) + 1,
    }


def _end_reason(state: ExecutionState | None) -> str:
    return state.end_reason.value if state is not None and state.end_reason is not None else ""
