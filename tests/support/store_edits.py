"""Random edits of plans for a play on a store."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

from heartrule.domain.monitoring import PlanningState
from heartrule.domain.orchestration import (
    OrchestrationAction,
    OrchestrationPlan,
    PlanEdit,
    PlanEditState,
)
from session_store.records import (
    MonitorTicket,
    PlanningWork,
    ProposedEdit,
    StepCommit,
    TurnSnapshot,
)
from tests.support.store_builders import AT_ONCE, LONG, call

PLAN = OrchestrationPlan(action=OrchestrationAction.SKIP, target_instance="ai_2", reason="r")


async def random_edits(
    do: Callable[..., Coroutine[Any, Any, object]],
    dice: Random,
    snapshots: Sequence[TurnSnapshot],
    tickets: Sequence[MonitorTicket],
) -> None:
    """Propose an edit because of a turn, or undo one; then work on a plan that may be owed."""
    number = dice.randrange(10**9)
    await _proposal(do, dice, snapshots, number)
    await _planning(do, dice, tickets, number)


async def _proposal(
    do: Callable[..., Coroutine[Any, Any, object]],
    dice: Random,
    snapshots: Sequence[TurnSnapshot],
    number: int,
) -> None:
    """Propose an edit because of some turn, or ask that one be undone."""
    if not snapshots:
        return
    judged, key = dice.choice([(each.turn_id, each.lease.key) for each in snapshots[-3:]])
    made = PlanEdit(
        edit_id=f"edit_{number}",
        session_id=key.session_id,
        cause_id=f"cause_{number}",
        judged_turn_id=judged,
        phase_id="p1",
        topic_id="t1",
        plan=PLAN,
    )
    if dice.random() < 0.7:
        edit = made if dice.random() < 0.8 else None
        calls = (call(f"plan_{number}"),)
        proposed = ProposedEdit(key=key, edit=edit, judged_turn_id=judged, calls=calls)
        await do("propose_edit", proposed)
    else:
        met = [s.edits for s in snapshots[-9:] if s.lease.key == key]
        known = [each.edit.edit_id for edits in met for each in edits.waiting]
        undo = replace(made, plan=None, undoes=dice.choice([*known, "edit_x"]))
        await do("request_undo", key, undo)
    await do("get_plan", key)


async def _planning(
    do: Callable[..., Coroutine[Any, Any, object]],
    dice: Random,
    tickets: Sequence[MonitorTicket],
    number: int,
) -> None:
    """Work on a plan that some analysis may be owed, and mostly say what became of it."""
    if not tickets:
        return
    ticket = dice.choice(tickets[-4:])
    ttl = dice.choice([AT_ONCE, LONG])
    work = await do("claim_planning", ticket, owner="a", ttl=ttl)
    judged = work.judged.turn_id if isinstance(work, PlanningWork) else ""
    made = PlanEdit(
        edit_id=f"made_{number}",
        session_id=ticket.key.session_id,
        cause_id=f"cause_{number}",
        judged_turn_id=judged,
        phase_id="p1",
        topic_id="t1",
        plan=PLAN,
    )
    ended = ProposedEdit(
        key=ticket.key,
        edit=made,
        judged_turn_id=judged,
        calls=(call(f"made_{number}"),),
        ticket=ticket,
    )
    failed = replace(ended, edit=None, state=PlanningState.FAILED, reason="R")
    outcome = dice.choice([ended, failed, replace(failed, retry_after=timedelta(0)), None])
    if outcome is not None:
        await do("propose_edit", outcome)


def with_edits(
    dice: Random, snapshot: TurnSnapshot, step: StepCommit, known: set[str]
) -> StepCommit:
    """Return the step with some decision about each edit that waited, once for an attempt."""
    attempt = f"{snapshot.turn_id}/{snapshot.attempt}"
    if snapshot.steps or attempt in known or not snapshot.edits.waiting or dice.random() < 0.2:
        return step
    known.add(attempt)
    decided: list[PlanEdit] = []
    revision = snapshot.plan_revision
    for kept in snapshot.edits.waiting:
        state = dice.choice([PlanEditState.APPLIED, PlanEditState.REJECTED, PlanEditState.EXPIRED])
        edit = replace(kept.edit, decided_turn_id=snapshot.turn_id)
        if state is not PlanEditState.APPLIED:
            decided.append(replace(edit, state=state, rule="R"))
            continue
        revision += 1
        meant = (each for each in snapshot.edits.past if each.edit_id == kept.edit.undoes)
        decided += [replace(each, state=PlanEditState.UNDONE) for each in meant]
        decided.append(replace(edit, state=state, plan_revision=revision))
    return replace(step, edits=tuple(decided))
