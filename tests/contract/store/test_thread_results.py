"""Results of threads take their placeholders' places: one message, never none, never two (T8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.errors import RevisionConflict
from heartrule.domain.events import MessageCommitted, StateChanged, TurnEnded
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunState
from heartrule.domain.threads import ThreadState
from session_store.ports import Store
from session_store.records import Page, SafetyClosing
from tests.support.store_builders import (
    AT_ONCE,
    accept,
    begun,
    failure,
    last_step,
    opened,
    said,
    step,
)
from tests.support.store_decisions import turn_with
from tests.support.store_runs import BADLY, taken
from tests.support.store_safety import raised
from tests.support.store_threads import (
    PLAIN,
    RESULT,
    going_on,
    opening,
    over,
    placeholder,
    spawned,
    texts,
    timed_out,
    told_of_threads,
    well,
)


async def test_between_turns_a_result_takes_its_place_at_once(store: Store) -> None:
    """It is of the placeholder's turn, and nobody has to write for it to appear."""
    key, lease, announced = await going_on(store)
    written = await store.finish_thread(lease, well())
    (result,) = [e.body.message for e in written.events if isinstance(e.body, MessageCommitted)]
    assert result.replaces_message_id == announced.message_id
    assert (result.action_id, result.action_instance_id) == ("a1", "ai_1")
    assert await texts(store, key) == ["hello", RESULT]
    assert (await store.get_session(key)).last_ai_message == RESULT
    told = await store.read_events(key, 0)
    kept = [e.body.message for e in told if isinstance(e.body, MessageCommitted)]
    assert [each.plain_text() for each in kept[1:]] == [announced.plain_text(), RESULT]
    assert len({each.turn_id for each in kept[1:]}) == 1


async def test_it_stands_where_the_placeholder_stood(store: Store) -> None:
    """In lists, in prompts and for the monitor, whatever was said since."""
    key, lease, _ = await going_on(store)
    await turn_with(store, key, "m2")
    (*_, first), token = await store.list_messages(key, Page(size=3))
    assert first.plain_text() == "正在查……"
    await store.finish_thread(lease, well())
    assert await texts(store, key) == ["hello", RESULT, "hello", "re m2"]
    rest, _ = await store.list_messages(key, Page(size=9, token=token))
    assert [each.plain_text() for each in rest] == ["hello", "re m2"]
    assert (await store.get_session(key)).last_ai_message == "re m2"
    await accept(store, key, "m3")
    snapshot = await begun(store, key)
    assert [each.text for each in snapshot.window][1:] == ["hello", RESULT, "hello", "re m2"]
    assert snapshot.last_ai_message == "re m2"


async def test_while_a_turn_runs_its_next_step_commits_the_result(store: Store) -> None:
    """Among the turn's messages, which its end names; what the agent says comes behind it."""
    key, snapshot, announced = await spawned(store)
    await store.finish_thread((await taken(store)).lease, well())
    assert await texts(store, key) == ["hello", "正在查……"]
    assert not (await store.get_thread(key, "thr_1")).is_shown
    behind = said("还有吗？")
    last = over(snapshot, announced, behind)
    done = await store.commit_step(snapshot.lease, replace(last, messages=(behind,)))
    (shown,) = done.shown
    assert shown.plain_text() == RESULT
    assert await texts(store, key) == ["hello", RESULT, "还有吗？"]
    end = done.events[-1].body
    assert isinstance(end, TurnEnded)
    assert set(end.message_ids) == {*last.end.message_ids, shown.message_id}  # type: ignore[union-attr]
    assert end.state is not None
    assert end.state.last_ai_message == "还有吗？"
    assert (await store.get_thread(key, "thr_1")).is_shown


async def test_the_state_after_a_step_tells_the_result(store: Store) -> None:
    """Where it took the place of what the assistant said last."""
    key, snapshot, _ = await spawned(store)
    await store.finish_thread((await taken(store)).lease, well())
    done = await store.commit_step(snapshot.lease, step(snapshot))
    state = done.events[-1].body
    assert isinstance(state, StateChanged)
    assert state.state.last_ai_message == RESULT
    assert (await store.get_session(key)).last_ai_message == RESULT
    assert list(await store.read_events(key, done.events[0].sequence - 1)) == list(done.events)


