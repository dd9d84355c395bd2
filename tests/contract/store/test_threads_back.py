"""Threads where turns are taken back, forks are made, sessions are erased, or texts have aged."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.domain.conversation import Message
from heartrule.domain.errors import LeaseLost, NotFound
from heartrule.domain.events import Outcome
from heartrule.domain.keys import SessionKey
from heartrule.domain.threads import ThreadState
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder, SafetyClosing
from session_store.records.runs import RunLease
from tests.support.store_builders import AT_ONCE, accept, begun, last_step, opened, said
from tests.support.store_decisions import turn_with
from tests.support.store_runs import taken
from tests.support.store_safety import raised
from tests.support.store_threads import (
    PLAIN,
    RESULT,
    going_on,
    opening,
    placeholder,
    said_in,
    says,
    texts,
    told_of_threads,
    well,
    wrote,
)

AGAIN: dict[str, Any] = {"text": "再来", "client_message_id": "again"}


async def second_thread(store: Store) -> tuple[SessionKey, RunLease, RunLease, Message]:
    """Lead a session to a second turn, which begins another thread; the first has ended."""
    key, first, _ = await going_on(store)
    await wrote(store, first, says(0))
    await store.finish_thread(first, well())
    announced = placeholder("又在查……")
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    begins = last_step(snapshot, announced, runs_taken_up=("run_1",), **opening(announced, 2))
    await store.commit_step(snapshot.lease, begins)
    second = (await taken(store, "run_2")).lease
    await wrote(store, second, says(0, "thr_2"))
    return key, first, second, announced


async def listed(store: Store, key: SessionKey) -> list[str]:
    """Return the ids of the threads that are listed."""
    return [each.thread.thread_id for each in (await store.list_threads(key, Page()))[0]]


async def test_a_retry_cancels_what_the_turn_began(store: Store) -> None:
    """Its worker is fenced; the thread is in no list, and nothing takes a place (T13)."""
    key, _, second, _ = await second_thread(store)
    told = await store.retry_turn(RetryOrder(key=key, **AGAIN))
    assert await told_of_threads(store, key, told.rewound_sequence) == ["thr_2 cancelled plan"]
    assert await listed(store, key) == ["thr_1"]
    assert (await texts(store, key))[:2] == ["hello", RESULT]
    assert PLAIN not in await texts(store, key)
    with pytest.raises(LeaseLost):
        await wrote(store, second, says(1, "thr_2"))
    found = await store.get_thread(key, "thr_2")
    assert (found.thread.state, found.is_taken_back) == (ThreadState.CANCELLED, True)
    assert await store.paths_of(key, ["thr_1", "thr_2"]) == {"thr_1": (2,)}


async def test_a_retry_keeps_what_took_a_place_before_it(store: Store) -> None:
    """Also where that came about in the turn that is taken back."""
    key, lease, _ = await going_on(store)
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    await store.finish_thread(lease, well())
    await store.commit_step(snapshot.lease, last_step(snapshot, runs_taken_up=("run_1",)))
    told = await store.retry_turn(RetryOrder(key=key, **AGAIN))
    assert told.rewound.state.last_ai_message == RESULT
    assert (await texts(store, key))[:2] == ["hello", RESULT]
    assert (await store.get_session(key)).last_ai_message == RESULT
    assert [each.run_id for each in await store.ended_runs(key)] == ["run_1"]
    (read,) = await store.read_events(key, told.rewound_sequence - 1, 1)
    assert read.body == told.rewound


async def test_a_retry_forgets_a_result_that_waits(store: Store) -> None:
    """A safety level froze the session; its placeholder was taken back with the turn."""
    key, lease = await frozen(store)
    await store.retry_turn(RetryOrder(key=key, **AGAIN))
    await store.close_safety(key, SafetyClosing(operator="ann"))
    snapshot = await begun(store, key)
    done = await store.commit_step(snapshot.lease, last_step(snapshot, said("gut")))
    assert done.shown == ()
    assert await texts(store, key) == ["hello", "re m1", "再来", "gut"]
    assert await store.ended_runs(key) == ()
    with pytest.raises(LeaseLost):
        await wrote(store, lease, says(1))


async def frozen(store: Store) -> tuple[SessionKey, RunLease]:
    """Have the second turn of a session begin a thread, and freeze it; the thread has ended."""
    key = await opened(store)
    await turn_with(store, key, "m1")
    announced = placeholder()
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    begins = last_step(snapshot, announced, safety=raised(), **opening(announced))
    await store.commit_step(snapshot.lease, begins)
    lease = (await taken(store)).lease
    await store.finish_thread(lease, well())
    return key, lease


async def test_a_fork_has_the_threads_that_had_ended(store: Store) -> None:
    """With their messages; of one that ran on the placeholder is closed, and nothing is told."""
    key, _, _, _ = await second_thread(store)
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session.key
    assert await listed(store, fork) == ["thr_1"]
    theirs = await store.read_thread_tree(key, "thr_1")
    assert await store.read_thread_tree(fork, "thr_1") == theirs
    assert await texts(store, fork) == ["hello", RESULT, "hello", PLAIN]
    assert (await store.get_session(fork)).last_ai_message == PLAIN
    assert await told_of_threads(store, fork) == [
        "thr_1 running plan",
        "thr_1.0 第 0 句",
        "thr_1 completed plan",
        f"shown {RESULT}",
        f"shown {PLAIN}",
    ]
    assert await texts(store, key) == ["hello", RESULT, "hello", "又在查……"]


async def test_a_fork_of_an_earlier_turn_stands_as_that_did(store: Store) -> None:
    """A result that came later is not there: the plain text stands in its place."""
    key, lease, _ = await going_on(store)
    first = (await store.get_thread(key, "thr_1")).thread.turn_id
    await store.finish_thread(lease, well())
    second = await turn_with(store, key, "m2")
    early = ForkOrder(source=key, session_id="f1", from_turn_id=first)
    fork = (await store.fork_session(early)).session.key
    assert await texts(store, fork) == ["hello", PLAIN]
    assert await listed(store, fork) == []
    late = ForkOrder(source=key, session_id="f2", from_turn_id=second.turn_id)
    assert await texts(store, (await store.fork_session(late)).session.key) == [
        *("hello", RESULT, "hello", "re m2")
    ]


async def test_a_fork_shows_a_result_that_had_waited(store: Store) -> None:
    """The thread had ended with the turn, and its result waited as the session was frozen."""
    key, _ = await frozen(store)
    await turn_with(store, key, "m3")
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session.key
    assert RESULT not in await texts(store, fork)
    await store.close_safety(fork, SafetyClosing(operator="ann"))
    await turn_with(store, fork, "m4")
    assert (await texts(store, fork))[3] == RESULT


async def test_an_erased_session_has_no_thread(store: Store) -> None:
    """Whoever works on it is fenced."""
    key, lease, _ = await going_on(store)
    await store.delete_session(key)
    with pytest.raises(LeaseLost):
        await wrote(store, lease, says(0))
    with pytest.raises(NotFound):
        await store.get_thread(key, "thr_1")


async def test_texts_of_threads_are_emptied_by_age(store: Store) -> None:
    """Those of ended ones; what took a placeholder's place is the conversation's."""
    key, _, second, _ = await second_thread(store)
    assert [await store.trim_runs(AT_ONCE) for _ in range(2)] == [1, 0]
    (contents,) = await store.read_thread_tree(key, "thr_1")
    assert [each.text for each in contents.messages] == [""]
    emptied = contents.thread
    assert (emptied.request, emptied.result_text, emptied.values) == ({}, "", {})
    assert "thr_1.0 " in await told_of_threads(store, key)
    assert RESULT in await texts(store, key)
    assert await said_in(store, key, "thr_2") == ["第 0 句"]
    await wrote(store, second, says(1, "thr_2"))


async def test_a_result_that_waits_is_not_emptied(store: Store) -> None:
    """It is shown first."""
    key, _ = await frozen(store)
    assert await store.trim_runs(AT_ONCE) == 0
    await store.close_safety(key, SafetyClosing(operator="ann"))
    await turn_with(store, key, "m3")
    assert RESULT in await texts(store, key)
    assert await store.trim_runs(AT_ONCE) == 1


async def test_events_go_with_the_threads_that_they_name(store: Store) -> None:
    """An agent that works on still is cancelled first: no placeholder is left (T10)."""
    key, _, second, _ = await second_thread(store)
    await accept(store, key, "m3")
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, outcome=Outcome.SESSION_COMPLETED))
    assert await store.delete_events(AT_ONCE) == 1
    assert await listed(store, key) == []
    assert await texts(store, key) == ["hello", RESULT, "hello", PLAIN, "hello"]
    with pytest.raises(LeaseLost):
        await wrote(store, second, says(1, "thr_2"))
