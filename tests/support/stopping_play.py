"""Any order in which sends, interrupts, restarts, model pieces and crashes can meet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from executor_service.failpoints import Failpoints
from executor_service.hub import SessionHub
from executor_service.turns.runner import RunnerDeps, TurnRunner
from executor_service.turns.session_workers import SessionWorkers
from executor_service.turns.stop_registry import StopRegistry
from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import ModelUnavailable, NotFound, SessionBusy, SessionFinished
from heartrule.domain.events import DraftDelta, DraftPosition, SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest, ModelRestarted
from session_store.open import open_in_memory
from session_store.records import InterruptOrder
from session_store.sql.store import SqlStore
from tests.support.clock import ManualClock
from tests.support.engine_builders import KEY, ask, engine_deps, say, script
from tests.support.fake_model import ask_reply
from tests.support.stopping_checks import check_history
from tests.support.store_builders import new_session, user_input
from tests.support.turn_builders import OneScript

_T = TypeVar("_T")
TTL = timedelta(hours=1)
SOON_S = 10.0
SCRIPT = script(
    ask("name", max_rounds=3), say("well", require_acknowledgment=False), ask("more", max_rounds=9)
)


class SteppedModel:
    """Says as many pieces as it is let; each reply is another text."""

    def __init__(self) -> None:
        """Begin held."""
        self.permits = asyncio.Semaphore(0)
        self.held = asyncio.Event()
        """Set while it waits to be let go on."""
        self.fails = False
        self._replies = 0

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream a reply of one sentence and a half."""
        self._replies += 1
        text = ask_reply(f"这是第{self._replies}句。还有半句话没")
        for at in range(0, len(text), 12):
            self.held.set()
            await self.permits.acquire()
            self.held.clear()
            if self.fails:
                self.fails = False
                raise ModelUnavailable("away", reason="MODEL_UNAVAILABLE")
            yield text[at : at + 12]

    async def aclose(self) -> None:
        """Nothing is open."""


class Process:
    """One executor without a network, and all that it told."""

    def __init__(self, store: SqlStore, model: SteppedModel, told: list[SessionEvent]) -> None:
        """Run turns of the store."""
        hub, stops = _Telling(told), StopRegistry(store)
        self.runner = TurnRunner(
            RunnerDeps(
                store=store,
                hub=hub,
                stops=stops,
                scripts=OneScript(SCRIPT),
                engine=engine_deps(model, new_id=new_id),
                failpoints=Failpoints(),
                hand_over=lambda _: None,
                summarize=lambda _: None,
                lease_ttl=TTL,
                turn_timeout=TTL,
            )
        )
        self.turns = SessionWorkers(
            self.runner.run,
            store=store,
            hub=hub,
            stops=stops,
            failpoints=Failpoints(),
            owner=new_id("exe"),
            ttl=TTL,
        )

    async def die(self) -> None:
        """Leave everything as it is, as kill -9 would."""
        await self.turns.drain(0)


class _Telling(SessionHub):
    """A hub that keeps what it is given."""

    def __init__(self, told: list[SessionEvent]) -> None:
        super().__init__()
        self._told = told

    def publish(self, key: SessionKey, events: Iterable[SessionEvent]) -> None:
        """Keep the events."""
        self._told.extend(events)


class StoppingPlay(RuleBasedStateMachine):
    """One session; at the end its history must be that of a conversation nobody disturbed."""

    def __init__(self) -> None:
        """Begin with a process and an unopened session."""
        super().__init__()
        self._loop = asyncio.Runner()
        self._clock = ManualClock()
        self._store = open_in_memory(self._clock)
        self._told: list[SessionEvent] = []
        self._accepted: list[str] = []
        self._sent = 0

    def teardown(self) -> None:
        """Let everything come to its end, and look at it."""
        try:
            self._run(self._to_the_end())
            self._run(check_history(self._store, KEY, self._told, self._accepted))
        finally:
            self._run(self._process.die())
            self._loop.close()

    @initialize()
    def open_session(self) -> None:
        """The opening turn begins."""
        self._run(self._begin())

    # --- what may happen --------------------------------------------------------------------------

    @rule(mode=st.sampled_from([*IfBusy, IfBusy.INTERRUPT, IfBusy.RESTART]))
    def send(self, mode: IfBusy) -> None:
        """The client says something."""
        self._sent += 1
        name = f"m{self._sent}"
        if self._run(self._accepts(name, mode)):
            self._accepted.append(name)

    @rule(pieces=st.integers(min_value=1, max_value=20))
    def let_speak(self, pieces: int) -> None:
        """The model says so many pieces, over as many replies as that takes."""
        self._run(self._let(pieces))

    @rule()
    def let_fail(self) -> None:
        """The model breaks at its next piece."""
        self._model.fails = True
        self._run(self._let(1))

    @precondition(lambda self: bool(self._told))
    @rule(newest=st.booleans(), offset=st.none() | st.integers(min_value=0, max_value=30))
    def interrupt(self, *, newest: bool, offset: int | None) -> None:
        """The client stops a turn, mostly the one that runs."""
        turns = [event.turn_id for event in self._told if event.turn_id]
        drafts = [e.body for e in self._told if isinstance(e.body, DraftDelta)]
        heard = None
        if offset is not None and drafts:
            heard = DraftPosition(message_id=drafts[-1].at.message_id, offset=offset)
        if turns:
            name = turns[-1] if newest else turns[0]
            asked = InterruptOrder(key=KEY, turn_id=name, heard=heard)
            self._run(self._process.turns.interrupt(asked))

    @rule()
    def crash(self) -> None:
        """The process dies; another takes up what it left once the lease has run out."""
        self._run(self._process.die())
        self._clock.move(TTL)
        self._start()
        self._run(self._look_after())

    # --- how --------------------------------------------------------------------------------------

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        return self._loop.run(work)

    def _start(self) -> None:
        self._model = SteppedModel()
        self._process = Process(self._store, self._model, self._told)

    async def _begin(self) -> None:
        self._start()
        await self._store.create_session(new_session(KEY.session_id, KEY.tenant))
        self._process.turns.wake(KEY, opening=True)
        await self._still()

    async def _accepts(self, name: str, mode: IfBusy) -> bool:
        try:
            await self._process.turns.accept(KEY, user_input(name, name, if_busy=mode))
        except (SessionBusy, SessionFinished, NotFound):
            return False
        return True

    async def _let(self, pieces: int) -> None:
        for _ in range(pieces):
            await self._still()
            if self._model.held.is_set():
                self._model.held.clear()
                self._model.permits.release()
        await self._still()

    async def _look_after(self) -> None:
        self._process.turns.wake(KEY, opening=True)
        await self._still()

    async def _still(self) -> None:
        """Return when the model waits, or nothing runs."""
        idle = asyncio.ensure_future(self._process.turns.idle())
        held = asyncio.ensure_future(self._model.held.wait())
        async with asyncio.timeout(SOON_S):
            await asyncio.wait({idle, held}, return_when=asyncio.FIRST_COMPLETED)
        for each in (idle, held):
            each.cancel()
            with suppress(asyncio.CancelledError):
                await each

    async def _to_the_end(self) -> None:
        """Let the model speak, and sweep, until nothing is left to do."""
        for _ in range(10_000):
            self._model.permits.release()
        async with asyncio.timeout(SOON_S):
            while True:
                await self._process.turns.idle()
                self._clock.move(TTL)
                if not await self._store.find_work(1):
                    return
                await self._process.turns.sweep()
