"""Edits of plans: proposed between turns, decided in a turn's first step (RESOLUTIONS C29)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import PlanEdit, PlanEditState
from heartrule.domain.position import ExecutionPosition, ExecutionState, ExecutionStatus
from session_store.codec import dump, load
from session_store.decisions.plan_edit_rules import (
    after_rewind,
    edit_draft,
    ended,
    of_topic,
    undo_of,
)
from session_store.event_drafts import EventDraft
from session_store.records import EditsAtHand, KeptEdit, PlanView, ProposedEdit, StepCommit
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables_beside import plan_edits
from session_store.sql.monitor import requests
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import calls, sessions, variables
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked, paged
from session_store.sql.turns import attempts, plans
from session_store.sql.turns.leases import RELEASED

_INSERT = Prepared(plan_edits.insert())
_UPDATE = Prepared(
    plan_edits.update().where(of(plan_edits), plan_edits.c.edit_id == bindparam("at_edit"))
)
_OF_SESSION = select(plan_edits).where(of(plan_edits))
_ALL = Prepared(_OF_SESSION.order_by(plan_edits.c.sequence))
_EDITS = RowsOf(KeptEdit, plan_edits)


def at_hand(db: sa.Connection, locked: Locked, position: ExecutionPosition) -> EditsAtHand:
    """Return what decides the edits that wait; nothing is read where none does."""
    if not locked.row.edits_waiting:
        return EditsAtHand()
    known = of_session(db, locked.key)
    waiting = tuple(each for each in known if each.edit.state is PlanEditState.PENDING)
    past = of_topic(known, position.phase_id, position.topic_id)
    return EditsAtHand(waiting=waiting, past=past)


def settle(
    db: sa.Connection, locked: Locked, commit: StepCommit, turn_no: int
) -> tuple[PlanEdit, ...]:
    """Write what a step decided; at the session's end what still waits expires. Return them."""
    decided = list(commit.edits)
    if commit.status is ExecutionStatus.COMPLETED and locked.row.edits_waiting:
        names = {each.edit_id for each in decided}
        left = (each.edit for each in of_session(db, locked.key))
        waiting = (each for each in left if each.state is PlanEditState.PENDING)
        decided += [ended(each) for each in waiting if each.edit_id not in names]
    for each in decided:
        undone = each.state is PlanEditState.UNDONE
        turn = {} if undone else {"decided_turn_no": turn_no}
        _UPDATE.run(db, at(locked.key) | {"at_edit": each.edit_id} | _edit(each) | turn)
    return tuple(decided)


def after(row: Found, decided: Sequence[PlanEdit]) -> dict[str, object]:
    """Return the columns of the session's row that decided edits change."""
    if not decided:
        return {}
    no_longer = sum(each.state is not PlanEditState.UNDONE for each in decided)
    return {
        "plan_revision": _revision_after(row, decided),
        "edits_waiting": max(0, row.edits_waiting - no_longer),
    }


def revised(state: ExecutionState, row: Found, decided: Sequence[PlanEdit]) -> ExecutionState:
    """Return the state with the plan_revision the session has once these are decided."""
    return replace(state, plan_revision=_revision_after(row, decided)) if decided else state


def _revision_after(row: Found, decided: Iterable[PlanEdit]) -> int:
    return max((int(row.plan_revision), *(each.plan_revision for each in decided)))


def of_session(db: sa.Connection, key: SessionKey) -> tuple[KeptEdit, ...]:
    """Return every edit in the order in which they were made."""
    return tuple(map(_kept, _ALL.rows(db, at(key))))


def store(db: sa.Connection, key: SessionKey, made: Iterable[KeptEdit]) -> None:
    """Insert edits."""
    rows = [
        owned(key) | {"edit_id": each.edit.edit_id} | _EDITS.columns(each) | _edit(each.edit)
        for each in made
    ]
    _INSERT.run_each(db, rows)


def change(db: sa.Connection, key: SessionKey, changed: Iterable[KeptEdit]) -> None:
    """Write edits that are known in another state."""
    for each in changed:
        turn = {"decided_turn_no": each.decided_turn_no}
        _UPDATE.run(db, at(key) | {"at_edit": each.edit.edit_id} | _edit(each.edit) | turn)


