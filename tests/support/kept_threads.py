"""A session with a thread in a message, and one nested in that, as the store keeps them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.thread_changes import NewThread, SettingsWritten, ThreadWrite
from heartrule.domain.threads import ThreadSettings
from session_store.ports import Store
from session_store.records.runs import RunLease
from tests.support.store_builders import accept, begun, instance, last_step, opened
from tests.support.store_decisions import made
from tests.support.store_runs import taken
from tests.support.store_threads import (
    PLAIN,
    agent_run,
    nested,
    placeholder,
    says,
    thread,
    well,
    wrote,
)

SECRET = "仁爱诊所"
SETTINGS = ThreadSettings(phase="query", suggested_phase="check", other={"钥匙": SECRET})
MAIN_SETTINGS = {"briefStatus": {"phase": "execute"}, "_phaseUpdateSuggestion": {"phase": "end"}}
"""What the agent of the main thread remembers."""


@dataclass(frozen=True, slots=True)
class Nested:
    """The session, and the run that works on its threads."""

    store: Store
    key: SessionKey
    lease: RunLease

    async def write(self, *writes: ThreadWrite) -> None:
        """Write a checkpoint."""
        await wrote(self.store, self.lease, *writes)

    async def say(self, number: int, text: str, thread_id: str = "thr_2", **changes: Any) -> None:
        """Write a message of a thread."""
        replaces = changes.pop("replaces", "")
        named = {"message_id": f"{thread_id}.{number}", "text": text, **changes}
        await self.write(replace(says(number, thread_id, **named), replaces=replaces))

    async def finish(self, text: str = f"在{SECRET}") -> None:
        """End the outermost thread and the run well."""
        await self.store.finish_thread(self.lease, well(text, values={"诊所": SECRET}))


async def with_threads(store: Store) -> Nested:
    """Open a session whose first turn says a placeholder, with a thread that is worked on.

    Of messages of the conversation that is the third: a question, an input, the placeholder. In
    the thread one asks; the second, a placeholder, has a thread of one message nested in it.
    """
    key = await opened(store, tenant=DEFAULT_TENANT)
    await accept(store, key, "m1")
    snapshot = await begun(store, key)
    outer = thread(anchor="ph_1", settings=SETTINGS, request={"query": SECRET})
    begins = last_step(
        snapshot,
        placeholder("在查…", message_id="ph_1"),
        instances=(instance(action_type="ai_agent", memory={"settings": MAIN_SETTINGS}),),
        decisions=(made(),),
        runs=(agent_run(),),
        threads=(NewThread(thread=outer, plain_text=PLAIN),),
    )
    await store.commit_step(snapshot.lease, begins)
    at = Nested(store, key, (await taken(store)).lease)
    await at.say(0, f"请查{SECRET}", "thr_1")
    await at.say(1, "读着…", "thr_1", is_placeholder=True)
    inner = nested("thr_2", "thr_1", "thr_1.1")
    reads = replace(inner.thread, agent="reader", settings=ThreadSettings(phase="read"))
    await at.write(
        replace(inner, thread=reads), SettingsWritten(thread_id="thr_1", settings=SETTINGS)
    )
    await at.say(0, SECRET, meta={"页": 7})
    return at
