"""Tasks, responses and the repository (003-3.1, 003-4.2, 003-6; RESOLUTIONS T4, T9, T18, T20)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.threads.task import Response, Task, TaskMeta, require_sub_thread_path
from executor_service.threads.thread_errors import InvalidThreadPath, ThreadFault
from executor_service.threads.thread_path import MAIN
from executor_service.threads.thread_repository import MessageUpdate, require_main_thread
from heartrule.domain.errors import RevisionConflict
from heartrule.domain.ids import new_id
from heartrule.domain.threads import ThreadSettings
from tests.support.thread_parts import nested, said, task_at
from tests.support.thread_rows import ThreadRows, WorkerDied


def test_an_extracted_thread_is_no_main_thread() -> None:
    """003-3.1, 003-11.1, R23: where a thread is due, a sub-thread is refused."""
    thread, path = nested(ThreadRows())
    assert require_main_thread(thread) is thread
    wrong_ones: tuple[object, ...] = (thread.resolve(path), thread.sub_thread("thread-0"), {}, None)
    for wrong in wrong_ones:
        with pytest.raises(ThreadFault) as refused:
            require_main_thread(wrong)
        assert refused.value.reason == "NOT_MAIN_THREAD"


def test_a_sub_threads_task_names_its_path() -> None:
    """003-3.1, R23: the path travels in the task's meta, and is required there."""
    rows = ThreadRows()
    thread, path = nested(rows)
    assert require_sub_thread_path(task_at(path, rows.host(thread))) == path
    with pytest.raises(ThreadFault) as refused:
        require_sub_thread_path(task_at(MAIN, rows.host(thread)))
    assert refused.value.reason == "MISSING_PATH"


def test_a_task_with_a_bad_path_has_no_thread() -> None:
    """T2: the text of a path is read where it is used, and a bad one is an error."""
    rows = ThreadRows()
    thread, path = nested(rows)
    task = task_at(path, rows.host(thread))
    with pytest.raises(InvalidThreadPath):
        _ = replace(task, meta=TaskMeta(sub_thread_path="messages.0.meta")).path
    with pytest.raises(RevisionConflict):
        replace(task, meta=replace(task.meta, thread_id="thread-9")).thread_id(thread)


def test_a_request_is_carried_whole() -> None:
    """T18: a request is the task's message with all that came beside it."""
    rows = ThreadRows()
    task = task_at(MAIN, rows.host(rows.restored()), "写一篇文章", other={"tone": "warm"})
    assert task.request() == {"text": "写一篇文章", "meta": {"tone": "warm"}}


def test_an_added_task_is_about_the_same_thread() -> None:
    """003-7.1: a next task stays in the thread of the one that added it."""
    rows = ThreadRows()
    thread, path = nested(rows)
    first, host = task_at(path, rows.host(thread), thread_id="thread-0"), rows.host(thread)
    added = first.following(Task(name="next", message="然后", host_utils=host))
    assert (added.path, added.meta.thread_id, added.message) == (path, "thread-0", "然后")


def test_the_skip_flag_keeps_the_rest_of_the_meta() -> None:
    """003-6.3, T20: one method merges the flag into the response's meta."""
    response = Response("好", meta={"tone": "warm"})
    assert not response.skips_bot_message
    response.skip_bot_message_creation()
    assert response.meta == {"tone": "warm", "skipBotMessageCreation": True}
    assert response.skips_bot_message


async def test_what_changed_is_written_together_and_once() -> None:
    """003-6.2, T4: one save is one transaction, and a second one has nothing to write."""
    rows = ThreadRows()
    thread, path = nested(rows)
    repository = rows.host(thread).thread_repository
    thread.append(path, said("甲"))
    repository.update_thread_settings(thread, ThreadSettings(phase="next"), path)
    await repository.save_thread(thread)
    await repository.save_thread(thread)
    assert [len(batch) for batch in rows.batches] == [2]
    assert repository.get_thread_settings("thread-0") == ThreadSettings(phase="next")
    assert rows.restored().resolve(path) == thread.resolve(path)


async def test_what_could_not_be_written_is_still_unsaved() -> None:
    """003-6.2: a write that failed takes nothing from what is to be written."""
    rows = ThreadRows()
    thread, path = nested(rows)
    thread.append(path, said("甲"))
    rows.dies_before = 1
    with pytest.raises(WorkerDied):
        await rows.host(thread).thread_repository.save_thread(thread)
    assert (len(thread.unsaved), rows.batches) == (1, [])


def test_a_second_copy_of_a_thread_is_refused() -> None:
    """T4: one thread is one object; a repository writes no other."""
    rows = ThreadRows()
    thread, _ = nested(rows)
    repository = rows.host(thread).thread_repository
    with pytest.raises(ThreadFault) as refused:
        repository.update_thread_settings(rows.restored(), ThreadSettings(phase="x"))
    assert refused.value.reason == "NOT_MAIN_THREAD"


def test_a_message_is_updated_in_its_place() -> None:
    """003-6.2, T8: `update_message` puts in a result, or the line that closes with a failure."""
    rows = ThreadRows()
    thread, _ = nested(rows)
    update = MessageUpdate(text="没有做成")
    rows.host(thread).thread_repository.update_message(thread, "placeholder-0", update)
    assert thread.messages[0].text == "没有做成"


def test_ids_are_unique_within_one_moment() -> None:
    """T9: an id rests on chance and never on the clock alone."""
    made = {new_id("thread") for _ in range(2_000)}
    assert len(made) == 2_000
