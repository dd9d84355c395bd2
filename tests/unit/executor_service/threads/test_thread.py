"""The aggregate: what a path leads to, and what each change does (003-3; T2, T4, T8, T11, T13)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from executor_service.threads.thread import Thread
from executor_service.threads.thread_errors import InvalidThreadPath, ThreadFault
from executor_service.threads.thread_nodes import LONGEST_MESSAGE
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.errors import HeartRuleError, NotFound, NotReady, RevisionConflict
from heartrule.domain.thread_changes import ThreadEnd
from heartrule.domain.threads import ThreadRole, ThreadSettings, ThreadState
from tests.support.thread_parts import a_sub_thread, nested, said
from tests.support.thread_rows import ThreadRows

FIRST = MAIN.below(0)
TOO_LONG = "长" * (LONGEST_MESSAGE + 1)
COMPLETED = ThreadEnd(thread_id="", state=ThreadState.COMPLETED, result_text="完成")


def test_a_path_leads_to_its_thread_with_all_that_is_in_it() -> None:
    """003-3.2: whoever has the main thread and a path reaches the sub-thread."""
    thread, path = nested(ThreadRows(), depth=3)
    thread.append(path, said("最里面"))
    found = thread.resolve(path)
    assert (found.thread_id, found.messages[0].text) == ("thread-2", "最里面")
    assert thread.path_of("thread-2") == path


@pytest.mark.parametrize("path", [MAIN.below(5), FIRST.below(0), ThreadPath((-1,)), MAIN.below(1)])
def test_a_path_to_no_thread_is_refused(path: ThreadPath) -> None:
    """T2: a message that is not there, or that has no thread, is NOT_FOUND; nothing is written."""
    thread, _ = nested(ThreadRows())
    thread.append(MAIN, said("没有线程"))
    before = thread.unsaved
    with pytest.raises(NotFound):
        thread.append(path, said("x"))
    assert thread.unsaved == before


def test_a_path_beside_another_threads_id_is_refused() -> None:
    """R19: the id is the truth; a path that leads elsewhere has moved."""
    thread, path = nested(ThreadRows())
    assert thread.resolve(path, "thread-0").thread_id == "thread-0"
    with pytest.raises(RevisionConflict) as refused:
        thread.resolve(path, "thread-of-another-session")
    assert refused.value.reason == "THREAD_MOVED"


def test_messages_count_from_zero_in_each_thread() -> None:
    """R19: a message's number is its place among those that stand in its own thread."""
    thread, path = nested(ThreadRows())
    numbers = [thread.append(path, said(text)).message.number for text in "甲乙丙"]
    assert numbers == [0, 1, 2]
    assert thread.append(MAIN, said("外面")).message.number == 1


def test_a_result_takes_the_placeholders_place() -> None:
    """T8: the placeholder and its result are one message, under the placeholder's id and number."""
    thread, _ = nested(ThreadRows())
    change = thread.replace(MAIN, "placeholder-0", said("结果"))
    (standing,) = thread.messages
    assert (standing.message_id, standing.text, standing.replaced_by) == (
        "placeholder-0", "结果", "结果",
    )  # fmt: skip
    assert (change.message.number, change.replaces) == (0, "placeholder-0")
    assert thread.resolve(FIRST).thread_id == "thread-0"


def test_only_a_placeholder_is_replaced_and_only_once() -> None:
    """T8: a committed message keeps its text."""
    thread, _ = nested(ThreadRows())
    thread.replace(MAIN, "placeholder-0", said("结果"))
    with pytest.raises(ThreadFault) as refused:
        thread.replace(MAIN, "placeholder-0", said("另一个"))
    assert refused.value.reason == "NOT_A_PLACEHOLDER"


def test_a_message_with_a_running_thread_stays() -> None:
    """T11: the ancestors of a running thread cannot be removed."""
    thread, path = nested(ThreadRows(), depth=2)
    with pytest.raises(NotReady) as refused:
        thread.remove(MAIN, "placeholder-0")
    assert refused.value.reason == "THREAD_RUNNING"
    assert thread.resolve(path).thread_id == "thread-1"


def test_threads_behind_a_removed_message_are_found_at_their_new_place() -> None:
    """T11: the path of a thread moves when a message before it goes; its id and messages do not."""
    thread = Thread("main", ThreadSettings(phase="talking"))
    thread.append(MAIN, said("早先"))
    thread.append(MAIN, said("占位", is_placeholder=True))
    thread.nest(MAIN, "占位", a_sub_thread("thread-7"))
    thread.append(MAIN.below(1), said("里面"))
    thread.remove(MAIN, "早先")
    assert thread.path_of("thread-7") == FIRST
    assert thread.resolve(FIRST, "thread-7").messages[0].text == "里面"
    with pytest.raises(NotFound):
        thread.resolve(MAIN.below(1))


