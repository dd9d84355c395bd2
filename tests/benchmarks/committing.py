"""Turns on a store alone: `python -m tests.benchmarks.committing POSTGRESQL`.

It answers lines of JSON on standard input:

    {"sessions": 8, "seconds": 5, "announce": true}     turns that were committed in that time
"""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from typing import Any

from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from session_store.open import open_store
from session_store.ports import Store
from session_store.records import TurnSnapshot
from tests.benchmarks.lines import Answer, answer_lines, run
from tests.support import store_builders as build


async def turns_of(store: Store, key: SessionKey, until: float) -> int:
    """Run turns of one session, two transactions each, and return how many were committed."""
    for done in count():
        if time.monotonic() > until:
            return done
        sent = build.user_input(new_id("in"), "words of a client")
        _, begun = await store.accept_and_begin(key, sent, owner="bench", ttl=build.LONG)
        assert isinstance(begun, TurnSnapshot), begun
        step = build.last_step(begun, build.said("words of an answer"), position=begun.position)
        await store.commit_step(begun.lease, step)
    raise AssertionError("count ends")


async def serve(address: str) -> None:
    """Open the store and obey until standard input ends."""
    store = open_store(address)
    await store.start()
    engine: Any = store._engine
    announcer = engine._connections.announcer
    announce, keys = announcer.announce, list[SessionKey]()

    async def obey(command: Answer) -> Answer:
        sessions, seconds = int(str(command["sessions"])), float(str(command["seconds"]))
        while len(keys) < sessions:
            keys.append(await build.opened(store, new_id("s")))
        announcer.announce = announce if command["announce"] else lambda _changes: None
        until = time.monotonic() + seconds
        done = await asyncio.gather(*(turns_of(store, key, until) for key in keys[:sessions]))
        return {"turns": sum(done)}

    print("store listening on standard input:0", flush=True)
    await answer_lines(obey)
    await store.aclose()


if __name__ == "__main__":
    run(serve(sys.argv[1]))
