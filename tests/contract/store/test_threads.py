"""Threads of sub-agents: opened by a step, written by checkpoints, ended with their run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.errors import HeartRuleError, LeaseLost, NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.run_events import Activity, ActivityKind, ActivityState, RunChanged
from heartrule.domain.runs import RunKind, RunState
from heartrule.domain.thread_changes import MessagesRemoved, MessageWritten, ThreadEnd, ThreadWrite
from heartrule.domain.threads import DEEPEST_THREAD, ThreadSettings, ThreadState
from session_store.ports import Store
from session_store.records import Page
from session_store.records.kept_runs import RunLanding
from session_store.records.runs import RunLease
from session_store.records.threads import ThreadFilter
from tests.support.store_builders import call
from tests.support.store_runs import WELL, taken, told_of_runs, working
from tests.support.store_threads import (
    PLAIN,
    agent_run,
    going_on,
    nested,
    phase,
    said_in,
    says,
    spawned,
    spoken,
    told_of_threads,
    well,
    wrote,
)


async def test_a_step_opens_a_thread_with_its_run(store: Store) -> None:
    """It knows its turn and its run, and the run its thread; both are told."""
    key, snapshot, announced = await spawned(store)
    found = await store.get_thread(key, "thr_1")
    assert (found.thread.turn_id, found.thread.state) == (snapshot.turn_id, ThreadState.RUNNING)
    assert found.thread.request == {"query": "失眠"}
    run = await taken(store)
    assert (run.kind, run.thread_id) == (RunKind.SUB_AGENT, "thr_1")
    assert run.progress.inputs == agent_run().inputs
    assert await told_of_threads(store, key) == ["thr_1 running plan"]
    queued, began, _ = await told_of_runs(store, key)
    assert isinstance(queued, RunChanged)
    assert (queued.agent, queued.workflow_id, queued.revision) == ("researcher", "", 0)
    assert isinstance(began, Activity)
    assert (began.kind, began.message_id) == (ActivityKind.SUB_THREAD, announced.message_id)


async def test_checkpoints_are_what_is_read(store: Store) -> None:
    """Messages, a suggestion and the phase that came of it, each in its order."""
    key, lease, _ = await going_on(store)
    before = len(await told_of_threads(store, key))
    await wrote(store, lease, says(0))
    await wrote(store, lease, says(1, meta={"分": 3}))
    await wrote(store, lease, phase("plan", "write"))
    await wrote(store, lease, phase("write"), label="在写")
    (contents,) = await store.read_run_threads(key, "run_1")
    assert contents.messages == (spoken(0), spoken(1, meta={"分": 3}))
    assert contents.thread.settings == ThreadSettings(phase="write")
    told = await told_of_threads(store, key)
    assert told[before:] == [
        "thr_1.0 第 0 句",
        "thr_1.1 第 1 句",
        "thr_1 running plan ?write",
        "thr_1 running write",
    ]
    goes_on = (await told_of_runs(store, key))[-1]
    assert isinstance(goes_on, Activity)
    assert (goes_on.state, goes_on.label) == (ActivityState.GOES_ON, "在写")


async def test_a_checkpoint_is_written_whole_or_not_at_all(store: Store) -> None:
    """The end of a nested thread, and the result that takes its placeholder's place, are one."""
    key, lease = await with_chapter(store)
    end = ThreadEnd(thread_id="thr_2", state=ThreadState.COMPLETED, result_text="第一章")
    with pytest.raises(NotFound):
        await wrote(store, lease, end, chapter(replaces="tm_8"))
    assert (await store.get_thread(key, "thr_2")).thread.state is ThreadState.RUNNING
    await wrote(store, lease, end, chapter())
    assert await said_in(store, key) == ["第一章", "第 1 句"]
    outer, inner = await store.read_run_threads(key, "run_1")
    names = [(each.number, each.message_id, each.replaced_by) for each in outer.messages]
    assert names == [(0, "tm_0", "tm_9"), (0, "tm_9", ""), (1, "tm_1", "")]
    assert (inner.thread.state, inner.thread.depth) == (ThreadState.COMPLETED, 2)
    assert (inner.thread.run_id, inner.thread.turn_id) == ("run_1", outer.thread.turn_id)


async def with_chapter(store: Store) -> tuple[SessionKey, RunLease]:
    """Have a thread nested in a placeholder of the outermost one, and another message behind it."""
    key, lease, _ = await going_on(store)
    place = spoken(0, "第一章……", is_placeholder=True)
    await wrote(store, lease, MessageWritten(thread_id="thr_1", message=place))
    await wrote(store, lease, says(1))
    await wrote(store, lease, nested("thr_2", "thr_1", "tm_0"), says(7, "thr_2", number=0))
    return key, lease


def chapter(replaces: str = "tm_0") -> MessageWritten:
    """Return the result of the nested thread."""
    message = spoken(0, "第一章", message_id="tm_9")
    return MessageWritten(thread_id="thr_1", message=message, replaces=replaces)


