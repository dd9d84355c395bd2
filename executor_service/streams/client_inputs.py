"""Every input of a client passes here, whichever rpc brings it (ADR 51).

`ClientInputs.received` screens it before the store is asked; `ClientInput.accept` has it stored
and run, or refused with its card.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import closing, suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

from executor_service.hub import SessionHub, Subscription
from executor_service.safety.inputs_found import InputsFound, screened, written_in
from executor_service.safety.safety_metrics import count_hit
from executor_service.streams.admission import Admission
from executor_service.streams.known_sessions import KnownSessions
from executor_service.streams.refusal_cards import answered, id_of_hit, rejected_event, store_late
from executor_service.turns.session_workers import SessionWorkers
from heartrule.chassis import telemetry
from heartrule.chassis.background import Background
from heartrule.chassis.errors import known
from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import HeartRuleError, InvalidRequest, StoreUnavailable
from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import NOTHING_FOUND, SafetyCard, SafetyFallback, SafetyLevel
from heartrule.safety.crisis_rules import ClientScreen
from heartrule.safety.screening_threads import in_screening_thread
from heartrule.v1 import conversation_pb2
from heartrule.wire.request_parsing import parse_user_input, unchecked_input
from session_store.ports import Store
from session_store.records import AcceptedInput, Retried, SafetyStep

LOG = logging.getLogger(__name__)
# Hits that wait for a store at one time in a process; more are logged alone.
_MOST_LATE = 1_000

T = TypeVar("T")
_Step: TypeAlias = Callable[[], Awaitable[object]]


@dataclass(slots=True, kw_only=True)
class ClientInputs:
    """Screens the inputs of a process, and has what accepts and refuses them."""

    turns: SessionWorkers
    """Where inputs are stored and run."""
    store: Store
    screen: ClientScreen
    known: KnownSessions
    hub: SessionHub
    """Tells whether the turn of a hit commits anything."""
    admission: Admission
    deadline_s: float = 2.0
    """The store's part of an input that calls for a card: a person in danger waits no longer than
    this for a database that is silent. Far above what a working one takes."""
    turn_deadline_s: float = 4.0
    """From there to what its turn commits: longer than a lease is waited for that a dead process
    holds."""
    background: Background = field(
        default_factory=lambda: Background("refused inputs", limit=_MOST_LATE)
    )

    async def received(self, key: SessionKey, message: conversation_pb2.UserInput) -> ClientInput:
        """Return a valid input, screened, and below its call's trace where it names none.

        Raises:
            HeartRuleError: It breaks the contract; a card goes with that where it calls for one.
        """
        try:
            user_input = parse_user_input(message)
        except InvalidRequest as error:
            raise await self.refusal(key, message, error) from error
        traceparent = user_input.traceparent or telemetry.traceparent()
        return await self.screen_input(key, replace(user_input, traceparent=traceparent))

    async def screen_input(self, key: SessionKey, user_input: UserInput) -> ClientInput:
        """Return an input with what the screen finds in it; the store is not asked."""
        found = await screened(tuple(written_in(user_input.parts)), self.screen)
        return ClientInput(inputs=self, key=key, user_input=user_input, found=found)

    async def refusal(
        self, key: SessionKey, message: conversation_pb2.UserInput, error: Exception
    ) -> HeartRuleError:
        """Return why an input is refused that is not even accepted, with its card."""
        # In a thread: what is refused may be refused for its size.
        user_input = await in_screening_thread(partial(unchecked_input, message))
        return await (await self.screen_input(key, user_input)).refused(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientInput:
    """One input, screened."""

    inputs: ClientInputs
    key: SessionKey
    user_input: UserInput
    found: InputsFound

    @property
    def calls_for_card(self) -> bool:
        """Whether its refusal carries a card: for what it says, or where the session is."""
        return self.is_hit or self.inputs.known.of(self.key).level >= SafetyLevel.CRISIS

    @property
    def is_hit(self) -> bool:
        """Whether something was found in it: no turn, queue or window delays it."""
        return self.found.heard.level > SafetyLevel.NONE

    @property
    def client_message_id(self) -> str:
        """The id that the client gave it."""
        return self.user_input.client_message_id

    async def accept(self, *, after: _Step | None = None) -> AcceptedInput:
        """Have the input stored, and make sure that it is run; see `accept_by`."""
        return await self.accept_by(
            self._store, lambda done: "" if done.has_ended else self.client_message_id, after=after
        )

    async def accept_by(
        self,
        store: Callable[[], Awaitable[T]],
        waiting: Callable[[T], str],
        *,
        after: _Step | None = None,
    ) -> T:
        """Have the input stored, and return what `store` returns: the path of every input.

        `after` returns, admission lets the input in, `store` makes it durable and sees that it is
        run, and the turn of a hit is followed until it commits something. Where the refusal of the
        input has a card, its sender waits no longer than `deadline_s`.

        Args:
            store: Stores the input.
            waiting: Gives the id of the stored message; empty where no turn of it is to come.
            after: What is waited for, or checked, before the input counts.

        Raises:
            HeartRuleError: It is refused, with its card in `fallback` where one is called for.
        """
        return await self.in_time(self._let_in(store, waiting, after))

    async def in_time(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what the work gives, in time where the input calls for a card.

        The work goes on where it is late: the input may still be stored, and its turn run.

        Raises:
            HeartRuleError: The work failed or is late; its `fallback` has the card.
        """
        if not self.calls_for_card:
            return await work
        task = asyncio.ensure_future(work)
        done, _ = await asyncio.wait({task}, timeout=self.inputs.deadline_s)
        if not done:
            self.inputs.background.spawn(self._end_late(task), label="late")
            raise self._shown(store_late(self.inputs.deadline_s))
        try:
            return task.result()
        except Exception as error:
            raise await self.refused(error) from error

    async def _let_in(
        self, store: Callable[[], Awaitable[T]], waiting: Callable[[T], str], after: _Step | None
    ) -> T:
        if after is not None:
            await after()
        # Watched from before it is stored: what its turn commits at once is seen too.
        watch = self.inputs.hub.expect_card(self.key) if self.is_hit else None
        has_card, followed = self.found.heard.level >= SafetyLevel.THIRD_PARTY, False
        try:
            async with self.inputs.admission.input(self.key, self.user_input, has_card=has_card):
                stored = await store()
            if watch and (message_id := waiting(stored)):
                late = self._tell_late(watch, message_id)
                followed = self.inputs.background.spawn(late, label="owed cards")
            return stored
        finally:
            if watch and not followed:
                watch.close()

    async def _store(self) -> AcceptedInput:
        """Store the input; a turn that runs gives way where a fixed text answers it.

        So it does where a hit is spread over this input and those before it, which wait.
        """
        accept = self.inputs.turns.accept
        # What an answer of a form means its script alone knows: it waits for no model either.
        urgent = self.is_hit or bool(self.user_input.input_request_id)
        accepted = await accept(self.key, self.user_input, urgent=urgent)
        if accepted.earlier and not self.is_hit and await self._completes(accepted.earlier):
            try:
                await accept(self.key, self.user_input, urgent=True)
            except HeartRuleError as error:  # it is stored, and its turn will read it
                LOG.warning("an input was not made urgent", extra={"reason": error.reason})
        return accepted

    async def _completes(self, earlier: tuple[str, ...]) -> bool:
        """Return whether the input means more behind what was written before it."""
        screen, own = self.inputs.screen, written_in(self.user_input.parts)
        before = await screened(earlier, screen)
        both = await screened((*earlier, *own), screen)
        return both.heard.level > before.heard.level

    async def _tell_late(self, subscription: Subscription, message_id: str) -> None:
        """Publish the card where the turn of a message commits nothing in time.

        A turn whose action runs has said what the crisis path has to say, which may be nothing.
        """
        deadline_s = self.inputs.turn_deadline_s
        with closing(subscription):
            try:
                async with asyncio.timeout(deadline_s):
                    await answered(subscription, message_id)
            except TimeoutError:
                acts = self.inputs.turns.stops.acts(self.key, message_id)
                if not (acts or self.inputs.known.of(self.key).opt_out):
                    late = self._shown(store_late(deadline_s))
                    event = rejected_event(self.key, message_id, late)
                    self.inputs.hub.publish(self.key, [event])

    async def refused(self, error: Exception) -> HeartRuleError:
        """Return why the input is refused, with its card; the hit is recorded once for its id."""
        seen = known(error)
        if not self.calls_for_card or seen.fallback is not None:
            return seen
        if isinstance(seen, StoreUnavailable):
            if self.is_hit:
                self.inputs.background.spawn(self._record(), label="hit")
            return self._shown(seen)
        try:
            async with asyncio.timeout(self.inputs.deadline_s):
                recorded = await self._record()
        except TimeoutError:
            recorded = True
        return self._shown(seen) if recorded else seen

    async def _record(self) -> bool:
        """Keep the hit and its alert; False where the session's script turned the path off."""
        inputs, message_id = self.inputs, id_of_hit(self.client_message_id)
        try:
            record = await inputs.store.get_session(self.key)
            inputs.known.remember(record)
            if record.safety.opt_out:
                return False
            if not self.is_hit:
                return True
            step = self._step(message_id)
            if await inputs.store.record_refused(self.key, message_id, step):
                count_hit(step, refused=True)
        except HeartRuleError as error:
            LOG.warning("a refused hit is not recorded", extra={"reason": error.reason})
        except Exception:  # whatever it is, the card is shown
            LOG.exception("a refused hit is not recorded")
        return True

    async def _end_late(self, work: asyncio.Task[T]) -> None:
        """Wait for work that was late; a hit that was not stored with its input is recorded."""
        with suppress(Exception):
            if isinstance(await work, AcceptedInput | Retried):
                return
        await self._record()

    def _card(self) -> SafetyCard:
        texts, known = self.inputs.screen.texts, self.inputs.known.of(self.key)
        if not self.is_hit:
            return texts.brief_card(known.level, known.locale, known.language)
        return texts.refusal_card(self.found.heard.level, known.locale, self.found.language)

    def _step(self, message_id: str) -> SafetyStep:
        """Return the hit as it is kept; the session's state stays."""
        found = self.found
        return SafetyStep(
            state=NOTHING_FOUND,
            level=found.heard.level,
            source=found.heard.source,
            rules=found.rules,
            subject=found.subject,
            language=found.language,
            card=self._card(),
            client_message_ids=(message_id,),
            raised=True,
            alert=found.heard.level >= SafetyLevel.CRISIS,
        )

    def _shown(self, error: HeartRuleError) -> HeartRuleError:
        """Return the error with the card; the error itself may refuse other inputs, too."""
        shown = copy(error)
        shown.fallback = SafetyFallback(card=self._card())
        return shown
