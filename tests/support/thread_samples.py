"""A sample of each event of threads."""

from __future__ import annotations

from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.threads import ThreadRole, ThreadState

OF_THREADS = (
    ThreadChanged(
        thread_id="thr_2",
        parent_thread_id="thr_1",
        anchor_message_id="msg_7",
        depth=2,
        agent="chapter",
        state=ThreadState.FAILED,
        phase="write",
        suggested_phase="check",
        failure_code="TOO_MANY_UNITS",
        run_id="run_1",
    ),
    ThreadMessageAdded(
        thread_id="thr_1",
        message_id="msg_8",
        number=3,
        role=ThreadRole.BOT,
        text="第一章写好了。",
        phase="chapters",
        is_placeholder=True,
        replaces_message_id="msg_7",
        run_id="run_1",
        unit=2,
    ),
)
"""One body of each kind."""
