"""The load generator: clients who converse over gRPC, one message after the other.

Every client has a connection of its own, waits for its turn to end before its next input, and
checks what it receives: the reply belongs to its message, the drafts joined, where there were any,
are the committed text, sequence numbers rise. One wrong reply ends the benchmark. Commands, as
`lines` carries them:

    {"target": "127.0.0.1:50051", "sessions": 16, "turns": 20, "spread_s": 2.0}

runs 20 turns in each of 16 sessions, which are opened when they are first asked for and begin
spread over 2 s (clients who all send at one moment measure their own queue), and answers
{"seconds": …, "turns": [{"mark": …, "sent": …, "first": …, "ended": …}, …]}. `script` names
another than `bench`. That is a closed loop: a slow server is asked less. With `rate` the loop is
open: messages are due at that many a second whatever becomes of them, each session's in its turn,
and a turn counts from when its message was due. With `deltas` every turn reports when each of its
drafts arrived. `idle` opens that many sessions and streams that say nothing, `hang_up` ends them.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass
from itertools import count

from grpc import aio

from heartrule.v1 import conversation_pb2, event_pb2, script_pb2, session_pb2, turn_pb2
from heartrule.wire.executor_stubs import ExecutorStubs
from tests.benchmarks import workload
from tests.benchmarks.idle import IdleStreams
from tests.benchmarks.lines import Answer, answer_lines, run

TURN_LIMIT_S = 60.0
OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
"""A connection for each client, as there would be."""


class WrongReply(Exception):
    """A client received what it must not receive."""


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """One turn as its client saw it, in seconds of the clock all processes share."""

    mark: str
    sent: float
    first: float
    """The first text of the reply arrived."""
    ended: float
    deltas: list[tuple[int, float]]
    """Characters of the reply that had arrived, and when; empty unless asked for."""


class ReceivedTurn:
    """The events of one turn so far; every rule is checked as soon as possible."""

    def __init__(self, mark: str) -> None:
        """Wait for the answer to a mark."""
        self.first = 0.0
        self.deltas: list[tuple[int, float]] = []
        self._mark = mark
        self._drafts = ""
        self._committed = ""

    def take(self, event: event_pb2.SessionEvent) -> bool:
        """Take the next event; True when the turn has ended."""
        kind = event.WhichOneof("event")
        if kind == "draft_delta":
            self._draft(event.draft_delta)
        elif kind == "message_committed":
            self._committed += "".join(part.text for part in event.message_committed.parts)
            self.first = self.first or time.monotonic()
        elif kind in {"input_rejected", "draft_voided", "going_away"}:
            raise WrongReply(f"{self._mark}: {event}")
        elif kind == "turn_ended" and self._is_mine(event.turn_ended):
            self._check(event.turn_ended)
            return True
        return False

    def _draft(self, delta: turn_pb2.DraftDelta) -> None:
        if delta.at.offset != len(self._drafts):
            raise WrongReply(f"{self._mark}: a draft at {delta.at.offset}, not {len(self._drafts)}")
        now = time.monotonic()
        if delta.text and not self.first:
            self.first = now
        self._drafts += delta.text
        self.deltas.append((len(self._drafts), now))

    def _is_mine(self, ended: turn_pb2.TurnEnded) -> bool:
        mine = [] if self._mark == workload.NO_MARK else [self._mark]
        return list(ended.client_message_ids) == mine

    def _check(self, ended: turn_pb2.TurnEnded) -> None:
        if ended.outcome != turn_pb2.OUTCOME_WAITING:
            raise WrongReply(f"{self._mark}: {ended}")
        expected = workload.reply_text(self._mark)
        # Drafts are sent once or never; where a stream reads the store anew, the message counts.
        drafts = self._drafts or expected
        if not self._committed == drafts == expected:
            raise WrongReply(f"{self._mark}: drafts {self._drafts!r}, text {self._committed!r}")


class Client:
    """One client with one session, one connection and one stream."""

    def __init__(self, target: str) -> None:
        """Connect with the first call."""
        self._channel = aio.insecure_channel(target, options=OPTIONS)
        self._stubs = ExecutorStubs(self._channel)
        self._call = self._stubs.conversation.Converse()
        self._sequence = 0

    async def open(self, script_id: str) -> None:
        """Begin a session and hear its opening turn."""
        started = await self._stubs.session.StartSession(
            session_pb2.StartSessionRequest(script_id=script_id)
        )
        opening = conversation_pb2.OpenConversation(
            session_id=started.session.session_id, after_sequence=0
        )
        await self._call.write(conversation_pb2.ConverseRequest(open=opening))
        await self._until_ended(ReceivedTurn(workload.NO_MARK))

    async def turn(self, mark: str, *, due: float = 0.0, deltas: bool = False) -> TurnTimes:
        """Say something and hear the answer out; time counts from `due`, where it is given."""
        user_input = conversation_pb2.UserInput(client_message_id=mark)
        user_input.parts.add(text=workload.client_text(mark))
        sent = due or time.monotonic()
        await self._call.write(conversation_pb2.ConverseRequest(input=user_input))
        received = ReceivedTurn(mark)
        await self._until_ended(received)
        kept = received.deltas if deltas else []
        return TurnTimes(mark, sent, received.first, time.monotonic(), kept)

    async def publish(self, name: str) -> str:
        """Publish a script of the benchmark and return its id."""
        bundle = script_pb2.ScriptBundle(files={"bench.yaml": workload.script(name).encode()})
        published = await self._stubs.script.PublishScript(
            script_pb2.PublishScriptRequest(bundle=bundle)
        )
        return str(published.script.script_id)

    async def _until_ended(self, received: ReceivedTurn) -> None:
        async with asyncio.timeout(TURN_LIMIT_S):
            while True:
                response = await self._call.read()
                if not isinstance(response, conversation_pb2.ConverseResponse):
                    raise WrongReply(f"the stream ended: {await self._call.details()}")
                event = response.event
                if event.sequence:
                    self._count(event.sequence)
                if received.take(event):
                    return

    def _count(self, sequence: int) -> None:
        if sequence <= self._sequence:
            raise WrongReply(f"sequence {sequence} after {self._sequence}")
        self._sequence = sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What one command asks for."""

    target: str
    sessions: int
    turns: int
    script: str = "bench"
    spread_s: float = 0.0
    """The clients begin spread over this; closed loop."""
    rate: float = 0.0
    """Messages a second over all sessions: open loop; 0: closed."""
    deltas: bool = False
    group: str = ""
    """Sessions of another group are others; in the group `alike`, replies begin alike."""


