"""Edits of plans: proposed between turns, decided in a turn's first step, never lost on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heartrule.domain.errors import NotFound, NotReady
from heartrule.domain.events import Outcome, PlanEdited
from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import (
    ActionDefinition,
    OrchestrationAction,
    OrchestrationPlan,
    PlanEdit,
    PlanEditState,
    QueuedAction,
)
from session_store.ports import Store
from session_store.records import (
    ForkOrder,
    InstanceState,
    Page,
    ProposedEdit,
    RetryOrder,
    TurnSnapshot,
)
from tests.support.store_builders import (
    AT_ONCE,
    accept,
    at_round,
    begun,
    call,
    claimed,
    instance,
    judged_turn,
    last_step,
    opened,
    said,
)

PLAN = OrchestrationPlan(
    action=OrchestrationAction.INSERT,
    new_action=ActionDefinition(action_type="ai_say", config={"content": "不着急"}),
    reason="先安抚",
)
DEFINITION = {"config": {"content": "不着急"}, "inserted": True}
PENDING, APPLIED = PlanEditState.PENDING, PlanEditState.APPLIED
UNDONE, EXPIRED = PlanEditState.UNDONE, PlanEditState.EXPIRED


def edit(edit_id: str = "edit_1", **changes: Any) -> PlanEdit:
    """Return a proposed edit of topic t1."""
    plain = PlanEdit(
        edit_id=edit_id, session_id="s1", cause_id="adv_1", phase_id="p1", topic_id="t1", plan=PLAN
    )
    return replace(plain, **changes)


async def turn(store: Store, key: SessionKey, name: str) -> TurnSnapshot:
    """Run a turn that decides nothing, and return what it was given."""
    await accept(store, key, name)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, said(f"re {name}")))
    return snapshot


async def proposed(store: Store, key: SessionKey, judged: TurnSnapshot, **changes: Any) -> None:
    """Propose an edit because of a turn."""
    made = edit(session_id=key.session_id, judged_turn_id=judged.turn_id, **changes)
    await store.propose_edit(ProposedEdit(key=key, edit=made, judged_turn_id=judged.turn_id))


async def applying(store: Store, key: SessionKey, name: str, revision: int = 1) -> TurnSnapshot:
    """Run a turn that applies the edit that waits: an action is put in."""
    await accept(store, key, name)
    snapshot = await begun(store, key)
    (waiting,) = snapshot.edits.waiting
    made = instance("ai_9", 1, state=InstanceState.PENDING, definition=DEFINITION)
    entry = QueuedAction(action_instance_id="ai_9", action_id="a2", action_type="ai_say")
    applied = replace(
        waiting.edit,
        state=APPLIED,
        plan_revision=revision,
        after=(entry,),
        decided_turn_id=snapshot.turn_id,
    )
    step = last_step(snapshot, said(f"re {name}"), position=at_round(1), instances=(made,))
    await store.commit_step(snapshot.lease, replace(step, edits=(applied,)))
    return snapshot


async def states(store: Store, key: SessionKey) -> list[tuple[str, PlanEditState]]:
    """Return every edit with its state."""
    found, _ = await store.list_plan_edits(key, Page())
    return [(each.edit_id, each.state) for each in found]


async def test_an_edit_waits_for_the_next_turn(store: Store) -> None:
    """It is told, handed to the next turn, decided with its first step, and then waits no more."""
    key = await opened(store)
    first = await turn(store, key, "m1")
    assert first.edits.waiting == ()
    await proposed(store, key, first)
    second = await applying(store, key, "m2")
    (waiting,) = second.edits.waiting
    assert (waiting.edit.edit_id, waiting.judged_turn_no) == ("edit_1", first.turn_no)
    third = await turn(store, key, "m3")
    assert (third.edits.waiting, third.plan_revision) == ((), 1)
    (kept,) = (await store.list_plan_edits(key, Page()))[0]
    assert (kept.state, kept.plan, kept.after[0].action_id) == (APPLIED, PLAN, "a2")
    bodies = [each.body for each in await store.read_events(key, 0)]
    told = [each.edit for each in bodies if isinstance(each, PlanEdited)]
    assert [(each.state, each.plan_revision) for each in told] == [(PENDING, 0), (APPLIED, 1)]
    assert (await store.get_session(key)).plan_revision == 1


async def test_the_instance_keeps_its_definition(store: Store) -> None:
    """What an edit put in is in the plan with its own definition."""
    key = await opened(store)
    await proposed(store, key, await turn(store, key, "m1"))
    await applying(store, key, "m2")
    view = await store.get_plan(key)
    assert view.plan_revision == 1
    assert {each.action_instance_id: dict(each.definition) for each in view.plan}[
        "ai_9"
    ] == DEFINITION
    assert [each.edit_id for each in view.past] == ["edit_1"]


async def test_no_plan_keeps_the_calls_alone(store: Store) -> None:
    """An orchestrator that proposes nothing leaves its calls in the ledger and no event."""
    key = await opened(store)
    first = await turn(store, key, "m1")
    before = (await store.get_session(key)).last_sequence
    nothing = ProposedEdit(key=key, edit=None, judged_turn_id=first.turn_id, calls=(call(),))
    assert await store.propose_edit(nothing) == ()
    assert (await store.get_session(key)).last_sequence == before
    assert len((await store.list_calls(key, Page()))[0]) == 1
    assert await states(store, key) == []


async def test_an_edit_of_a_turn_that_is_gone_is_not_kept(store: Store) -> None:
    """The judged turn was taken back, or the session erased: nobody wants the edit."""
    key = await opened(store)
    judged = await turn(store, key, "m1")
    await store.retry_turn(RetryOrder(key=key))
    await proposed(store, key, judged)
    assert await states(store, key) == []
    await store.delete_session(key)
    await proposed(store, key, judged)
    with pytest.raises(NotFound):
        await store.list_plan_edits(key, Page())


async def test_a_retry_puts_the_edit_back(store: Store) -> None:
    """The turn that applied it is taken back: it waits again, and is applied by the next."""
    key = await opened(store)
    await proposed(store, key, await turn(store, key, "m1"))
    await applying(store, key, "m2")
    await store.retry_turn(RetryOrder(key=key))
    assert await states(store, key) == [("edit_1", PENDING)]
    again = await begun(store, key)
    assert [each.edit.edit_id for each in again.edits.waiting] == ["edit_1"]
    assert [each.action_instance_id for each in again.plan] == ["ai_1"]
    assert again.edits.past == ()


async def test_a_retry_of_the_judged_turn_expires_the_edit(store: Store) -> None:
    """What was proposed because of a turn goes with it."""
    key = await opened(store)
    await turn(store, key, "m1")
    await proposed(store, key, await turn(store, key, "m2"))
    await store.retry_turn(RetryOrder(key=key))
    (kept,) = (await store.list_plan_edits(key, Page()))[0]
    assert (kept.state, kept.rule) == (EXPIRED, "TURN_TAKEN_BACK")
    assert (await begun(store, key)).edits.waiting == ()


async def test_a_fork_carries_what_its_turns_decided(store: Store) -> None:
    """An edit of its past comes along with the instance; one that was decided later does not."""
    key = await opened(store)
    first = await turn(store, key, "m1")
    await proposed(store, key, first)
    second = await applying(store, key, "m2")
    after, before = SessionKey("t", "after"), SessionKey("t", "before")
    for target, last in ((after, second), (before, first)):
        made = ForkOrder(source=key, session_id=target.session_id, from_turn_id=last.turn_id)
        await store.fork_session(made)
    (kept,) = (await store.list_plan_edits(after, Page()))[0]
    assert (kept.state, kept.session_id) == (APPLIED, "after")
    assert (await store.get_plan(after)).plan_revision == 1
    assert await states(store, before) == []
    assert (await store.get_plan(before)).plan_revision == 0
    assert [each.sequence for each in await store.read_events(after, 0)][-1] == (
        await store.get_session(after)
    ).last_sequence


async def test_an_undo_waits_and_takes_the_edit_back(store: Store) -> None:
    """Asked twice with one key it is one; decided, the edit it means is undone."""
    key = await opened(store)
    await proposed(store, key, await turn(store, key, "m1"))
    await applying(store, key, "m2")
    wanted = PlanEdit(edit_id="edit_2", session_id="s1", cause_id="r1", undoes="edit_1")
    first, events = await store.request_undo(key, wanted)
    again, nothing = await store.request_undo(key, replace(wanted, edit_id="edit_3"))
    assert (first.edit_id, again.edit_id, len(events), nothing) == ("edit_2", "edit_2", 1, ())
    await accept(store, key, "m3")
    snapshot = await begun(store, key)
    (waiting,) = snapshot.edits.waiting
    assert (waiting.edit.topic_id, snapshot.edits.past[0].edit_id) == ("t1", "edit_1")
    undone = replace(snapshot.edits.past[0], state=UNDONE)
    undo = replace(waiting.edit, state=APPLIED, plan_revision=2)
    step = replace(last_step(snapshot, said("re")), edits=(undone, undo))
    await store.commit_step(snapshot.lease, step)
    assert await states(store, key) == [("edit_1", UNDONE), ("edit_2", APPLIED)]
    await store.retry_turn(RetryOrder(key=key))
    assert await states(store, key) == [("edit_1", APPLIED), ("edit_2", PENDING)]


async def test_only_the_latest_applied_edit_is_undone(store: Store) -> None:
    """An edit that waits cannot be undone, and one that nobody knows is not found."""
    key = await opened(store)
    await proposed(store, key, await turn(store, key, "m1"))
    undo = PlanEdit(edit_id="e", session_id="s1", cause_id="", undoes="edit_1")
    with pytest.raises(NotReady):
        await store.request_undo(key, undo)
    with pytest.raises(NotFound):
        await store.request_undo(key, replace(undo, undoes="edit_7"))


async def test_the_sessions_end_expires_what_waits(store: Store) -> None:
    """There is no next turn: an edit that waits expires, one proposed later is born expired."""
    key = await opened(store)
    first = await turn(store, key, "m1")
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    await proposed(store, key, first)
    done = last_step(snapshot, said("bye"), outcome=Outcome.SESSION_COMPLETED)
    await store.commit_step(snapshot.lease, done)
    await proposed(store, key, first, edit_id="edit_2")
    found, _ = await store.list_plan_edits(key, Page())
    assert [(each.state, each.rule) for each in found] == [(EXPIRED, "SESSION_ENDED")] * 2


async def test_an_undo_after_the_end_says_why_it_expired(store: Store) -> None:
    """The edit that is returned is the one that is stored: expired, with rule and problem."""
    key = await opened(store)
    await proposed(store, key, await turn(store, key, "m1"))
    await applying(store, key, "m2")
    assert await store.end_idle(key, AT_ONCE)
    wanted = PlanEdit(edit_id="edit_2", session_id="s1", cause_id="r1", undoes="edit_1")
    made, _ = await store.request_undo(key, wanted)
    found, _ = await store.list_plan_edits(key, Page())
    assert (made.rule, made) == ("SESSION_ENDED", found[-1])


async def test_an_idle_end_expires_what_waits(store: Store) -> None:
    """A session that ends by time has no next turn either; its retry makes it a session again."""
    key = await opened(store)
    first = await turn(store, key, "m1")
    await turn(store, key, "m2")
    await proposed(store, key, first)
    assert await store.end_idle(key, AT_ONCE)
    assert await states(store, key) == [("edit_1", EXPIRED)]
    await store.retry_turn(RetryOrder(key=key))
    assert await states(store, key) == [("edit_1", PENDING)]


async def test_edits_come_in_pages(store: Store) -> None:
    """A page ends where asked, and its token gives the next."""
    key = await opened(store)
    judged = await turn(store, key, "m1")
    for number in range(3):
        await proposed(store, key, judged, edit_id=f"edit_{number}")
    found, token = await store.list_plan_edits(key, Page(size=2))
    rest, end = await store.list_plan_edits(key, Page(size=2, token=token))
    assert [each.edit_id for each in (*found, *rest)] == ["edit_0", "edit_1", "edit_2"]
    assert end == ""


async def test_the_monitor_learns_what_an_edit_defined(store: Store) -> None:
    """Work on a round of an edited action holds its definition; other work holds none."""
    key = await opened(store)
    await proposed(store, key, await turn(store, key, "m1"))
    await applying(store, key, "m2")
    changed = instance(definition=DEFINITION)
    await judged_turn(store, key, instances=(changed,))
    assert dict((await claimed(store)).definition) == DEFINITION