def test_a_removed_message_takes_its_ended_threads_along() -> None:
    """T11: what was nested in a message is gone with it."""
    thread, _ = nested(ThreadRows(), depth=2)
    thread.finish(FIRST, COMPLETED)
    thread.remove(MAIN, "placeholder-0")
    assert (thread.messages, thread.sub_threads()) == ((), ())


def test_a_retry_restores_the_phase_and_cuts_what_came_later() -> None:
    """T13: each user message remembers its phase; going back to it drops the suggestion too."""
    thread = Thread("main", ThreadSettings(phase="later", suggested_phase="latest"))
    thread.append(MAIN, said("问题", ThreadRole.USER, phase="asked"))
    thread.append(MAIN, said("占位", is_placeholder=True))
    thread.nest(MAIN, "占位", a_sub_thread("thread-1"))
    with pytest.raises(NotReady):
        thread.cut(MAIN, "问题")
    thread.finish(ThreadPath.parse("messages.1.meta._thread"), COMPLETED)
    assert thread.cut(MAIN, "问题").settings == ThreadSettings(phase="asked")
    assert ([each.text for each in thread.messages], thread.sub_threads()) == (["问题"], ())


def test_an_ended_thread_never_changes_again() -> None:
    """T10: what ended is ended; what ran inside it is cancelled with it."""
    thread, path = nested(ThreadRows(), depth=2)
    thread.finish(FIRST, COMPLETED)
    states = [each.state for each in thread.sub_threads()]
    assert states == [ThreadState.COMPLETED, ThreadState.CANCELLED]
    for write in (lambda: thread.append(path, said("x")), lambda: thread.finish(FIRST, COMPLETED)):
        with pytest.raises(NotReady) as refused:
            write()
        assert refused.value.reason == "THREAD_ENDED"


async def test_one_task_at_a_time_works_on_a_thread() -> None:
    """T12: a second task for the same thread is refused; for another one it is not."""
    thread, path = nested(ThreadRows())
    with thread.at_work(path):
        await asyncio.sleep(0)
        with thread.at_work(MAIN):
            pass
        with pytest.raises(NotReady) as refused, thread.at_work(path):
            pass
    assert refused.value.reason == "THREAD_BUSY"


def test_threads_are_nested_eight_deep_at_most() -> None:
    """T1: the ninth level is refused where it would be opened."""
    thread, path = nested(ThreadRows(), depth=8)
    thread.append(path, said("第九层"))
    with pytest.raises(InvalidThreadPath):
        thread.nest(path, "第九层", a_sub_thread("thread-9"))


@pytest.mark.parametrize(
    ("write", "reason"),
    [
        (lambda thread: thread.append(MAIN, said("placeholder-0")), "THREAD_MESSAGE_ID_REUSED"),
        (
            lambda thread: thread.append(MAIN, said(TOO_LONG)),
            "MESSAGE_TOO_LONG",
        ),
        (lambda thread: thread.nest(MAIN, "placeholder-0", a_sub_thread("x")), "THREAD_EXISTS"),
        (lambda thread: thread.nest(MAIN, "nowhere", a_sub_thread("x")), "MESSAGE_NOT_FOUND"),
        (lambda thread: thread.remove(MAIN, "nowhere"), "MESSAGE_NOT_FOUND"),
        (lambda thread: thread.cut(MAIN, "placeholder-0"), "NOT_A_USERS_MESSAGE"),
        (lambda thread: thread.sub_thread("of another tenant"), "THREAD_NOT_FOUND"),
        (lambda thread: thread.finish(MAIN, COMPLETED), "THREAD_NOT_FOUND"),
    ],
)
def test_a_wrong_change_is_refused_and_nothing_is_written(
    write: Callable[[Thread], object], reason: str
) -> None:
    """T2: whatever is wrong about a change has its own reason."""
    thread, _ = nested(ThreadRows())
    with pytest.raises(HeartRuleError) as refused:
        write(thread)
    assert refused.value.reason == reason
    assert (thread.unsaved, len(thread.messages)) == ((), 1)


def test_rows_give_the_same_thread_in_any_order() -> None:
    """T4: the aggregate of stored rows is the one they were written from; strays are left out."""
    rows = ThreadRows()
    thread, path = nested(rows, depth=3)
    thread.replace(path.__class__(path.numbers[:2]), "placeholder-2", said("结果"))
    for change in thread.unsaved:
        rows.apply(change)
    rows.headers = dict(reversed(rows.headers.items()))
    stray = replace(a_sub_thread("stray"), anchor_message_id="nowhere")
    rows.headers["stray"], rows.messages["stray"] = stray, []
    rows.settings["stray"] = stray.settings
    again = rows.restored()
    assert [again.resolve(ThreadPath((0,) * n)) for n in range(4)] == [
        thread.resolve(ThreadPath((0,) * n)) for n in range(4)
    ]
    assert len(again.sub_threads()) == 3