def propose_edit(db: sa.Connection, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
    """Keep a proposal and its calls for the next turn, and return its events.

    Nothing where the session is gone; the calls alone, with their tokens, where nothing was
    proposed, its turn was taken back, no plan is owed, or the edit's id is known; as expired where
    the session ended.
    """
    locked = sessions.try_lock(db, proposed.key)
    if locked is None:
        return ()
    counted = calls.append_monitor_calls(db, locked, proposed.judged_turn_id, proposed.calls)
    wanted = _answer_wish(db, locked.now, proposed)
    judged = attempts.newest(db, locked.key, proposed.judged_turn_id)
    gone = judged is None or judged.turn_no < 0 or not wanted
    if proposed.edit is None or judged is None or gone or _is_known(db, locked.key, proposed.edit):
        sessions.update(db, locked.key, counted)
        return ()
    return _propose(db, locked, proposed.edit, judged.turn_no, counted)


def request_undo(
    db: sa.Connection, key: SessionKey, undo: PlanEdit
) -> tuple[PlanEdit, tuple[SessionEvent, ...]]:
    """Keep an undo for the next turn; the same `cause_id` again gives the first.

    Raises:
        NotFound: There is no such session, or no such edit in it.
        NotReady: The edit is not the latest that is applied.
    """
    locked = sessions.lock(db, key)
    made = undo_of(of_session(db, key), undo)
    if made.edit_id != undo.edit_id:
        return made, ()
    emitted = _propose(db, locked, made, locked.row.next_turn - 1, {})
    return _first_state(locked, replace(made, made_at=locked.now)), emitted


def plan_view(db: sa.Connection, key: SessionKey) -> PlanView:
    """Return the queue of the session's current topic, and the edits it had."""
    row = sessions.read(db, key)
    position = load(ExecutionPosition, row.position)
    return PlanView(
        script_id=row.script_id,
        script_version=row.script_version,
        replacements=variables.replacements(db, key) if row.replaced else (),
        position=position,
        plan_revision=row.plan_revision,
        plan=plans.of_topic(db, key, position),
        past=of_topic(of_session(db, key), position.phase_id, position.topic_id),
    )


def take_back(db: sa.Connection, key: SessionKey, turn_no: int) -> tuple[list[EventDraft], int]:
    """Put the edits back where a turn goes; return what is emitted of it, and how many wait."""
    known = {each.edit.edit_id: each for each in of_session(db, key)}
    changed = after_rewind(known.values(), turn_no)
    change(db, key, changed)
    known |= {each.edit.edit_id: each for each in changed}
    pending = [each for each in known.values() if each.edit.state is PlanEditState.PENDING]
    return [edit_draft(each.edit) for each in changed], len(pending)


def _answer_wish(db: sa.Connection, now: datetime, proposed: ProposedEdit) -> bool:
    """Write what became of the wish; False where there is none to settle, and nothing proposed."""
    if proposed.ticket is None:
        return True
    request = requests.owed_request(db, proposed.ticket)
    if request is None or proposed.judged_turn_id not in {"", request.turn_id}:
        return False
    if proposed.retry_after is not None:
        until = now + proposed.retry_after
        requests.pause(db, proposed.ticket, request, until=until, claims="planning_claims")
        return False
    done = {"planning": proposed.state.value, "planning_reason": proposed.reason}
    requests.update(db, proposed.ticket, RELEASED | done)
    return True


def _is_known(db: sa.Connection, key: SessionKey, edit: PlanEdit) -> bool:
    return edit.edit_id in {each.edit.edit_id for each in of_session(db, key)}


def _propose(
    db: sa.Connection,
    locked: Locked,
    edit: PlanEdit,
    judged_turn_no: int,
    counted: dict[str, object],
) -> tuple[SessionEvent, ...]:
    made = _first_state(locked, replace(edit, made_at=locked.now))
    emitted = emit(locked, [edit_draft(made)])
    row = KeptEdit(edit=made, judged_turn_no=judged_turn_no, sequence=emitted.first)
    store(db, locked.key, [row])
    waits = made.state is PlanEditState.PENDING
    keep(db, locked, emitted, counted | {"edits_waiting": locked.row.edits_waiting + waits})
    return emitted.events


def _first_state(locked: Locked, edit: PlanEdit) -> PlanEdit:
    """Return the edit in the state it begins with: after the session's end it has expired."""
    return ended(edit) if locked.row.status == ExecutionStatus.COMPLETED else edit


def _edit(edit: PlanEdit) -> dict[str, object]:
    return {"state": edit.state.value, "edit": dump(edit)}


def _kept(row: Found) -> KeptEdit:
    kept = _EDITS.value(row)
    return replace(kept, edit=replace(kept.edit, state=PlanEditState(row.state)))


list_plan_edits = paged(_OF_SESSION, lambda row: _kept(row).edit, plan_edits.c.sequence)
