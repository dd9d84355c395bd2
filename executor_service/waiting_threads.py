"""Where a turn is that waits for a thread: what a position says of it."""

from __future__ import annotations

from dataclasses import replace

from executor_service.threads.thread_path import ThreadPath
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.threads import ThreadState
from session_store.ports import Store
from session_store.records import Page, SessionRecord
from session_store.records.threads import ThreadFilter

_FEW = Page(size=100)


async def position_with_thread(store: Store, record: SessionRecord) -> ExecutionPosition:
    """Return a session's position; while a turn waits for a thread it has the thread's path.

    A session without a running turn waits for none, and nothing is read.
    """
    if not record.running_turn_id:
        return record.position
    wanted = ThreadFilter(turn_id=record.running_turn_id, state=ThreadState.RUNNING)
    found, _ = await store.list_threads(record.key, _FEW, wanted)
    outermost = [each.thread.thread_id for each in found if not each.thread.parent_thread_id]
    paths = await store.paths_of(record.key, outermost[-1:]) if outermost else {}
    path = next((str(ThreadPath(tuple(each))) for each in paths.values()), "")
    return replace(record.position, thread_path=path)
