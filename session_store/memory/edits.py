"""A topic's queue and the edits that a turn decides, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heartrule.domain.orchestration import PlanEdit, PlanEditState
from heartrule.domain.position import ExecutionStatus
from session_store.memory.rows import SessionRow
from session_store.plan_edit_rules import ended, of_topic
from session_store.records import ActionInstance, EditsAtHand


def at_hand(row: SessionRow) -> EditsAtHand:
    """Return what decides the edits that wait; empty where none does."""
    known = row.edits.values()
    waiting = tuple(each for each in known if each.edit.state is PlanEditState.PENDING)
    if not waiting:
        return EditsAtHand()
    place = row.position
    return EditsAtHand(waiting=waiting, past=of_topic(known, place.phase_id, place.topic_id))


def plan_of(row: SessionRow) -> tuple[ActionInstance, ...]:
    """Return the instances of the topic the session stands in, by their place in its queue."""
    here = (row.position.phase_id, row.position.topic_id)
    found = [each for each in row.plan.values() if (each.phase_id, each.topic_id) == here]
    return tuple(sorted(found, key=lambda each: each.ordinal))


def settle(row: SessionRow, decided: Sequence[PlanEdit], turn_no: int) -> tuple[PlanEdit, ...]:
    """Keep what a step decided; at the session's end what still waits expires. Return them."""
    names = {each.edit_id for each in decided}
    left = [each.edit for name, each in row.edits.items() if name not in names]
    if row.status is ExecutionStatus.COMPLETED:
        waiting = (each for each in left if each.state is PlanEditState.PENDING)
        decided = (*decided, *map(ended, waiting))
    for each in decided:
        kept = replace(row.edits[each.edit_id], edit=each)
        undone = each.state is PlanEditState.UNDONE
        row.edits[each.edit_id] = kept if undone else replace(kept, decided_turn_no=turn_no)
        row.plan_revision = max(row.plan_revision, each.plan_revision)
    return tuple(decided)
