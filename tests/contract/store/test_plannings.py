"""Plans owed to analyses: kept with them, claimed, and ended with the proposal (ADR 26)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from heartrule.domain.events import PlanEdited
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import MonitorAnalysis, PlanningState
from heartrule.domain.orchestration import OrchestrationAction, OrchestrationPlan, PlanEdit
from session_store.ports import Store
from session_store.records import Page, PlanningWork, ProposedEdit, RetryOrder
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    advice,
    analysed,
    call,
    claimed,
    judged_turn,
    opened,
    ticket,
)
from tests.support.told import kinds

WISH = MonitorAnalysis(orchestration_needed=True, orchestration_reason="持续抗拒")
PLAN = OrchestrationPlan(action=OrchestrationAction.SKIP, target_instance="ai_2", reason="r")


async def owed(store: Store, round_no: int = 1, session_id: str = "s1") -> SessionKey:
    """Judge a round whose analysis asks for a plan."""
    key = await opened(store, session_id)
    await judged_turn(store, key, round_no)
    name = ticket(round_no, session_id)
    made = analysed(name, advice("adv_1", session_id=session_id), analysis=WISH, plan_owed=True)
    await store.finish_analysis(made)
    return key


async def claim(store: Store, ttl: timedelta = LONG) -> PlanningWork | None:
    """Claim the plan that is owed to round 1."""
    return await store.claim_planning(ticket(1), owner="me", ttl=ttl)


async def work(store: Store, ttl: timedelta = LONG) -> PlanningWork:
    """Claim it; it must be there."""
    found = await claim(store, ttl)
    assert found is not None
    return found


def made(found: PlanningWork, **changes: Any) -> ProposedEdit:
    """Return what the orchestrator proposed."""
    judged = found.judged
    edit = PlanEdit(
        edit_id="edit_1",
        session_id=judged.ticket.key.session_id,
        cause_id=found.advice_id,
        judged_turn_id=judged.turn_id,
        phase_id=judged.phase_id,
        topic_id=judged.topic_id,
        plan=PLAN,
    )
    plain = ProposedEdit(
        key=judged.ticket.key, edit=edit, judged_turn_id=judged.turn_id, ticket=judged.ticket
    )
    return replace(plain, **changes)


def failed(found: PlanningWork, **changes: Any) -> ProposedEdit:
    """Return that it could not be asked."""
    return made(found, edit=None, state=PlanningState.FAILED, reason="DOWN", **changes)


async def planning(store: Store) -> tuple[PlanningState | None, str]:
    """Return what became of the wish."""
    (entry,), _ = await store.list_feedback(ticket(1).key, Page())
    return entry.planning, entry.planning_reason


async def test_a_plan_is_owed_until_it_is_proposed(store: Store) -> None:
    """The debt is written with the analysis, and holds all a plan is made from."""
    await owed(store)
    assert (await store.due_plannings(9), await planning(store)) == (
        (ticket(1),),
        (PlanningState.OWED, ""),
    )
    found = await work(store)
    assert (found.analysis, found.advice_id) == (WISH, "adv_1")
    assert [line.text for line in found.judged.dialogue][1:2] == ["answer 1"]
    events = await store.propose_edit(made(found))
    assert kinds(events) == [PlanEdited]
    assert (await store.due_plannings(9), await claim(store)) == ((), None)
    assert await planning(store) == (PlanningState.PROPOSED, "")


async def test_an_analysis_without_the_wish_owes_nothing(store: Store) -> None:
    """Nor does one that has not ended."""
    key = await opened(store)
    await judged_turn(store, key, 1)
    assert (await store.due_plannings(9), await claim(store)) == ((), None)
    await claimed(store)
    await store.finish_analysis(analysed(ticket(1)))
    assert (await store.due_plannings(9), await claim(store)) == ((), None)


async def test_a_claimed_plan_is_held(clocked: Store, clock: ManualClock) -> None:
    """Until the claim has run out; then it is due again."""
    await owed(clocked)
    await work(clocked, timedelta(seconds=30))
    assert (await clocked.due_plannings(9), await claim(clocked)) == ((), None)
    clock.move(timedelta(seconds=30) + A_MOMENT)
    assert await clocked.due_plannings(9) == (ticket(1),)


async def test_a_plan_is_tried_twice(store: Store) -> None:
    """Then it is given as exhausted, so that somebody gives it up."""
    await owed(store)
    attempts = [(await work(store, AT_ONCE)).judged.attempt for _ in range(2)]
    assert (attempts, await claim(store)) == ([1, 2], None)
    (due,) = await store.due_plannings(9)
    assert due.exhausted
    gone = ProposedEdit(
        key=due.key, edit=None, ticket=due, state=PlanningState.DROPPED, reason="ATTEMPTS_LOST"
    )
    await store.propose_edit(gone)
    assert await store.due_plannings(9) == ()
    assert await planning(store) == (PlanningState.DROPPED, "ATTEMPTS_LOST")


async def test_a_plan_that_failed_stays_owed(clocked: Store, clock: ManualClock) -> None:
    """However often, each time after the pause it asks for."""
    await owed(clocked)
    for attempt in range(1, 5):
        work_now = await work(clocked)
        assert work_now.judged.attempt == attempt
        pause = timedelta(seconds=20)
        assert await clocked.propose_edit(failed(work_now, retry_after=pause)) == ()
        assert await clocked.due_plannings(9) == ()
        clock.move(pause + timedelta(seconds=1))
        assert await clocked.due_plannings(9) == (ticket(1),)


async def test_the_tokens_of_plans_count(store: Store) -> None:
    """With those of analyses, whatever came of the call."""
    key = await owed(store)
    spent = call("c1", prompt_tokens=30, completion_tokens=4)
    await store.propose_edit(failed(await work(store), retry_after=AT_ONCE, calls=(spent,)))
    found = await work(store)
    assert found.judged.tokens_spent == 34
    spent = call("c2", prompt_tokens=6, completion_tokens=2)
    await store.propose_edit(made(found, calls=(spent,)))
    await judged_turn(store, key, 2)
    assert (await claimed(store, 2)).tokens_spent == 42


async def test_a_plan_is_proposed_once(store: Store) -> None:
    """A second maker, whose claim had run out, keeps its calls and nothing else."""
    key = await owed(store)
    first, second = await work(store, AT_ONCE), await work(store, AT_ONCE)
    await store.propose_edit(made(first))
    late = made(second, calls=(call("late"),))
    assert late.edit is not None
    late = replace(late, edit=replace(late.edit, edit_id="edit_2"))
    assert await store.propose_edit(late) == ()
    assert [each.edit_id for each in (await store.list_plan_edits(key, Page()))[0]] == ["edit_1"]
    assert [each.call_id for each in (await store.list_calls(key, Page()))[0]] == ["late"]


async def test_an_edit_id_has_one_outcome(store: Store) -> None:
    """An edit id that is proposed again, whatever it says then, stays what it was."""
    key = await owed(store)
    first = replace(made(await work(store)), ticket=None)
    assert kinds(await store.propose_edit(first)) == [PlanEdited]
    assert first.edit is not None
    again = replace(first, edit=replace(first.edit, cause_id="another"))
    assert await store.propose_edit(again) == ()
    (kept,) = (await store.list_plan_edits(key, Page()))[0]
    assert kept.cause_id == first.edit.cause_id


@pytest.mark.parametrize("how", ["retried", "deleted"])
async def test_what_is_gone_is_owed_nothing(store: Store, how: str) -> None:
    """A turn that was taken back, or a session that was erased."""
    key = await owed(store)
    found = await work(store, AT_ONCE)
    if how == "retried":
        await store.retry_turn(RetryOrder(key=key))
    else:
        await store.delete_session(key)
    assert (await store.due_plannings(9), await claim(store)) == ((), None)
    assert await store.propose_edit(made(found)) == ()
