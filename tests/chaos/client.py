"""A client as the documents describe it: it retries by client_message_id, resumes by sequence.

It writes down everything it sent and received; a turn that failed retryably is asked for again with
the same id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grpc import aio

from heartrule.domain.events import (
    GoingAway,
    InputAccepted,
    InputRejected,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from heartrule.domain.problem import Problem
from heartrule.v1 import script_pb2, session_pb2
from tests.chaos.danger import IN_DANGER
from tests.chaos.history import GaveUp, ReadBack, now
from tests.chaos.streams import PAUSE_S, Lost, Streaming

if TYPE_CHECKING:
    from heartrule.wire.executor_stubs import ExecutorStubs

LONGEST_PAUSE_S = 5.0
DANGER_ID = "danger"
_UNARY_S = 30.0


@dataclass(slots=True)
class Client(Streaming):
    """One conversation, from its opening turn to its last input."""

    going_away: int = 0
    latencies: list[float] = field(default_factory=list)
    trusting: bool = False
    """Whether it never says an acknowledged input again, unless its turn failed."""
    _acknowledged: set[str] = field(default_factory=set)

    async def converse(self, script_id: str, inputs: Sequence[str]) -> None:
        """Start a session, say everything, one after the other, and half-close."""
        await self.begin(script_id)
        for number, text in enumerate(inputs):
            if self.completed:
                break
            await self.say(f"{self.name}-{number}", text)
        await self.cry_out()
        await self.close()

    async def cry_out(self) -> None:
        """Say that life is in danger until its turn has ended; at a session's end, until a card.

        A card that comes with a refusal that passes is no end: the words are said again.
        """
        name = f"{self.name}-{DANGER_ID}"

        def answered(event: SessionEvent) -> bool:
            body = event.body
            if isinstance(body, InputRejected) and body.client_message_id == name:
                return body.fallback is not None and body.problem.retry_after is None
            return self._answers(name)(event)

        async def send() -> None:
            await self._write(name, IN_DANGER)

        await self._persist(name, answered, send=send)

    async def begin(self, script_id: str) -> None:
        """Start a session and wait for its opening turn."""
        request = session_pb2.StartSessionRequest(script_id=script_id, request_id=self.name)
        started = await self._unary(
            lambda stubs: stubs.session.StartSession(request, timeout=_UNARY_S)
        )
        self.session_id = started.session.session_id
        await self._persist("", _ends_well, send=None)

    async def say(self, client_message_id: str, text: str) -> None:
        """Say something until its turn has ended well."""
        if self.profile.between is not None:
            await self.profile.between(self.session_id)
        began = now()

        async def send() -> None:
            if client_message_id not in self._acknowledged or not self.trusting:
                await self._write(client_message_id, text)

        await self._persist(client_message_id, self._answers(client_message_id), send=send)
        self.latencies.append(now() - began)
        if self.profile.rng.random() < self.profile.read_back:
            await self.read_back()
        if self.profile.rng.random() < self.profile.hop:
            await self.close()
            self._avoid = self._at

    async def read_back(self) -> None:
        """Read the messages of the session, as a client that shows them anew does."""
        began = now()
        request = session_pb2.ListMessagesRequest(session_id=self.session_id, page_size=500)
        listed = await self._unary(
            lambda stubs: stubs.history.ListMessages(request, timeout=_UNARY_S)
        )
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
            async with asyncio.timeout(self.profile.patience_s):
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
        """Use the stream at hand, or a new one; True once the wanted event was received."""
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
        """Read until the wanted event; False where the input must be sent again."""
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


async def publish(
    stubs: ExecutorStubs, script: bytes, beside: Mapping[str, bytes] | None = None
) -> str:
    """Publish a script, with what lies beside it by its path, and return its id."""
    bundle = script_pb2.ScriptBundle(files={"script.yaml": script, **(beside or {})})
    answer = await stubs.script.PublishScript(script_pb2.PublishScriptRequest(bundle=bundle))
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
