"""A client that stops turns and sends inputs while they run; each input is answered once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from grpc import aio

from heartrule.domain.events import DraftDelta, Outcome, SessionEvent, TurnEnded, TurnStarted
from heartrule.v1 import conversation_pb2
from tests.chaos.client import Client
from tests.chaos.history import now

RPC, INTERRUPT, RESTART = "rpc", "interrupt", "restart"
WAYS = (RPC, INTERRUPT, RESTART)
_MODES: Mapping[str, conversation_pb2.IfBusy] = {
    INTERRUPT: conversation_pb2.IF_BUSY_INTERRUPT,
    RESTART: conversation_pb2.IF_BUSY_RESTART,
}
PAIRS = 3
"""In a conversation; so few that the script does not end, whatever becomes of its turns."""
_UNARY_S = 5.0


@dataclass(slots=True)
class _Pair:
    """An input, and one that is sent while its turn runs."""

    way: str
    texts: Mapping[str, str]
    """By id; the second is the one that cuts in."""
    stopped: bool = False
    ended: set[str] = field(default_factory=set)

    @property
    def first(self) -> str:
        """The id of the input whose turn is stopped."""
        return next(iter(self.texts))

    def note(self, event: SessionEvent) -> bool:
        """Say whether both are answered."""
        body = event.body
        if isinstance(body, TurnEnded) and body.outcome is not Outcome.FAILED:
            self.ended.update(body.client_message_ids)
        return self.ended >= set(self.texts)

    def is_to_stop(self, event: SessionEvent) -> bool:
        """Say whether this is the moment: before the first word for a restart, else after it."""
        if self.way == RESTART:
            body = event.body
            return isinstance(body, TurnStarted) and self.first in body.client_message_ids
        return isinstance(event.body, DraftDelta)


@dataclass(slots=True)
class InterruptingClient(Client):
    """Says inputs in pairs, the second into the turn of the first."""

    ways: tuple[str, ...] = WAYS

    async def converse(self, script_id: str, inputs: Sequence[str]) -> None:
        """Start a session and say a few pairs."""
        await self.begin(script_id)
        for number in range(PAIRS):
            if self.profile.between is not None:
                await self.profile.between(self.session_id)
            name, texts_sent = f"{self.name}-{number}", inputs[2 * number : 2 * number + 2]
            pair = _Pair(
                way=self.profile.rng.choice(self.ways),
                texts=dict(zip((f"{name}a", f"{name}b"), texts_sent, strict=True)),
            )
            began = now()
            await self._persist("", pair.note, send=self._sending(pair))
            self.latencies.append(now() - began)
        await self.close()

    def _sending(self, pair: _Pair) -> Callable[[], Awaitable[None]]:
        async def send() -> None:
            if not pair.stopped:
                await self._write(pair.first, pair.texts[pair.first])
                await self._stop(pair)
            for name, text in pair.texts.items():
                if name not in pair.ended:
                    mode = None if name == pair.first else _MODES.get(pair.way)
                    await self._write(name, text, if_busy=mode)

        return send

    async def _stop(self, pair: _Pair) -> None:
        """Wait for the moment; then all that was not asked to stop is asked to."""
        while pair.first not in pair.ended:
            event = await self._read()
            pair.note(event)
            if pair.is_to_stop(event):
                pair.stopped = True
                if pair.way == RPC:
                    await self._interrupt(event.turn_id)
                return

    async def _interrupt(self, turn_id: str) -> None:
        assert self._stubs is not None, f"{self.name} stops a turn that it has heard of nowhere"
        asked = conversation_pb2.InterruptTurnRequest(session_id=self.session_id, turn_id=turn_id)
        with suppress(aio.AioRpcError):  # it may die of this; nothing was promised yet
            await self._stubs.conversation.InterruptTurn(asked, timeout=_UNARY_S)
