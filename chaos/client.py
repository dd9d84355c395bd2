"""A client as the documents tell one to be: it retries by client_message_id, resumes by sequence.

It writes down everything it said and was told. What it meets is only what the contract promises: a
stream that ends is opened anew, elsewhere where a server said that it goes; a turn that failed
retryably is asked for again with the same id.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from grpc import aio

from chaos.history import GaveUp, Heard, History, ReadBack, Sent, StreamEnded, StreamOpened, now
from heartrule.domain.events import (
    GoingAway,
    InputAccepted,
    InputRejected,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from heartrule.domain.problem import Problem
from heartrule.v1 import conversation_pb2, script_pb2, session_pb2
from heartrule.wire.events import event_from_message

if TYPE_CHECKING:  # of the generated code this name is only in the stubs
    from heartrule.v1.executor_service_pb2_grpc import ExecutorServiceAsyncStub as Stub

ALL = ("AUDIENCE_CLIENT", "AUDIENCE_OPERATOR", "AUDIENCE_DEBUG")
PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
OUT_OF_RANGE = "StatusCode.OUT_OF_RANGE"
"""How a stream ends whose server knows less than the client was told."""
_UNARY_S = 30.0


class Lost(Exception):
    """The stream is gone; the text is its code."""


class Endpoint(Protocol):
    """A replica as clients know it; it may move when it starts anew."""

    name: str

    def stub(self) -> Stub | None:
        """Return what calls it where it listens now; None while it is known to be down."""


@dataclass(slots=True, kw_only=True)
class Manners:
    """How clients behave; the same for all clients of a run."""

    rng: random.Random
    patience_s: float = 180.0
    """Time for one input, faults included."""
    silence_s: float = 5.0
    """A stream that says nothing for so long is given up and opened elsewhere."""
    read_back: float = 0.3
    """How often it reads its messages after a turn."""
    between: Callable[[str], Awaitable[None]] | None = None
    """Awaited with the session's id before each input."""
    heard: Callable[[str, SessionEvent], None] | None = None
    """Told each event, with the name of the replica."""
    hop: float = 0.0
    """How often it goes elsewhere after a turn, as a client behind a load balancer does."""
    stay: bool = True
    """Whether it goes back to the replica that served it last."""


