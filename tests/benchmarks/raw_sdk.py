"""The raw path of the SDK: clients of the model with nothing of ours between. `raw_sdk MODEL`.

It obeys the load generator's commands, so a block of it is one like any other: one request after
the other in each session, the prompt a full window long, and a turn's first text is the first that
a client could be shown.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count

import orjson
from openai import AsyncOpenAI, DefaultAioHttpClient

from tests.benchmarks import workload
from tests.benchmarks.lines import Answer, answer_lines, run
from tests.benchmarks.load import Order, TurnTimes, WrongReply
from tests.benchmarks.prompts import Content, Prompt, Window

_WINDOW: Window = [
    (role, workload.client_text("0" * 8) if role == "user" else workload.reply_text("0" * 8))
    for _ in range(15)
    for role in ("user", "assistant")
]


class Raw:
    """Asks the model itself."""

    def __init__(self, model: str) -> None:
        """Use one client for all sessions."""
        self._client = AsyncOpenAI(
            base_url=model, api_key="none", max_retries=0, http_client=DefaultAioHttpClient()
        )
        self._prompt = Prompt()
        self._marks: Iterator[str] = map(workload.mark_of, count(1))

    async def obey(self, command: Answer) -> Answer:
        """Run the turns of a command at its rate and return their times."""
        order = Order(**command)  # type: ignore[arg-type]  # whoever asks is this project's
        began = time.monotonic()
        timed = await asyncio.gather(
            *(self._run(order, index, began) for index in range(order.sessions))
        )
        seconds = time.monotonic() - began
        return {"seconds": seconds, "turns": [asdict(each) for turns in timed for each in turns]}

    async def _run(self, order: Order, index: int, began: float) -> list[TurnTimes]:
        timed = []
        for number in range(order.turns):
            due = time.monotonic()
            if order.rate:
                due = began + (number * order.sessions + index) / order.rate
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            timed.append(await self._turn(next(self._marks), due))
        return timed

    async def _turn(self, mark: str, due: float) -> TurnTimes:
        words = workload.client_text(mark)
        body = {"messages": self._prompt.messages("turn", _WINDOW, words, 15)}
        content, first, rest = Content(), 0.0, b""
        async with self._client.chat.completions.with_streaming_response.create(
            model="bench", messages=[], stream=True, extra_body=body
        ) as response:
            async for data in response.iter_bytes():
                *events, rest = (rest + data).split(b"\n\n")
                found = (orjson.loads(e[6:])["choices"] for e in events if e != b"data: [DONE]")
                text = "".join(c[0]["delta"].get("content", "") for c in found if c)
                if text and content.feed(text) and not first:
                    first = time.monotonic()
        if content.shown != workload.reply_text(mark):
            raise WrongReply(f"{mark}: {content.shown!r}")
        return TurnTimes(mark, due, first, time.monotonic(), [])


async def serve(model: str) -> None:
    """Obey commands until standard input ends."""
    print("raw listening on standard input:0", flush=True)
    await answer_lines(Raw(model).obey)


if __name__ == "__main__":
    run(serve(sys.argv[1]))
