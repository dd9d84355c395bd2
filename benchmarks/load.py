"""The load generator: clients who converse over gRPC, one message after the other (closed loop).

Every client has a connection of its own, waits for its turn to end before it speaks again, and
checks what it hears: the reply belongs to its message, the drafts joined are the committed text,
sequence numbers rise. One wrong reply ends the benchmark. Commands, as `lines` carries them:

    {"target": "127.0.0.1:50051", "sessions": 16, "turns": 20, "spread_s": 2.0}

runs 20 turns in each of 16 sessions, which are opened when they are first asked for and begin
spread over 2 s (clients who all speak at one moment measure their own queue), and answers
{"seconds": …, "turns": [{"mark": …, "sent": …, "first": …, "ended": …}, …]}. `script` names another
than `bench`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count

from grpc import aio

from benchmarks import workload
from benchmarks.lines import Answer, answer_lines, run
from heartrule.v1 import conversation_pb2, event_pb2, script_pb2, session_pb2, turn_pb2
from heartrule.v1.executor_service_pb2_grpc import ExecutorServiceStub

TURN_LIMIT_S = 60.0
OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
"""A connection for each client, as there would be."""


class WrongReply(Exception):
    """A client heard what it must not hear."""


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """One turn as its client saw it, in seconds of the clock all processes share."""

    mark: str
    sent: float
    first: float
    """The first text of the reply arrived."""
    ended: float


class Heard:
    """What one turn has told so far; every rule is checked as soon as it can be."""

    def __init__(self, mark: str) -> None:
        """Wait for the answer to a mark."""
        self.first = 0.0
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
        elif kind in {"input_rejected", "draft_voided", "going_away"}:
            raise WrongReply(f"{self._mark}: {event}")
        elif kind == "turn_ended" and self._is_mine(event.turn_ended):
            self._check(event.turn_ended)
            return True
        return False

    def _draft(self, delta: turn_pb2.DraftDelta) -> None:
        if delta.at.offset != len(self._drafts):
            raise WrongReply(f"{self._mark}: a draft at {delta.at.offset}, not {len(self._drafts)}")
        if delta.text and not self.first:
            self.first = time.monotonic()
        self._drafts += delta.text

    def _is_mine(self, ended: turn_pb2.TurnEnded) -> bool:
        mine = [] if self._mark == workload.NO_MARK else [self._mark]
        return list(ended.client_message_ids) == mine

    def _check(self, ended: turn_pb2.TurnEnded) -> None:
        if ended.outcome != turn_pb2.OUTCOME_WAITING:
            raise WrongReply(f"{self._mark}: {ended}")
        expected = workload.spoken(self._mark)
        if self._mark == workload.NO_MARK and not self._drafts:
            self._drafts = expected  # a stream that opens late is told the message alone
        if not self._committed == self._drafts == expected:
            raise WrongReply(f"{self._mark}: drafts {self._drafts!r}, text {self._committed!r}")


class Client:
    """One client with one session, one connection and one stream."""

    def __init__(self, target: str) -> None:
        """Connect with the first call."""
        self._channel = aio.insecure_channel(target, options=OPTIONS)
        self._stub = ExecutorServiceStub(self._channel)
        self._call = self._stub.Converse()
        self._sequence = 0

    async def open(self, script_id: str) -> None:
        """Begin a session and hear its opening turn."""
        started = await self._stub.StartSession(
            session_pb2.StartSessionRequest(script_id=script_id)
        )
        opening = conversation_pb2.OpenConversation(
            session_id=started.session.session_id, after_sequence=0
        )
        await self._call.write(conversation_pb2.ConverseRequest(open=opening))
        await self._until_ended(Heard(workload.NO_MARK))

    async def turn(self, mark: str) -> TurnTimes:
        """Say something and hear the answer out."""
        said = conversation_pb2.UserInput(client_message_id=mark)
        said.parts.add(text=workload.client_text(mark))
        sent = time.monotonic()
        await self._call.write(conversation_pb2.ConverseRequest(input=said))
        heard = Heard(mark)
        await self._until_ended(heard)
        return TurnTimes(mark, sent, heard.first, time.monotonic())

    async def publish(self, name: str) -> str:
        """Publish a script of the benchmark and return its id."""
        bundle = script_pb2.ScriptBundle(files={"bench.yaml": workload.script(name).encode()})
        published = await self._stub.PublishScript(script_pb2.PublishScriptRequest(bundle=bundle))
        return str(published.script.script_id)

    async def _until_ended(self, heard: Heard) -> None:
        async with asyncio.timeout(TURN_LIMIT_S):
            while True:
                response = await self._call.read()
                if not isinstance(response, conversation_pb2.ConverseResponse):
                    raise WrongReply(f"the stream ended: {await self._call.details()}")
                event = response.event
                if event.sequence:
                    self._count(event.sequence)
                if heard.take(event):
                    return

    def _count(self, sequence: int) -> None:
        if sequence <= self._sequence:
            raise WrongReply(f"sequence {sequence} after {self._sequence}")
        self._sequence = sequence


class Load:
    """All clients so far, by target, number of sessions and script."""

    def __init__(self) -> None:
        """Begin with no client."""
        self._clients: dict[tuple[str, int, str], list[Client]] = {}
        self._marks = (f"{number:08x}" for number in count(1))

    async def obey(self, command: Answer) -> Answer:
        """Run the turns of a command and return their times."""
        target, sessions = str(command["target"]), int(str(command["sessions"]))
        script = str(command.get("script", "bench"))
        clients = self._clients.get((target, sessions, script))
        if clients is None:
            clients = [Client(target) for _ in range(sessions)]
            script_id = await clients[0].publish(script)
            for client in clients:
                await client.open(script_id)
            self._clients[target, sessions, script] = clients
        turns = int(str(command["turns"]))
        began = time.monotonic()
        gap_s = float(str(command.get("spread_s", 0.0))) / sessions
        told = await asyncio.gather(
            *(
                _run(client, self._marks, turns=turns, after_s=index * gap_s)
                for index, client in enumerate(clients)
            )
        )
        seconds = time.monotonic() - began
        return {"seconds": seconds, "turns": [asdict(each) for turns in told for each in turns]}


async def _run(
    client: Client, marks: Iterator[str], *, turns: int, after_s: float
) -> list[TurnTimes]:
    await asyncio.sleep(after_s)
    return [await client.turn(next(marks)) for _ in range(turns)]


async def generate() -> None:
    """Obey commands until standard input ends."""
    print("load listening on standard input:0", flush=True)
    await answer_lines(Load().obey)


if __name__ == "__main__":
    run(generate())