class Load:
    """All clients so far, by target, number of sessions and script."""

    def __init__(self) -> None:
        """Begin with no client."""
        self._clients: dict[tuple[str, int, str], list[Client]] = {}
        self._numbers = count(1)
        self._idle = IdleStreams()

    async def obey(self, command: Answer) -> Answer:
        """Run the turns of a command and return their times."""
        if "idle" in command:
            await self._idle.open(str(command["target"]), int(str(command["idle"])))
            return {}
        if "hang_up" in command:
            await self._idle.hang_up()
            return {}
        order = Order(**command)  # type: ignore[arg-type]  # whoever asks is this project's
        clients = await self._opened(order)
        began = time.monotonic()
        timed = await asyncio.gather(
            *(self._run(client, order, index, began) for index, client in enumerate(clients))
        )
        seconds = time.monotonic() - began
        return {"seconds": seconds, "turns": [asdict(each) for turns in timed for each in turns]}

    async def _opened(self, order: Order) -> list[Client]:
        """Return the clients of an order; they are kept from one to the next."""
        kept = (order.target, order.sessions, f"{order.script}/{order.group}")
        if kept not in self._clients:
            clients = [Client(order.target) for _ in range(order.sessions)]
            script_id = await clients[0].publish(order.script)
            for client in clients:
                await client.open(script_id)
            self._clients[kept] = clients
        return self._clients[kept]

    async def _run(self, client: Client, order: Order, index: int, began: float) -> list[TurnTimes]:
        gap_s = 1 / order.rate if order.rate else order.spread_s / order.sessions
        timed = []
        for number in range(order.turns):
            due = began + (number * order.sessions + index) * gap_s if order.rate else 0.0
            wait_s = (due or began + index * gap_s) - time.monotonic()
            if wait_s > 0 and (due or not number):
                await asyncio.sleep(wait_s)
            mark = workload.mark_of(next(self._numbers), alike=order.group == workload.ALIKE)
            timed.append(await client.turn(mark, due=due, deltas=order.deltas))
        return timed


async def generate() -> None:
    """Obey commands until standard input ends."""
    print("load listening on standard input:0", flush=True)
    await answer_lines(Load().obey)


if __name__ == "__main__":
    run(generate())
