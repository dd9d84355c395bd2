"""One stream after the other: opened where a replica answers, read, and written down.

What a client meets here is only what the contract promises: a stream that ends is opened anew
behind the last number received, on another server where one announced that it leaves.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from grpc import aio

from heartrule.domain.events import Outcome, SessionEvent, TurnEnded
from heartrule.v1 import conversation_pb2
from heartrule.wire.event_messages import event_from_message
from tests.chaos.history import History, ReceivedEvent, Sent, StreamEnded, StreamOpened, now

if TYPE_CHECKING:
    from heartrule.wire.executor_stubs import ExecutorStubs

ALL = ("AUDIENCE_CLIENT", "AUDIENCE_OPERATOR", "AUDIENCE_DEBUG")
PAUSE_S = 0.05
OUT_OF_RANGE = "StatusCode.OUT_OF_RANGE"
"""How a stream ends whose server knows less than the client received."""


class Lost(Exception):
    """The stream is gone; the text is its code."""


class Endpoint(Protocol):
    """A replica as clients know it; it may move when it starts anew."""

    name: str

    def stubs(self) -> ExecutorStubs | None:
        """Return what calls it where it listens now; None while it is known to be down."""


@dataclass(slots=True, kw_only=True)
class ClientProfile:
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
    on_event: Callable[[str, SessionEvent], None] | None = None
    """Called with each event and the name of the replica."""
    hop: float = 0.0
    """How often it goes elsewhere after a turn, as a client behind a load balancer does."""
    stay: bool = True
    """Whether it goes back to the replica that served it last."""


@dataclass(slots=True)
class Streaming:
    """The streams of one client, at most one at a time."""

    name: str
    replicas: Sequence[Endpoint]
    history: History
    profile: ClientProfile
    session_id: str = ""
    last_sequence: int = 0
    errors: int = 0
    """Streams that broke: what a client without retries would have seen."""
    completed: bool = False
    _stubs: ExecutorStubs | None = None
    _at: Endpoint | None = None
    _avoid: Endpoint | None = None
    _call: aio.StreamStreamCall[Any, Any] | None = None
    _stream: int = 0

    @property
    def replica(self) -> str:
        """The name of the replica it talks with, or talked with last."""
        return self._at.name if self._at is not None else ""

    async def _open(self) -> None:
        replica = self._choose()
        stubs = replica.stubs()
        if stubs is None:
            self._avoid, self._at = replica, None
            raise Lost("down")
        self._at, self._stubs, self._stream = replica, stubs, self._stream + 1
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
        converse: Any = stubs.conversation.Converse
        call = self._call = converse()
        opening = conversation_pb2.OpenConversation(
            session_id=self.session_id, after_sequence=self.last_sequence, audiences=ALL
        )
        await self._guarded(call.write(conversation_pb2.ConverseRequest(open=opening)))

    def _choose(self) -> Endpoint:
        if self._at is not None and self._at is not self._avoid and self.profile.stay:
            return self._at
        others = [each for each in self.replicas if each is not self._avoid]
        self._avoid = None
        return self.profile.rng.choice(others or list(self.replicas))

    async def _write(
        self,
        client_message_id: str,
        text: str,
        *,
        if_busy: conversation_pb2.IfBusy | None = None,
    ) -> None:
        assert self._call is not None, f"{self.name} writes on an open stream, and has none"
        assert self._at is not None, f"{self.name} has a stream, and no replica it leads to"
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
        user_input = conversation_pb2.UserInput(
            client_message_id=client_message_id, if_busy=if_busy
        )
        user_input.parts.add(text=text)
        await self._guarded(self._call.write(conversation_pb2.ConverseRequest(input=user_input)))

    async def _read(self) -> SessionEvent:
        assert self._call is not None, f"{self.name} reads from an open stream, and has none"
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
            ReceivedEvent(
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
        if self.profile.on_event is not None and self._at is not None:
            self.profile.on_event(self._at.name, event)

    async def _guarded(self, step: Awaitable[Any]) -> Any:
        """Await a step of the stream; whatever breaks it is a lost stream."""
        assert self._call is not None, f"{self.name} awaits an open stream, and has none"
        try:
            async with asyncio.timeout(self.profile.silence_s):
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

    async def _unary(self, call: Callable[[ExecutorStubs], Awaitable[Any]]) -> Any:
        """Call until it is answered."""
        async with asyncio.timeout(self.profile.patience_s):
            while True:
                replica = self._choose()
                stubs = replica.stubs()
                try:
                    if stubs is not None:
                        return await call(stubs)
                except aio.AioRpcError:
                    pass
                self._avoid = replica
                await asyncio.sleep(PAUSE_S)