async def test_what_is_opened_again_changes_nothing(store: Store) -> None:
    """Whoever takes a run over may have opened a thread already; a message has one at most."""
    key, lease = await with_chapter(store)
    last = (await store.get_session(key)).last_sequence
    assert (await wrote(store, lease, nested("thr_2", "thr_1", "tm_0"))).events == ()
    assert (await store.get_session(key)).last_sequence == last
    with pytest.raises(HeartRuleError) as refused:
        await wrote(store, lease, nested("thr_3", "thr_1", "tm_0"))
    assert refused.value.reason == "THREAD_EXISTS"


async def test_a_message_again_changes_only_what_is_noted(store: Store) -> None:
    """So a checkpoint that was written twice is there once."""
    key, lease, _ = await going_on(store)
    await wrote(store, lease, says(0))
    await wrote(store, lease, says(0, text="anderes", meta={"gelesen": True}))
    (contents,) = await store.read_run_threads(key, "run_1")
    assert contents.messages == (spoken(0, meta={"gelesen": True}),)


async def test_messages_behind_a_removed_one_move_up(store: Store) -> None:
    """A placeholder goes with what replaced it; one with a thread that runs stays (T11)."""
    key, lease = await with_chapter(store)
    gone = MessagesRemoved(thread_id="thr_1", message_ids=("tm_0",))
    with pytest.raises(HeartRuleError) as refused:
        await wrote(store, lease, gone)
    assert refused.value.reason == "THREAD_RUNNING"
    end = ThreadEnd(thread_id="thr_2", state=ThreadState.FAILED)
    await wrote(store, lease, end, chapter())
    await wrote(store, lease, gone)
    (outer, _) = await store.read_run_threads(key, "run_1")
    assert outer.messages == (replace(spoken(1), number=0),)
    assert await store.paths_of(key, ["thr_1", "thr_2"]) == {"thr_1": (2,)}


REFUSED: list[tuple[str, ThreadWrite]] = [
    ("THREAD_NOT_FOUND", says(0, "thr_9")),
    ("THREAD_NOT_FOUND", nested("thr_9", "", "msg")),
    ("MESSAGE_NOT_FOUND", nested("thr_9", "thr_1", "tm_9")),
    ("MESSAGE_NOT_FOUND", MessagesRemoved(thread_id="thr_1", message_ids=("tm_9",))),
    ("THREAD_OUTERMOST", ThreadEnd(thread_id="thr_1", state=ThreadState.COMPLETED)),
]


async def test_what_is_wrong_writes_nothing(store: Store) -> None:
    """A thread of another run, a message that is not there, the outermost thread alone."""
    key, lease, _ = await going_on(store)
    last = (await store.get_session(key)).last_sequence
    for reason, write in REFUSED:
        with pytest.raises(HeartRuleError) as refused:
            await wrote(store, lease, says(0), write)
        assert refused.value.reason == reason
    assert (await store.get_session(key)).last_sequence == last
    assert await said_in(store, key) == []


async def test_a_thread_that_has_ended_takes_nothing(store: Store) -> None:
    """Neither a message nor a phase, nor a thread in one of its messages."""
    _, lease = await with_chapter(store)
    end = ThreadEnd(thread_id="thr_2", state=ThreadState.FAILED, failure_code="UNITS_SPENT")
    await wrote(store, lease, end)
    for write in (
        says(2, "thr_2"),
        phase("x", None, "thr_2"),
        nested("thr_3", "thr_2", "tm_7"),
        end,
    ):
        with pytest.raises(HeartRuleError) as refused:
            await wrote(store, lease, write)
        assert refused.value.reason == "THREAD_ENDED"


async def test_threads_are_eight_deep_at_most(store: Store) -> None:
    """The ninth is refused, and nothing of its checkpoint is written."""
    key, lease, _ = await going_on(store)
    for depth in range(2, DEEPEST_THREAD + 1):
        above = f"thr_{depth - 1}"
        opened = nested(f"thr_{depth}", above, f"tm_{depth}", depth)
        await wrote(store, lease, says(depth, above, number=0), opened)
    deepest = (await store.get_thread(key, f"thr_{DEEPEST_THREAD}")).thread
    assert deepest.depth == DEEPEST_THREAD
    with pytest.raises(HeartRuleError) as refused:
        await wrote(store, lease, nested("thr_9", deepest.thread_id, "tm_9", 9))
    assert refused.value.reason == "THREAD_TOO_DEEP"
    assert await store.paths_of(key, [deepest.thread_id]) == {
        deepest.thread_id: (2, *(0,) * (DEEPEST_THREAD - 1))
    }


