"""Turns without an engine: the real store, hub and workers around attempts that tests write."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from executor_service.assets.pictures import Pictures
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.failpoints import Failpoints
from executor_service.hub import SessionHub
from executor_service.safety.inputs_found import found_in, written_in
from executor_service.safety.opt_out import OptOutPolicy
from executor_service.scripts.model.script import Script
from executor_service.settings import AdmissionSettings, TurnSettings
from executor_service.streams.admission import Admission
from executor_service.streams.client_inputs import ClientInput, ClientInputs
from executor_service.streams.known_sessions import KnownSessions
from executor_service.streams.session_deps import SessionDeps
from executor_service.turns.session_workers import SessionWorkers
from executor_service.turns.stop_registry import StopRegistry
from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import EventBody, InputAccepted, Outcome, SessionEvent, TurnEnded
from heartrule.domain.keys import SessionKey
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.open import open_in_memory
from session_store.records import NewSession, TurnSnapshot
from session_store.sql.store import SqlStore
from tests.support.engine_builders import ask, script
from tests.support.fake_safety import WrittenScreen
from tests.support.nothing_wired import NoRuns, no_session
from tests.support.store_builders import failure, last_step, said

B = TypeVar("B", bound=EventBody)
KEY = SessionKey("default", "ses_1")
TTL = timedelta(hours=1)
SOON_S = 5.0
"""A test that waits longer has failed."""


@dataclass(slots=True)
class WrittenAttempts:
    """Runs an attempt as the next word of a list says: an outcome, or `fail`."""

    store: SqlStore
    hub: SessionHub
    outcomes: list[Outcome] = field(default_factory=list)
    """Of the attempts, in order; then WAITING."""
    run: list[TurnSnapshot] = field(default_factory=list)
    gate: asyncio.Event | None = None
    """Waited for in each attempt."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    stops: StopRegistry = field(init=False)

    def __post_init__(self) -> None:
        """Take what is asked of attempts from the store."""
        self.stops = StopRegistry(self.store)

    async def __call__(self, snapshot: TurnSnapshot) -> bool:
        """End the attempt, and tell it."""
        self.run.append(snapshot)
        self.begun.set()
        if self.gate is not None:
            await self.gate.wait()
        outcome = self.outcomes.pop(0) if self.outcomes else Outcome.WAITING
        if outcome is Outcome.FAILED:
            events = await self.store.fail_turn(snapshot.lease, failure(snapshot))
            self.hub.publish(snapshot.lease.key, events)
            return False
        words = ",".join(message.plain_text() for message in snapshot.inputs) or "opening"
        step = last_step(snapshot, said(f"re: {words}"), outcome=outcome)
        done = await self.store.commit_step(snapshot.lease, step)
        self.hub.publish(snapshot.lease.key, done.events)
        return done.inputs_waiting

    def merged(self) -> list[list[str]]:
        """Return the input ids of each attempt."""
        return [[m.client_message_id for m in snapshot.inputs] for snapshot in self.run]


@dataclass(slots=True)
class OneScript:
    """A library in which every session has the same script, or none is found."""

    script: Script | HeartRuleError = field(default_factory=lambda: script(ask()))

    async def get(self, *_: object) -> Script:
        """Return it, or raise why there is none."""
        if isinstance(self.script, HeartRuleError):
            raise self.script
        return self.script

    async def assets(self, *_: object) -> Mapping[str, str]:
        """Return that it has no picture."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """One process: store, hub, attempts and what streams need."""

    store: SqlStore
    hub: SessionHub
    attempts: WrittenAttempts
    streams: SessionDeps

    @property
    def turns(self) -> SessionWorkers:
        """Return the workers."""
        return self.streams.turns


def house(*outcomes: Outcome, store: SqlStore | None = None) -> House:
    """Return a process whose attempts end as told."""
    kept, hub = store or open_in_memory(), SessionHub()
    attempts = WrittenAttempts(kept, hub, list(outcomes))
    turns = SessionWorkers(
        attempts,
        store=kept,
        hub=hub,
        stops=attempts.stops,
        failpoints=Failpoints(),
        owner="me",
        ttl=TTL,
    )
    return House(
        store=kept,
        hub=hub,
        attempts=attempts,
        streams=SessionDeps(
            store=kept,
            hub=hub,
            turns=turns,
            inputs=client_inputs(kept, turns, hub),
            scripts=OneScript(),
            check_pool=InlinePool(),
            judging=JudgingBeside(InlinePool()),
            read_session=no_session,
            runs=NoRuns(),
            pictures=Pictures(kept, OneScript()),
            opt_outs=OptOutPolicy(),
            settings=TurnSettings(heartbeat=SOON_S),
        ),
    )


def client_inputs(store: SqlStore, turns: SessionWorkers, hub: SessionHub) -> ClientInputs:
    """Return what takes the inputs of a process; the level in a text is the one it names."""
    admission = Admission(AdmissionSettings(inputs_per_minute=0), turns, store)
    return ClientInputs(
        turns=turns,
        store=store,
        screen=WrittenScreen(),
        known=KnownSessions("zh-CN"),
        hub=hub,
        admission=admission,
    )


def screened(home: House, user_input: UserInput) -> ClientInput:
    """Return an input as the streams take it."""
    found = found_in(tuple(written_in(user_input.parts)), WrittenScreen())
    return ClientInput(inputs=home.streams.inputs, key=KEY, user_input=user_input, found=found)


async def session(home: House, **changes: object) -> SessionKey:
    """Create a session that has not been opened."""
    new = NewSession(key=KEY, script_id="s", script_version="v1", **changes)  # type: ignore[arg-type]
    return (await home.store.create_session(new)).key


async def idle(home: House) -> None:
    """Return when no worker runs any more."""
    async with asyncio.timeout(SOON_S):
        await home.turns.idle()


async def read_until(
    events: AsyncIterator[SessionEvent], wanted: Callable[[SessionEvent], bool]
) -> list[SessionEvent]:
    """Read until an event is the wanted one, and return all that were read."""
    told: list[SessionEvent] = []
    async with asyncio.timeout(SOON_S):
        async for event in events:
            told.append(event)
            if wanted(event):
                return told
    raise AssertionError(f"the stream ended after {[type(e.body).__name__ for e in told]}")


async def read_all(events: AsyncIterator[SessionEvent]) -> list[SessionEvent]:
    """Read to the stream's end."""
    async with asyncio.timeout(SOON_S):
        return [event async for event in events]


def is_accepted(event: SessionEvent) -> bool:
    """Recognise that an input is durable."""
    return isinstance(event.body, InputAccepted)


def answers(client_message_id: str) -> Callable[[SessionEvent], bool]:
    """Return what recognises the end of an input's turn."""

    def recognise(event: SessionEvent) -> bool:
        body = event.body
        return isinstance(body, TurnEnded) and client_message_id in body.client_message_ids

    return recognise


def bodies(events: list[SessionEvent], kind: type[B]) -> list[B]:
    """Return the bodies of one kind, in order."""
    return [event.body for event in events if isinstance(event.body, kind)]
