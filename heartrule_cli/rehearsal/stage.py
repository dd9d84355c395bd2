"""An executor in this process without a network: the real engine, turns, streams and desk.

Composition only; store and hub are those of one process in memory, and the clock stands still.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from executor_service.actions.registry import action_runners
from executor_service.assets.pictures import Pictures
from executor_service.bootstrap import step_hooks
from executor_service.engine.deps import EngineDeps
from executor_service.failpoints import Failpoints
from executor_service.hub import SessionHub
from executor_service.installation import Installation
from executor_service.library import StoredScripts
from executor_service.monitoring.desk import DeskDeps, MonitorDesk
from executor_service.monitoring.planning import PlanningDesk
from executor_service.ports import Monitor
from executor_service.strategy.adviser import Strategies
from executor_service.streams.deps import StreamDeps
from executor_service.streams.one_turn import OneTurn
from executor_service.streams.relay import View
from executor_service.turns.runner import RunnerDeps, TurnRunner
from executor_service.turns.session_workers import SessionWorkers
from executor_service.turns.stop_registry import StopRegistry
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
from heartrule_cli.rehearsal.conversation import Conversation
from heartrule_cli.rehearsal.piece import Piece, new_session, publish
from session_store.memory.store import InMemoryStore
from session_store.ports import Store

PATIENCE_S = 30.0
"""How long a turn of a model that answers at once may take."""
_LONG = timedelta(hours=1)
_SILENCE_S = 0.25
"""A stream this long without an event is silent; one pause may be the machine's."""
_EVERYTHING = View(audiences=frozenset(Audience), accepts=frozenset(Feature))
_OWNER = "rehearsal"


def _counting_ids() -> Callable[[str], str]:
    """Return a maker of ids that count, such as msg_1: two rehearsals tell the same."""
    counts: Counter[str] = Counter()

    def make(prefix: str) -> str:
        counts[prefix] += 1
        return f"{prefix}_{counts[prefix]}"

    return make


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Which helpers of the talking model may run; the script says which of them do."""

    analyses: bool = True
    """Rounds are analysed beside the conversation."""
    strategies: bool = True
    """The strategy engine is asked."""
    orchestration: bool = True
    """An analysis may lead to an edit of the plan."""


@dataclass(slots=True, kw_only=True)
class Stage:
    """One session of one script, and the process that runs it."""

    installation: Installation
    model: ChatModel
    monitor: Monitor
    beginning: Conversation
    """How the session begins: its time, its language, its variables."""
    switches: Switches = field(default_factory=Switches)
    patience_s: float = PATIENCE_S
    """How long a turn may take."""
    store: Store = field(default_factory=InMemoryStore)
    key: SessionKey = field(default_factory=lambda: SessionKey(DEFAULT_TENANT, "ses_rehearsal"))
    new_id: Callable[[str], str] = field(default_factory=_counting_ids)
    desk: MonitorDesk = field(init=False)
    turns: SessionWorkers = field(init=False)
    streams: StreamDeps = field(init=False)

    async def set(self, piece: Piece) -> None:
        """Publish the script and create the session; the process is ready afterwards.

        Raises:
            InvalidRequest: The state the session is to begin with has another shape.
        """
        await publish(piece, self.key.tenant, self.store)
        await self.store.create_session(new_session(self.key, piece, self.beginning))
        self.take_up()

    def take_up(self) -> None:
        """Be the process of a session that is in the store already."""
        hub, scripts = SessionHub(), StoredScripts(self.store)
        pictures = Pictures(self.store, scripts)
        planning = PlanningDesk(
            store=self.store, hub=hub, scripts=scripts, monitor=self.monitor, owner=_OWNER
        )
        desk = DeskDeps(
            store=self.store,
            hub=hub,
            scripts=scripts,
            monitor=self.monitor,
            owner=_OWNER,
            planning=planning if self.switches.orchestration else None,
        )
        self.desk = MonitorDesk(desk)
        stops = StopRegistry(self.store)
        runner = TurnRunner(
            RunnerDeps(
                store=self.store,
                hub=hub,
                stops=stops,
                scripts=scripts,
                engine=self._engine(pictures),
                failpoints=Failpoints(),
                hand_over=self.desk.hand_over,
                lease_ttl=_LONG,
                turn_timeout=_LONG,
            )
        )
        self.turns = SessionWorkers(
            runner.run,
            store=self.store,
            hub=hub,
            stops=stops,
            failpoints=Failpoints(),
            owner=_OWNER,
            ttl=_LONG,
        )
        self.streams = StreamDeps(store=self.store, hub=hub, turns=self.turns)

    async def initialize(self) -> list[SessionEvent]:
        """Run the opening turn and return its events; once it has run, tell it again."""
        return await self._told(self._turn().initialize())

    async def send(self, client_message_id: str, text: str) -> list[SessionEvent]:
        """Say something and return the events of its turn."""
        said = UserInput(client_message_id=client_message_id, parts=(text_part(text),))
        return await self._told(self._turn().send(said))

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
        return await self._told(self._turn().send(sent))

    async def turns_over(self) -> None:
        """Return when no turn runs: what was told last has been handed over, too."""
        async with asyncio.timeout(self.patience_s):
            await self.turns.idle()

    async def analyses_over(self) -> None:
        """Return when nothing is being analysed."""
        await self.desk.idle()

    async def aclose(self) -> None:
        """End what still runs."""
        await self.turns.drain(1)
        await self.desk.drain(1)

    async def _told(self, events: AsyncIterator[SessionEvent]) -> list[SessionEvent]:
        """Return a stream's events up to its end.

        Where nothing runs any more and the stream has no end, its turn waits to be tried again,
        for which a service has a sweep; here it is over then.
        """
        told: list[SessionEvent] = []
        following = asyncio.create_task(_follow(events, told))
        async with asyncio.timeout(self.patience_s):
            try:
                await self._ended_or_silent(following, told)
            finally:
                following.cancel()
                await asyncio.wait([following])
        if not following.cancelled():
            following.result()
        return told

    async def _ended_or_silent(
        self, following: asyncio.Task[None], told: list[SessionEvent]
    ) -> None:
        """Return when the stream is at its end, or was silent twice while nothing ran."""
        silences = 0
        while not following.done() and silences < 2:
            await self.turns.idle()
            heard = len(told)
            await asyncio.wait([following], timeout=_SILENCE_S)
            silent = self.turns.is_idle and len(told) == heard
            silences = silences + 1 if silent else 0

    def _turn(self) -> OneTurn:
        return OneTurn(self.streams, self.key, _EVERYTHING)

    def _engine(self, pictures: Pictures) -> EngineDeps:
        now = self.beginning.now
        return EngineDeps(
            model=self.model,
            templates=self.installation.templates,
            actions=action_runners(),
            clock=lambda: now,
            new_id=self.new_id,
            pictures=pictures.find,
            keyword_scope=self.installation.keywords.scope_of,
            hooks=step_hooks(
                self.model,
                crisis=self.installation.crisis,
                strategies=Strategies(
                    profiles=self.installation.profiles, enabled=self.switches.strategies
                ),
                exit_hints=self.installation.exit_hints,
                monitored=self.switches.analyses,
            ),
        )


async def _follow(events: AsyncIterator[SessionEvent], told: list[SessionEvent]) -> None:
    async for event in events:
        told.append(event)  # noqa: PERF401  what came before it is given up counts
