"""The store's work of turns and nothing else: `python -m tests.benchmarks.store_alone OURS FLOOR`.

Both are addresses of databases. It answers lines of JSON on standard input:

    {"which": "ours", "turns": 50}      milliseconds of this process's CPU per turn

`ours` are the calls of a one-step turn with everything the executor writes of one (input, message,
result, position, model call with its prompt); `floor` is the same of the floor, on plain drivers.
"""

from __future__ import annotations

import sys
import time
from itertools import count

import orjson

from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.keys import SessionKey
from session_store.open import open_store
from session_store.ports import Store
from session_store.records import TurnSnapshot
from tests.benchmarks import workload
from tests.benchmarks.floor_store import FloorStore, open_floor
from tests.benchmarks.lines import Answer, answer_lines, run
from tests.benchmarks.prompts import Prompt
from tests.support import store_builders as build

_OWNER = "bench"


class Ours:
    """Turns of one session on our store."""

    def __init__(self, store: Store, key: SessionKey) -> None:
        """Go on after the opening turn."""
        self._store = store
        self._key = key
        self._marks = (f"{number:08x}" for number in count(1))
        self._prompt = orjson.dumps(Prompt().messages("turn", [], "x" * 9_000, 1)).decode()

    async def turn(self) -> None:
        """Accept and begin, then commit the step that ends the turn."""
        mark = next(self._marks)
        said = build.user_input(mark, workload.client_text(mark))
        _, begun = await self._store.accept_and_begin(self._key, said, owner=_OWNER, ttl=build.LONG)
        assert isinstance(begun, TurnSnapshot), begun
        round_ = begun.position.current_round
        words = ActionMetrics(information_completeness="知道醒得早", user_engagement="愿意谈",
                              emotional_intensity="平静", reply_relevance="直接回答")  # fmt: skip
        spoken = workload.spoken(mark)
        step = build.last_step(
            begun,
            build.said(spoken),
            position=build.at_round(round_ + 1, max_rounds=1_000_000_000),
            result=build.judged(round_, ai_message=spoken, metrics=words),
            calls=(build.call(input=self._prompt, output=workload.reply(mark)),),
        )
        await self._store.commit_step(begun.lease, step)


class Bare:
    """Turns of one session on plain drivers."""

    def __init__(self, store: FloorStore) -> None:
        """Go on after the opening turn."""
        self._store = store
        self._marks = (f"{number:08x}" for number in count(1))

    async def turn(self) -> None:
        """Accept, then commit."""
        store, mark = self._store, next(self._marks)
        await store.run(store.accept, "bare", mark, workload.client_text(mark))
        text = workload.spoken(mark)
        await store.run(store.commit, "bare", f"msg_{mark}", text, b'{"round":1}')


async def serve(address: str, bare: str) -> None:
    """Open both databases and obey until standard input ends."""
    store, floor = open_store(address), open_floor(bare)
    await store.start()
    ours, plain = Ours(store, await build.opened(store)), Bare(floor)
    await floor.run(floor.begin, "bare")

    async def obey(command: Answer) -> Answer:
        one = ours.turn if command["which"] == "ours" else plain.turn
        turns = int(str(command["turns"]))
        began = time.process_time()
        for _ in range(turns):
            await one()
        return {"cpu_ms": 1000 * (time.process_time() - began) / turns}

    print("store listening on standard input:0", flush=True)
    await answer_lines(obey)
    await store.aclose()


if __name__ == "__main__":
    run(serve(*sys.argv[1:]))
