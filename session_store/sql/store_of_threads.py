"""The store of sub-threads; `session_store.thread_port` has what each call promises."""

from __future__ import annotations

from session_store.sql.bound import OfEngine, reads, writes
from session_store.sql.sessions.events import was_emitted
from session_store.sql.threads import checkpoints, main_thread, reading, thread_paths


class SqlThreadStore(OfEngine):
    """What ThreadStore promises."""

    checkpoint = writes(
        checkpoints.checkpoint,
        proof=lambda db, done, lease, *_: was_emitted(db, lease.key, done.events),
    )
    finish_thread = writes(
        checkpoints.finish_thread,
        proof=lambda db, done, lease, *_: was_emitted(db, lease.key, done.events),
    )

    get_thread = reads(reading.get_thread)
    list_threads = reads(reading.list_threads)
    list_thread_messages = reads(reading.list_thread_messages)
    read_run_threads = reads(reading.read_run_threads)
    read_thread_tree = reads(reading.read_thread_tree)
    threads_waiting = reads(reading.threads_waiting)
    thread_at = reads(thread_paths.thread_at)
    paths_of = reads(thread_paths.paths_of)
    list_main_messages = reads(main_thread.list_main_messages)
