"""Builders for sub-threads in the store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from heartrule.domain.conversation import Completeness, Message
from heartrule.domain.events import MessageCommitted
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeFailure, RunErrorCode, RunKind
from heartrule.domain.thread_changes import (
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadEnd,
    ThreadWrite,
)
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.threads import (
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)
from session_store.ports import Store
from session_store.records import Page, StepCommit, TurnSnapshot
from session_store.records.runs import NO_WORKFLOW, NewRun, RunLease, RunWritten
from session_store.records.threads import ThreadCheckpoint, ThreadRunEnd
from tests.support.store_builders import accept, begun, last_step, opened, said, step
from tests.support.store_runs import taken

PLAIN = "这次没能查到，请稍后再试。"
"""What takes a placeholder's place where its thread does not end well."""
RESULT = "查到三条。"
TIMED_OUT = NodeFailure(code=RunErrorCode.RUN_TIMEOUT, message="too late", is_retryable=False)


def placeholder(text: str = "正在查……", **changes: Any) -> Message:
    """Return an assistant's message that announces a result."""
    return said(text, completeness=Completeness.PLACEHOLDER, **changes)


def thread(thread_id: str = "thr_1", anchor: str = "", **changes: Any) -> SubThread:
    """Return a thread that is opened in a message of the conversation."""
    plain = SubThread(
        thread_id=thread_id,
        parent_thread_id="",
        anchor_message_id=anchor,
        depth=1,
        agent="researcher",
        state=ThreadState.RUNNING,
        settings=ThreadSettings(phase="plan"),
        request={"query": "失眠"},
        run_id="run_1",
    )
    return replace(plain, **changes)


def agent_run(run_id: str = "run_1", thread_id: str = "thr_1", **changes: Any) -> NewRun:
    """Return a run of the builders' sub-agent."""
    plain = NewRun(
        run_id=run_id,
        kind=RunKind.SUB_AGENT,
        workflow=NO_WORKFLOW,
        thread_id=thread_id,
        agent="researcher",
        decision_id="dec_1",
        inputs={"goal": "睡好"},
        timeout=timedelta(minutes=10),
        priority=10,
    )
    return replace(plain, **changes)


def opening(anchor: Message, number: int = 1, **changes: Any) -> dict[str, Any]:
    """Return what a step has that begins a sub-agent on a message."""
    run_id, thread_id = f"run_{number}", f"thr_{number}"
    new = thread(thread_id, anchor.message_id, run_id=run_id)
    return {
        "threads": (NewThread(thread=new, plain_text=PLAIN),),
        "runs": (agent_run(run_id, thread_id, **changes),),
    }


async def spawned(
    store: Store, session_id: str = "s1", **changes: Any
) -> tuple[SessionKey, TurnSnapshot, Message]:
    """Open a session whose first turn has begun a sub-agent and goes on."""
    key = await opened(store, session_id)
    await accept(store, key, "m1")
    snapshot, announced = await begun(store, key), placeholder()
    begins = step(snapshot, announced, inputs_consumed=True, **opening(announced, **changes))
    await store.commit_step(snapshot.lease, begins)
    return key, snapshot, announced


async def going_on(
    store: Store, session_id: str = "s1", **changes: Any
) -> tuple[SessionKey, RunLease, Message]:
    """Open a session whose turn has begun a sub-agent and is over; a worker has the run."""
    key, snapshot, announced = await spawned(store, session_id, **changes)
    await store.commit_step(snapshot.lease, over(snapshot, announced))
    return key, (await taken(store)).lease, announced


def over(snapshot: TurnSnapshot, *earlier: Message, **changes: Any) -> StepCommit:
    """Return the turn's last step, after steps that committed these."""
    plain = last_step(snapshot)
    assert plain.end is not None
    ids = tuple(each.message_id for each in earlier)
    return replace(plain, end=replace(plain.end, message_ids=ids), **changes)


def spoken(number: int, text: str = "", **changes: Any) -> ThreadMessage:
    """Return a message of a thread."""
    plain = ThreadMessage(
        message_id=f"tm_{number}",
        number=number,
        role=ThreadRole.USER if number % 2 == 0 else ThreadRole.BOT,
        text=text or f"第 {number} 句",
        phase="plan",
        unit=number // 2 + 1,
    )
    return replace(plain, **changes)


async def wrote(store: Store, lease: RunLease, *writes: ThreadWrite, **more: Any) -> RunWritten:
    """Write a checkpoint."""
    return await store.checkpoint(lease, ThreadCheckpoint(writes=writes, **more))


def says(name: int, thread_id: str = "thr_1", **changes: Any) -> MessageWritten:
    """Return the write of a message at the end of a thread; its number may be another."""
    return MessageWritten(thread_id=thread_id, message=replace(spoken(name), **changes))


def phase(name: str, suggested: str | None = None, thread_id: str = "thr_1") -> SettingsWritten:
    """Return the write of a thread's phase, or of what is suggested."""
    settings = ThreadSettings(phase=name, suggested_phase=suggested)
    return SettingsWritten(thread_id=thread_id, settings=settings)


def nested(thread_id: str, parent: str, anchor: str, depth: int = 2) -> NewThread:
    """Return a thread that is opened in a message of another."""
    inner = thread(thread_id, anchor, parent_thread_id=parent, depth=depth, request={})
    return NewThread(thread=inner, plain_text=f"{PLAIN}（{thread_id}）")


def well(text: str = RESULT, **changes: Any) -> ThreadRunEnd:
    """Return the good end of the outermost thread, and its run."""
    end = ThreadEnd(
        thread_id="thr_1",
        state=ThreadState.COMPLETED,
        result_text=text,
        values={"来源": ["a", "b"]},
    )
    return ThreadRunEnd(end=replace(end, **changes))


def timed_out() -> ThreadRunEnd:
    """Return the end of a thread whose time was over."""
    end = ThreadEnd(thread_id="thr_1", state=ThreadState.CANCELLED, failure_code="RUN_TIMEOUT")
    return ThreadRunEnd(end=end, failure=TIMED_OUT)


async def texts(store: Store, key: SessionKey) -> list[str]:
    """Return the texts of the conversation as a client lists it, but for its opening."""
    (_, *found), _ = await store.list_messages(key, Page(size=99))
    return [each.plain_text() for each in found]


async def said_in(store: Store, key: SessionKey, thread_id: str = "thr_1") -> list[str]:
    """Return the texts that stand in a thread."""
    found, _ = await store.list_thread_messages(key, thread_id, Page(size=99))
    return [each.message.text for each in found]


async def told_of_threads(store: Store, key: SessionKey, after: int = 0) -> list[str]:
    """Return what a session told of threads and results, a few words for each."""
    events = await store.read_events(key, after, 5_000)
    return [line for each in events if (line := _words(each.body))]


def _words(body: object) -> str:
    match body:
        case ThreadChanged():
            suggested = f" ?{body.suggested_phase}" if body.suggested_phase else ""
            return f"{body.thread_id} {body.state} {body.phase}{suggested}"
        case ThreadMessageAdded():
            taking = f" for {body.replaces_message_id}" if body.replaces_message_id else ""
            return f"{body.thread_id}.{body.number} {body.text}{taking}"
        case MessageCommitted(message=message) if message.replaces_message_id:
            return f"shown {message.plain_text()}"
        case _:
            return ""
