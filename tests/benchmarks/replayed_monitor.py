"""A monitor that costs next to nothing: it repeats what a real one said, its own process.

    python -m tests.benchmarks.replayed_monitor HOST:PORT

The first reports go to the monitor at that address; from then on its answers are given again, one
after the other, as the bytes they were. What a report costs an executor can so be told from what
the monitor itself takes from it on the same cores. Lines on standard input ask:

    {"judged": true}                    how many reports were answered, ever
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import grpc
from grpc import aio

from tests.benchmarks.lines import Answer, answer_lines, run

RECORDED = 32
"""Answers that are asked for; in one of four there is advice."""
THINKS_S = 0.05
"""Until it answers: a model thinks, and no answer comes in the breath in which a turn ends."""
_SERVICE, _METHOD = "heartrule.v1.MonitorService", "AnalyzeAction"


@dataclass(slots=True)
class Replay:
    """The recorded answers, and how many were given."""

    channel: aio.Channel
    judged: int = 0
    _recorded: list[bytes] = field(default_factory=list)
    _again: Iterator[bytes] | None = None

    async def analyze(self, report: bytes, context: object) -> bytes:
        """Ask, until enough is known; then repeat."""
        del context
        if self._again is None:
            answer = await self._ask(report)
        else:
            answer = next(self._again)
            await asyncio.sleep(THINKS_S)
        self.judged += 1
        return answer

    async def _ask(self, report: bytes) -> bytes:
        call: aio.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(
            f"/{_SERVICE}/{_METHOD}"
        )
        answer = await call(report)
        self._recorded.append(answer)
        if len(self._recorded) >= RECORDED:
            self._again = itertools.cycle(self._recorded)
        return answer

    async def obey(self, command: Answer) -> Answer:
        """Answer a line."""
        return {"judged": self.judged} if command.get("judged") else {}


async def serve(target: str) -> None:
    """Listen on a free port, say which, and obey until standard input ends."""
    async with aio.insecure_channel(target) as channel:
        replay = Replay(channel)
        server = aio.server()
        handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(
            replay.analyze
        )
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(_SERVICE, {_METHOD: handler}),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        print(f"replayed monitor listening on 127.0.0.1:{port}", flush=True)
        await answer_lines(replay.obey)
        await server.stop(None)


if __name__ == "__main__":
    run(serve(sys.argv[1]))