async def test_a_turn_that_goes_on_elsewhere_names_the_result(store: Store) -> None:
    """The next attempt knows it among the messages of its turn."""
    key = await opened(store)
    await accept(store, key, "m1")
    first, announced = await begun(store, key, ttl=AT_ONCE), placeholder()
    begins = step(first, announced, inputs_consumed=True, **opening(announced))
    await store.commit_step(first.lease, begins)
    await store.finish_thread((await taken(store)).lease, well())
    done = await store.commit_step(first.lease, step(first))
    second = await begun(store, key)
    assert second.message_ids == (announced.message_id, done.shown[0].message_id)
    assert [each.text for each in second.window][1:] == ["hello", RESULT]


async def test_a_turn_that_fails_commits_the_result(store: Store) -> None:
    """No placeholder is left where no further step comes."""
    key, snapshot, announced = await spawned(store)
    await store.finish_thread((await taken(store)).lease, well())
    *_, last = await store.fail_turn(snapshot.lease, failure(snapshot))
    assert await texts(store, key) == ["hello", RESULT]
    assert isinstance(last.body, TurnEnded)
    assert last.body.message_ids[0] == announced.message_id
    assert len(last.body.message_ids) == 2
    assert last.body.state is not None
    assert last.body.state.last_ai_message == RESULT


async def test_a_later_turn_commits_it_as_one_of_its_own_turn(store: Store) -> None:
    """The end of the turn that runs names its own messages alone."""
    key, lease, _ = await going_on(store)
    await accept(store, key, "m2")
    later = await begun(store, key)
    await store.finish_thread(lease, well())
    done = await store.commit_step(later.lease, last_step(later, said("hm")))
    assert done.shown[0].turn_id != later.turn_id
    end = done.events[-1].body
    assert isinstance(end, TurnEnded)
    assert done.shown[0].message_id not in end.message_ids
    assert await texts(store, key) == ["hello", RESULT, "hello", "hm"]


@pytest.mark.parametrize("how", ["cancelled", "failed", "timed out", "killed"])
async def test_what_does_not_end_well_leaves_the_plain_text(store: Store, how: str) -> None:
    """Cancelled, failed, too late, or lost with its workers: the placeholder is closed (T10)."""
    key, lease, _ = await going_on(store)
    if how == "cancelled":
        await store.cancel_run(key, "run_1")
    elif how == "failed":
        await store.finish_run(lease, BADLY)
    elif how == "timed out":
        await store.finish_thread(lease, timed_out())
    else:
        for owner in ("w2", "w3", "w4", "w5", "w6", "w7"):
            await store.take_run("run_1", owner=owner)
    assert await texts(store, key) == ["hello", PLAIN]
    found = (await store.get_thread(key, "thr_1")).thread
    states = {"cancelled": (ThreadState.CANCELLED, ""), "failed": (ThreadState.FAILED, "TIMEOUT")}
    late = (ThreadState.CANCELLED, "RUN_TIMEOUT")
    wanted = {**states, "timed out": late, "killed": (ThreadState.FAILED, "WORKER_LOST")}
    assert (found.state, found.failure_code) == wanted[how]
    assert (await store.get_run(key, "run_1")).run.state is (
        RunState.CANCELLED if how == "cancelled" else RunState.FAILED
    )


async def test_a_frozen_session_is_told_nothing(store: Store) -> None:
    """The result is kept until a step of a session that nothing freezes any more."""
    key, lease, _ = await going_on(store)
    await accept(store, key, "danger")
    crisis = await begun(store, key)
    await store.commit_step(crisis.lease, last_step(crisis, said("cards"), safety=raised()))
    await store.finish_thread(lease, well())
    await turn_with(store, key, "m3")
    assert RESULT not in await texts(store, key)
    await store.close_safety(key, SafetyClosing(operator="ann"))
    assert RESULT not in await texts(store, key)
    await turn_with(store, key, "m4")
    assert (await texts(store, key))[1] == RESULT


