"""Runs one session of a script in this process: the executor as it is, without its gRPC server.

The model, the monitor, the store and the clock are handed in; the clock does not advance.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from executor_service.bootstrap import Executor
from executor_service.dependencies import Dependencies, Switches
from executor_service.installation import Installation
from executor_service.ports import Monitor
from executor_service.scripts.loading.bundle import Bundle
from executor_service.scripts.model.script import Script
from executor_service.settings import ExecutorSettings
from executor_service.streams.one_turn import OneTurn
from executor_service.streams.relay import View
from heartrule.chassis.settings import read
from heartrule.domain.conversation import (
    Audience,
    Feature,
    FormAnswer,
    Part,
    UserInput,
    text_part,
)
from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.model.ports import ChatModel
from heartrule_cli.rehearsal.inline_pool import InlinePool
from heartrule_cli.rehearsal.played_runs import NOTHING_OPEN, runs_over
from heartrule_cli.rehearsal.publishing import new_session, publish
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from session_store.ports import Store

# How long a turn may take: far more than it needs with a model that answers at once.
PATIENCE_S = 30.0
_EVERYTHING = View(audiences=frozenset(Audience), accepts=frozenset(Feature))
_SETTINGS = {
    # Longer than any rehearsal: a turn is limited by `patience_s` alone.
    "HEARTRULE_LEASE_TTL": "3600",
    "HEARTRULE_TURN_TIMEOUT": "3600",
    "HEARTRULE_HEARTBEAT": "3600",
    # Every draft is emitted, so that two rehearsals of one conversation are equal.
    "HEARTRULE_DRAFT_WINDOW_MS": "0",
    "HEARTRULE_STOP_GRACE": "1",
    # A written conversation is said faster than any person speaks.
    "HEARTRULE_INPUTS_PER_MINUTE": "0",
}


@cache
def _settings() -> ExecutorSettings:
    """Return the defaults, without this process's environment: rehearsals can be repeated."""
    return read(ExecutorSettings, _SETTINGS)


def _counting_ids() -> Callable[[str], str]:
    """Return a maker of ids that count, such as msg_1: two rehearsals print the same."""
    counts: Counter[str] = Counter()

    def make(prefix: str) -> str:
        counts[prefix] += 1
        return f"{prefix}_{counts[prefix]}"

    return make


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptUnderTest:
    """A script that loaded, and its bundle with all the script needs."""

    script: Script
    bundle: Bundle


@dataclass(slots=True, kw_only=True)
class Harness:
    """One session of one script, and the executor that runs it."""

    installation: Installation
    model: ChatModel
    monitor: Monitor
    beginning: WrittenConversation
    """How the session begins: its time, its language, its variables."""
    store: Store
    """Open, and closed by its owner."""
    switches: Switches = field(default_factory=Switches)
    patience_s: float = PATIENCE_S
    """How long a turn may take."""
    key: SessionKey = field(default_factory=lambda: SessionKey(DEFAULT_TENANT, "ses_rehearsal"))
    new_id: Callable[[str], str] = field(default_factory=_counting_ids)
    executor: Executor = field(init=False)

    def __post_init__(self) -> None:
        """Build the executor; a session that is in the store already can be continued."""
        given = Dependencies(
            store=self.store,
            model=self.model,
            monitor=self.monitor,
            pool=InlinePool(),
            installation=self.installation,
            clock=lambda: self.beginning.now,
            new_id=self.new_id,
            switches=self.switches,
            access=NOTHING_OPEN,
        )
        self.executor = Executor(_settings(), given, owner="rehearsal")

    async def create_session(self, script: ScriptUnderTest) -> None:
        """Publish the script and create the session.

        Raises:
            InvalidRequest: The imported state it begins with has another shape.
        """
        await publish(script.script, script.bundle, self.key.tenant, self.store)
        await self.store.create_session(
            new_session(self.key, script.script, script.bundle, self.beginning)
        )

    async def initialize(self) -> list[SessionEvent]:
        """Run the opening turn and return its events; they are the same when it has run already."""
        return await self._collect(self._turn().initialize())

    async def send(self, client_message_id: str, text: str) -> list[SessionEvent]:
        """Send a text and return the events of its turn."""
        sent = UserInput(client_message_id=client_message_id, parts=(text_part(text),))
        return await self._send(sent)

    async def submit(
        self, client_message_id: str, values: Mapping[str, JsonValue], request: str, *, text: str
    ) -> list[SessionEvent]:
        """Submit a form, with words beside it where there are any, and return its turn's events."""
        form = Part(form=FormAnswer(values=values), fallback_text="（填好的表单）")
        sent = UserInput(
            client_message_id=client_message_id,
            parts=(form, text_part(text)) if text else (form,),
            input_request_id=request,
        )
        return await self._send(sent)

    async def _send(self, user_input: UserInput) -> list[SessionEvent]:
        screened = await self.executor.sessions.inputs.screen_input(self.key, user_input)
        return await self._collect(self._turn().send(screened))

    async def turns_over(self) -> None:
        """Return when no turn runs; the rounds of the last one were handed to the monitor."""
        async with asyncio.timeout(self.patience_s):
            await self.executor.turns.idle()

    async def runs_over(self) -> None:
        """Return when no run of a workflow goes on."""
        async with asyncio.timeout(self.patience_s):
            await runs_over(self.store, self.executor.hub, self.key)

    async def analyses_over(self) -> None:
        """Return when no round is being analysed."""
        await self.executor.dispatcher.background.idle()

    async def aclose(self) -> None:
        """Stop running turns and analyses."""
        await self.executor.drain()

    async def _collect(self, stream: AsyncIterator[SessionEvent]) -> list[SessionEvent]:
        """Return a stream's events up to its end, once no turn runs.

        Raises:
            TimeoutError: The turn took longer than it may.
        """
        async with asyncio.timeout(self.patience_s):
            events = [event async for event in stream]
            await self.executor.turns.idle()
            return events

    def _turn(self) -> OneTurn:
        return OneTurn(self.executor.sessions, self.key, _EVERYTHING)
