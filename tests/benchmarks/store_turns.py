"""Makes the store's calls of whole turns, and nothing else of them."""

from __future__ import annotations

from itertools import count

import orjson

from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import TurnSnapshot
from tests.benchmarks import workload
from tests.benchmarks.prompts import Prompt
from tests.support import store_builders as build

_OWNER = "bench"


class StoreTurns:
    """The turns of one session: all that an executor writes of a one-step turn."""

    def __init__(self, store: Store, key: SessionKey) -> None:
        """Continue a session whose opening turn has ended."""
        self._store = store
        self._key = key
        self._marks = map(workload.mark_of, count(1))
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
        reply = workload.reply_text(mark)
        step = build.last_step(
            begun,
            build.said(reply),
            position=build.at_round(round_ + 1, max_rounds=1_000_000_000),
            result=build.judged(round_, ai_message=reply, metrics=words),
            calls=(build.call(input=self._prompt, output=workload.reply(mark)),),
        )
        await self._store.commit_step(begun.lease, step)