async def test_a_step_that_freezes_the_session_tells_nothing(store: Store) -> None:
    """A result that came meanwhile waits behind it."""
    key, lease, _ = await going_on(store)
    await accept(store, key, "danger")
    crisis = await begun(store, key)
    await store.finish_thread(lease, well())
    done = await store.commit_step(crisis.lease, last_step(crisis, said("cards"), safety=raised()))
    assert done.shown == ()
    assert RESULT not in await texts(store, key)


async def test_a_step_may_bring_what_takes_a_place(store: Store) -> None:
    """Such as that of a placeholder on which no thread was opened, as the turn was interrupted."""
    key = await opened(store)
    await accept(store, key, "m1")
    snapshot, announced = await begun(store, key), placeholder()
    await store.commit_step(snapshot.lease, step(snapshot, announced, inputs_consumed=True))
    closing = said(PLAIN, replaces_message_id=announced.message_id)
    done = await store.commit_step(snapshot.lease, last_step(snapshot, closing))
    assert done.shown == ()
    assert await texts(store, key) == ["hello", PLAIN]
    assert (await store.get_session(key)).last_ai_message == PLAIN


async def test_a_place_is_taken_once(store: Store) -> None:
    """What replaces a message that is none, or that was replaced, is refused with its step."""
    key, lease, announced = await going_on(store)
    await store.finish_thread(lease, well())
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    for name in (announced.message_id, "msg_9"):
        again = said("again", replaces_message_id=name)
        with pytest.raises(RevisionConflict) as refused:
            await store.commit_step(snapshot.lease, last_step(snapshot, again))
        assert refused.value.reason == "PLACEHOLDER_REPLACED"
    assert await texts(store, key) == ["hello", RESULT, "hello"]


async def test_what_a_step_brings_comes_before_the_result(store: Store) -> None:
    """An agent that has ended the thread's message itself has the last word of it."""
    key, snapshot, announced = await spawned(store)
    await store.finish_thread((await taken(store)).lease, well())
    own = said("自己说", replaces_message_id=announced.message_id)
    done = await store.commit_step(snapshot.lease, last_step(snapshot, own))
    assert done.shown == ()
    assert await texts(store, key) == ["hello", "自己说"]


async def test_an_end_of_the_session_leaves_no_placeholder(store: Store) -> None:
    """A thread that ends after its session's end is shown all the same."""
    key, lease, _ = await going_on(store)
    await store.end_idle(key, AT_ONCE)
    await store.finish_thread(lease, well())
    assert await texts(store, key) == ["hello", RESULT]
    assert (await told_of_threads(store, key))[-1] == f"shown {RESULT}"


async def test_a_thread_in_a_message_that_is_no_placeholder_replaces_nothing(
    store: Store,
) -> None:
    """Its result is read with the thread."""
    key = await opened(store)
    await accept(store, key, "m1")
    snapshot, plain = await begun(store, key), said("我说过了")
    await store.commit_step(snapshot.lease, last_step(snapshot, plain, **opening(plain)))
    await store.finish_thread((await taken(store)).lease, well())
    assert await texts(store, key) == ["hello", "我说过了"]
    assert (await store.get_thread(key, "thr_1")).thread.result_text == RESULT
    await turn_with(store, key, "m2")
    assert await texts(store, key) == ["hello", "我说过了", "hello", "re m2"]


async def queue_ends(store: Store, key: SessionKey) -> list[str]:
    """Return the runs whose ends wait for a turn."""
    return [each.run_id for each in await store.ended_runs(key)]


async def test_a_result_that_is_shown_still_waits_for_its_values(store: Store) -> None:
    """Variables get them in a turn's step, which takes the run's end up."""
    key, lease, _ = await going_on(store)
    await store.finish_thread(lease, well())
    assert await queue_ends(store, key) == ["run_1"]
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    assert snapshot.runs_waiting == 1
    taking = last_step(snapshot, runs_taken_up=("run_1",))
    await store.commit_step(snapshot.lease, taking)
    assert await queue_ends(store, key) == []