@dataclass(slots=True)
class Client:
    """One conversation, from its opening turn to its last input."""

    name: str
    replicas: Sequence[Endpoint]
    history: History
    manners: Manners
    session_id: str = ""
    last_sequence: int = 0
    going_away: int = 0
    errors: int = 0
    """Streams that broke: what a client without retries would have seen."""
    latencies: list[float] = field(default_factory=list)
    completed: bool = False
    trusting: bool = False
    """Whether it never says an acknowledged input again, unless its turn failed."""
    _stub: Stub | None = None
    _at: Endpoint | None = None
    _avoid: Endpoint | None = None
    _call: aio.StreamStreamCall[Any, Any] | None = None
    _stream: int = 0
    _acknowledged: set[str] = field(default_factory=set)

    @property
    def replica(self) -> str:
        """The name of the replica it talks with, or talked with last."""
        return self._at.name if self._at is not None else ""

    async def converse(self, script_id: str, inputs: Sequence[str]) -> None:
        """Start a session, say everything, one after the other, and half-close."""
        await self.begin(script_id)
        for number, text in enumerate(inputs):
            if self.completed:
                break
            await self.say(f"{self.name}-{number}", text)
        await self.close()

    async def begin(self, script_id: str) -> None:
        """Start a session and wait for its opening turn."""
        request = session_pb2.StartSessionRequest(script_id=script_id, request_id=self.name)
        started = await self._unary(lambda stub: stub.StartSession(request, timeout=_UNARY_S))
        self.session_id = started.session.session_id
        await self._persist("", _ends_well, send=None)

    async def say(self, client_message_id: str, text: str) -> None:
        """Say something until its turn has ended well."""
        if self.manners.between is not None:
            await self.manners.between(self.session_id)
        began = now()

        async def send() -> None:
            if client_message_id not in self._acknowledged or not self.trusting:
                await self._write(client_message_id, text)

        await self._persist(client_message_id, self._answers(client_message_id), send=send)
        self.latencies.append(now() - began)
        if self.manners.rng.random() < self.manners.read_back:
            await self.read_back()
        if self.manners.rng.random() < self.manners.hop:
            await self.close()
            self._avoid = self._at

    async def read_back(self) -> None:
        """Read the messages of the session, as a client that shows them anew does."""
        began = now()
        request = session_pb2.ListMessagesRequest(session_id=self.session_id, page_size=500)
        listed = await self._unary(lambda stub: stub.ListMessages(request, timeout=_UNARY_S))
        ids = tuple(message.message_id for message in listed.messages)
        self.history.add(
            ReadBack(
                began=began, at=now(), client=self.name, session_id=self.session_id, message_ids=ids
            )
        )

    async def close(self) -> None:
        """End the stream in good order, if there is one."""
        if self._call is not None:
            with suppress(aio.AioRpcError, asyncio.InvalidStateError):
                await self._call.done_writing()
            self._call.cancel()
            self._call = None

    def leave(self) -> None:
        """Vanish, as a client that is killed does."""
        if self._call is not None:
            self._call.cancel()
            self._call = None

    async def listen(self, until: Callable[[SessionEvent], bool]) -> None:
        """Follow the session until an event is the wanted one, whatever happens to streams."""
        await self._persist("", until, send=None)

    def _answers(self, client_message_id: str) -> Callable[[SessionEvent], bool]:
        def answers(event: SessionEvent) -> bool:
            body = event.body
            return (
                isinstance(body, TurnEnded)
                and client_message_id in body.client_message_ids
                and body.outcome is not Outcome.FAILED
            )

        return answers

    async def _persist(
        self,
        what: str,
        until: Callable[[SessionEvent], bool],
        *,
        send: Callable[[], Awaitable[None]] | None,
    ) -> None:
        """Say it and listen, on as many streams as it takes."""
        try:
            async with asyncio.timeout(self.manners.patience_s):
                while not await self._try(what, until, send):
                    await asyncio.sleep(PAUSE_S)
        except TimeoutError:
            self.history.add(
                GaveUp(
                    at=now(),
                    client=self.name,
                    session_id=self.session_id,
                    client_message_id=what,
                    why="patience ended",
                )
            )
            raise

    async def _try(
        self,
        what: str,
        until: Callable[[SessionEvent], bool],
        send: Callable[[], Awaitable[None]] | None,
    ) -> bool:
        """Use the stream at hand, or a new one; True once the wanted event was heard."""
        try:
            if self._call is None:
                await self._open()
            if send is not None:
                await send()
            return await self._hear(what, until)
        except Lost:
            self._call = None
            return False

    async def _hear(self, what: str, until: Callable[[SessionEvent], bool]) -> bool:
        """Read until the wanted event; False where the input must be said again."""
        while True:
            event = await self._read()
            body = event.body
            if isinstance(body, GoingAway):
                self.going_away += 1
                self._avoid = self._at
            if until(event):
                return True
            if isinstance(body, InputRejected) and body.client_message_id == what:
                if body.problem.retry_after is None:
                    raise AssertionError(f"{what} was refused: {body.problem}")
                await _as_long_as_asked(body.problem)
                return False
            if isinstance(body, InputAccepted):
                self._acknowledged |= {message.client_message_id for message in body.messages}
            if isinstance(body, TurnEnded) and body.outcome is Outcome.FAILED:
                self._acknowledged.difference_update(body.client_message_ids)
                if what in body.client_message_ids:
                    await _as_long_as_asked(body.problem)
                    return False
                if not (what or body.client_message_ids):  # a new stream runs the opening again
                    self.leave()
                    return False

    async def _open(self) -> None:
        replica = self._choose()
        stub = replica.stub()
        if stub is None:
            self._avoid, self._at = replica, None
            raise Lost("down")
        self._at, self._stub, self._stream = replica, stub, self._stream + 1
        self.history.add(
            StreamOpened(
                at=now(),
                client=self.name,
                session_id=self.session_id,
                stream=self._stream,
                after=self.last_sequence,
                replica=replica.name,
            )
        )
        converse: Any = stub.Converse
        call = self._call = converse()
        opening = conversation_pb2.OpenConversation(
            session_id=self.session_id, after_sequence=self.last_sequence, audiences=ALL
        )
        await self._guarded(call.write(conversation_pb2.ConverseRequest(open=opening)))

    def _choose(self) -> Endpoint:
        if self._at is not None and self._at is not self._avoid and self.manners.stay:
            return self._at
        others = [each for each in self.replicas if each is not self._avoid]
        self._avoid = None
        return self.manners.rng.choice(others or list(self.replicas))

    async def _write(self, client_message_id: str, text: str) -> None:
        assert self._call is not None
        assert self._at is not None
        self.history.add(
            Sent(
                at=now(),
                client=self.name,
                session_id=self.session_id,
                client_message_id=client_message_id,
                text=text,
                replica=self._at.name,
            )
        )
        user_input = conversation_pb2.UserInput(client_message_id=client_message_id)
        user_input.parts.add(text=text)
        await self._guarded(self._call.write(conversation_pb2.ConverseRequest(input=user_input)))

    async def _read(self) -> SessionEvent:
        assert self._call is not None
        while True:
            response: Any = await self._guarded(self._call.read())
            if response is aio.EOF:
                await self._lose(str(await self._call.code()))
            event = event_from_message(response.event)
            if event is None:
                continue
            self._note(event)
            return event

    def _note(self, event: SessionEvent) -> None:
        self.history.add(
            Heard(
                at=now(),
                client=self.name,
                session_id=self.session_id,
                stream=self._stream,
                event=event,
            )
        )
        if event.sequence == self.last_sequence + 1:
            self.last_sequence = event.sequence
        body = event.body
        if isinstance(body, TurnEnded) and body.outcome is Outcome.SESSION_COMPLETED:
            self.completed = True
        if self.manners.heard is not None and self._at is not None:
            self.manners.heard(self._at.name, event)

    async def _guarded(self, step: Awaitable[Any]) -> Any:
        """Await a step of the stream; whatever breaks it is a lost stream."""
        assert self._call is not None
        try:
            async with asyncio.timeout(self.manners.silence_s):
                return await step
        except TimeoutError:
            self._call.cancel()
            return await self._lose("SILENCE")
        except (aio.AioRpcError, asyncio.InvalidStateError) as error:
            code = error.code() if isinstance(error, aio.AioRpcError) else "INVALID_STATE"
            return await self._lose(str(code))
        except asyncio.CancelledError:
            if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                raise
            return await self._lose("CANCELLED")

    async def _lose(self, code: str) -> None:
        """Write down that the stream is gone, and go elsewhere next time."""
        self.errors += code != "StatusCode.OK"
        self._avoid = self._at
        if code == OUT_OF_RANGE:  # the checker counts it; the client begins from the start
            self.last_sequence = 0
        self.history.add(
            StreamEnded(
                at=now(),
                client=self.name,
                session_id=self.session_id,
                stream=self._stream,
                code=code,
            )
        )
        raise Lost(code)

    async def _unary(self, call: Callable[[Stub], Awaitable[Any]]) -> Any:
        """Call until it is answered."""
        async with asyncio.timeout(self.manners.patience_s):
            while True:
                stub = self._choose().stub()
                try:
                    if stub is not None:
                        return await call(stub)
                except aio.AioRpcError:
                    self._avoid = self._at
                await asyncio.sleep(PAUSE_S)


async def publish(stub: Stub, script: bytes) -> str:
    """Publish a script and return its id."""
    bundle = script_pb2.ScriptBundle(files={"script.yaml": script})
    answer = await stub.PublishScript(script_pb2.PublishScriptRequest(bundle=bundle))
    return str(answer.script.script_id)


async def _as_long_as_asked(problem: Problem | None) -> None:
    """Wait before the next try as the server asks for, within reason."""
    asked = problem.retry_after if problem is not None else None
    await asyncio.sleep(min(asked.total_seconds(), LONGEST_PAUSE_S) if asked else PAUSE_S)


def _ends_well(event: SessionEvent) -> bool:
    return isinstance(event.body, TurnEnded) and event.body.outcome is not Outcome.FAILED


def is_accepted(event: SessionEvent) -> bool:
    """Say whether an event acknowledges an input."""
    return isinstance(event.body, InputAccepted)
