"""A session with a thread in a message, and one nested in that, as the store keeps them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from heartrule.domain.conversation import Completeness
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.runs import RunKind
from heartrule.domain.threads import (
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)
from session_store.ports import Store
from session_store.records.runs import NO_WORKFLOW, NewRun, RunLease
from session_store.records.threads import (
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadCheckpoint,
    ThreadEnd,
    ThreadRunEnd,
    ThreadWrite,
)
from tests.support.store_builders import accept, begun, last_step, opened, said
from tests.support.store_decisions import made
from tests.support.store_runs import taken

SECRET = "仁爱诊所"
PLAIN = "这次没有结果。"
OUTER = SubThread(
    thread_id="thr_1",
    parent_thread_id="",
    anchor_message_id="ph_1",
    depth=1,
    agent="researcher",
    state=ThreadState.RUNNING,
    settings=ThreadSettings(phase="query", other={"钥匙": SECRET}),
    request={"query": SECRET},
    run_id="run_1",
)
INNER = replace(
    OUTER,
    thread_id="thr_2",
    parent_thread_id="thr_1",
    anchor_message_id="s_1",
    depth=2,
    agent="reader",
    settings=ThreadSettings(phase="read"),
)


@dataclass(frozen=True, slots=True)
class Nested:
    """The session, and the run that works on its threads."""

    store: Store
    key: SessionKey
    lease: RunLease

    async def write(self, *writes: ThreadWrite) -> None:
        """Write a checkpoint."""
        await self.store.checkpoint(self.lease, ThreadCheckpoint(writes=writes))

    async def say(self, thread_id: str, message_id: str, text: str, **changes: Any) -> None:
        """Write a message of a thread."""
        replaces = changes.pop("replaces", "")
        plain = ThreadMessage(message_id=message_id, role=ThreadRole.BOT, text=text)
        message = replace(plain, **changes)
        await self.write(MessageWritten(thread_id=thread_id, message=message, replaces=replaces))

    async def finish(self, text: str = f"在{SECRET}") -> None:
        """End the outermost thread and the run well."""
        end = ThreadEnd(
            thread_id="thr_1",
            state=ThreadState.COMPLETED,
            result_text=text,
            values={"诊所": SECRET},
        )
        await self.store.finish_thread(self.lease, ThreadRunEnd(end=end))


async def nested(store: Store, session_id: str = "s1", tenant: str = DEFAULT_TENANT) -> Nested:
    """Open a session whose first turn says a placeholder, with a thread in it that is worked on.

    Of messages of the conversation that is the third: an opening, an input, the placeholder. In
    the thread a message asks; the second, a placeholder, has a thread nested in it.
    """
    key = await opened(store, session_id, tenant=tenant)
    await accept(store, key, "m1")
    snapshot = await begun(store, key)
    placeholder = said("在查…", message_id="ph_1", completeness=Completeness.PLACEHOLDER)
    run = NewRun(
        run_id="run_1",
        kind=RunKind.SUB_AGENT,
        workflow=NO_WORKFLOW,
        thread_id="thr_1",
        agent="researcher",
        decision_id="dec_1",
        timeout=timedelta(minutes=10),
    )
    thread = replace(OUTER, turn_id=snapshot.turn_id)
    step = last_step(
        snapshot,
        placeholder,
        decisions=(made(),),
        runs=(run,),
        threads=(NewThread(thread=thread, plain_text=PLAIN),),
    )
    await store.commit_step(snapshot.lease, step)
    found = Nested(store, key, (await taken(store)).lease)
    await found.say("thr_1", "s_0", f"请查{SECRET}", role=ThreadRole.USER, phase="query", unit=1)
    await found.say("thr_1", "s_1", "读着…", is_placeholder=True, phase="query", unit=1)
    inner = replace(INNER, turn_id=snapshot.turn_id)
    await found.write(NewThread(thread=inner, plain_text=PLAIN))
    await found.say("thr_2", "i_0", SECRET, meta={"页": 7})
    await found.write(
        SettingsWritten(
            thread_id="thr_1", settings=replace(OUTER.settings, suggested_phase="check")
        )
    )
    return found