async def test_a_worker_that_was_replaced_writes_nothing(store: Store) -> None:
    """Each taking fences the one before it; so does a cancel."""
    key, first, _ = await going_on(store)
    second = (await taken(store, owner="w2")).lease
    with pytest.raises(LeaseLost):
        await wrote(store, first, says(0))
    await wrote(store, second, says(0))
    await store.cancel_run(key, "run_1")
    for writing in (wrote(store, second, says(1)), store.finish_thread(second, well())):
        with pytest.raises(LeaseLost):
            await writing
    assert await said_in(store, key) == ["第 0 句"]


async def test_a_finished_thread_ends_its_run(store: Store) -> None:
    """Its values wait for a turn, as the result of a workflow does; what is nested is cancelled."""
    key, lease = await with_chapter(store)
    await store.finish_thread(lease, well())
    found, inner = await store.get_thread(key, "thr_1"), await store.get_thread(key, "thr_2")
    assert found.thread.state is ThreadState.COMPLETED
    assert (found.thread.values, found.is_shown) == ({"来源": ["a", "b"]}, True)
    assert inner.thread.state is ThreadState.CANCELLED
    assert await said_in(store, key) == [f"{PLAIN}（thr_2）", "第 1 句"]
    (run,) = await store.ended_runs(key)
    assert (run.kind, run.thread_id, run.name) == (RunKind.SUB_AGENT, "thr_1", "researcher")
    assert (run.state, run.landing) == (RunState.COMPLETED, RunLanding.WAITS)


async def test_a_run_is_finished_by_its_own_thread(store: Store) -> None:
    """Another thread's end is refused."""
    _, lease = await with_chapter(store)
    with pytest.raises(NotFound):
        await store.finish_thread(lease, well(thread_id="thr_2"))


async def test_a_run_of_another_kind_has_no_thread(store: Store) -> None:
    """A workflow's worker writes none, and its run ends as ever."""
    key, lease = await working(store)
    with pytest.raises(NotFound):
        await wrote(store, lease, says(0))
    await store.finish_run(lease, WELL)
    assert await store.list_threads(key, Page()) == ([], "")


async def test_calls_of_a_thread_are_in_the_ledger(store: Store) -> None:
    """They name the run and the thread, and no turn."""
    key, lease, _ = await going_on(store)
    await wrote(store, lease, says(0), calls=(call("c1"),), calls_of="thr_1")
    ((made,), _) = await store.list_ledger(key, Page())
    assert (made.run_id, made.thread_id, made.turn_id) == ("run_1", "thr_1", "")
    await wrote(store, lease, calls=(call("c2"),), calls_of="thr_1")
    assert len((await store.list_ledger(key, Page()))[0]) == 2


async def test_threads_are_listed_as_they_were_opened(store: Store) -> None:
    """A page at a time, of an agent, a run, a turn or a state alone."""
    key, _ = await with_chapter(store)
    first, token = await store.list_threads(key, Page(size=1))
    second, rest = await store.list_threads(key, Page(size=1, token=token))
    assert [each.thread.thread_id for each in (*first, *second)] == ["thr_1", "thr_2"]
    assert rest == ""
    for wanted, number in (
        (ThreadFilter(agent="researcher", run_id="run_1"), 2),
        (ThreadFilter(agent="writer"), 0),
        (ThreadFilter(turn_id=first[0].thread.turn_id, state=ThreadState.RUNNING), 2),
        (ThreadFilter(state=ThreadState.FAILED), 0),
    ):
        assert len((await store.list_threads(key, Page(), wanted))[0]) == number


async def test_messages_come_by_page(store: Store) -> None:
    """A page's token is good also once a placeholder was replaced."""
    key, lease = await with_chapter(store)
    (only,), token = await store.list_thread_messages(key, "thr_1", Page(size=1))
    assert only.message.is_placeholder
    end = ThreadEnd(thread_id="thr_2", state=ThreadState.COMPLETED)
    await wrote(store, lease, end, chapter())
    rest, _ = await store.list_thread_messages(key, "thr_1", Page(size=9, token=token))
    assert [each.message.message_id for each in rest] == ["tm_1"]
    (first, *_), _ = await store.list_thread_messages(key, "thr_1", Page())
    assert (first.message.message_id, first.replaces) == ("tm_9", "tm_0")


async def test_a_tree_is_a_thread_and_what_is_below_it(store: Store) -> None:
    """Beside it nothing; another session has none of them."""
    key, lease = await with_chapter(store)
    await wrote(store, lease, says(2), nested("thr_3", "thr_1", "tm_2"))
    await wrote(store, lease, nested("thr_4", "thr_2", "tm_7", 3))
    tree = await store.read_thread_tree(key, "thr_2")
    assert [each.thread.thread_id for each in tree] == ["thr_2", "thr_4"]
    whole = await store.read_thread_tree(key, "thr_1")
    assert [each.thread.thread_id for each in whole] == ["thr_1", "thr_2", "thr_3", "thr_4"]
    with pytest.raises(NotFound):
        await store.read_thread_tree(SessionKey("t", "s9"), "thr_1")
