"""Every input of a client passes here: screened before the store, a refusal with its card.

Converse, SendMessage, SubmitInput and RetryTurn call it, and so does what refuses an input before
it is accepted (ADR 51).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, closing, suppress
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from executor_service.hub import SessionHub, Subscription
from executor_service.safety.inputs_found import InputsFound, screened, written_in
from executor_service.safety.safety_metrics import count_hit
from executor_service.streams.admission import Admission
from executor_service.streams.known_sessions import KnownSessions
from executor_service.streams.refusal_cards import answered, rejected_event, store_late
from executor_service.turns.session_workers import SessionWorkers
from heartrule.chassis.background import Background
from heartrule.chassis.errors import known
from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import HeartRuleError, StoreUnavailable
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import NOTHING_FOUND, SafetyCard, SafetyFallback, SafetyLevel
from heartrule.safety.crisis_rules import ClientScreen
from heartrule.safety.screening_threads import in_screening_thread
from heartrule.v1 import conversation_pb2
from heartrule.wire.inbound import is_name
from heartrule.wire.request_parsing import unchecked_input
from session_store.records import AcceptedInput, Retried, SafetyStep, SessionRecord

LOG = logging.getLogger(__name__)
# The store's part of an input that calls for a card: a person in danger waits no longer than this
# for a database that is silent. Far above what a working one takes.
_STORE_DEADLINE_S = 2.0
# From there to what its turn commits: longer than a lease is waited for that a dead process holds.
_TURN_DEADLINE_S = 4.0
# Hits that wait for a store at one time in a process; more are logged alone.
_MOST_LATE = 1_000

T = TypeVar("T")


class InputStore(Protocol):
    """What the refusal of an input needs of the store."""

    async def get_session(self, key: SessionKey) -> SessionRecord:
        """Return the session, or NotFound."""

    async def record_refused(
        self, key: SessionKey, client_message_id: str, step: SafetyStep
    ) -> bool:
        """Keep the hit of a refused input and its alert, once per id."""


class ClientInputs:
    """Accepts and refuses the inputs of a process."""

    def __init__(
        self,
        turns: SessionWorkers,
        store: InputStore,
        screen: ClientScreen,
        locale: str,
        *,
        hub: SessionHub,
        admission: Admission,
    ) -> None:
        """Accept by `turns`, behind the `screen`.

        Args:
            turns: Where inputs are stored and run.
            store: Knows sessions, and keeps the hits of refused inputs.
            screen: Reads texts, and has the cards.
            locale: Of sessions that nobody has read here.
            hub: Tells whether the turn of a hit commits anything.
            admission: Refuses what is too much.
        """
        self.turns, self.hub, self.admission = turns, hub, admission
        self.store, self.screen = store, screen
        self.known = KnownSessions(locale)
        self.deadline_s, self.turn_deadline_s = _STORE_DEADLINE_S, _TURN_DEADLINE_S
        self.background = Background("refused inputs", limit=_MOST_LATE)

    async def read(self, key: SessionKey, user_input: UserInput) -> ClientInput:
        """Screen an input; the store is not asked."""
        found = await self.found_in(tuple(written_in(user_input.parts)))
        return ClientInput(inputs=self, key=key, user_input=user_input, found=found)

    async def refusal(
        self, key: SessionKey, message: conversation_pb2.UserInput, error: Exception
    ) -> HeartRuleError:
        """Return why an input is refused that is not even accepted, with its card."""
        # In a thread: what is refused may be refused for its size.
        read = await in_screening_thread(partial(unchecked_input, message))
        return await (await self.read(key, read)).refused(error)

    async def found_in(self, texts: tuple[str, ...]) -> InputsFound:
        """Return what the screen finds in texts, oldest first."""
        return await screened(texts, self.screen)


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

    async def accept(self) -> AcceptedInput:
        """Store the input, and make sure that it is run; see `SessionWorkers.accept`.

        Raises:
            HeartRuleError: It is refused, with its card in `fallback` where one is called for.
        """
        return await self.within(self.stored())

    async def stored(self) -> AcceptedInput:
        """Store the input; a turn that runs gives way where a fixed text answers it.

        So it does where a hit is spread over this input and those before it, which wait.
        """
        return await self.followed(
            self._stored(), lambda done: "" if done.has_ended else self.client_message_id
        )

    async def followed(self, storing: Coroutine[Any, Any, T], waiting: Callable[[T], str]) -> T:
        """Return what is stored; a hit whose turn commits nothing in time gets its card.

        `waiting` returns the id of the stored message; empty where no turn of it is to come.
        """
        if not self.is_hit:
            return await storing
        subscription, watched = self.inputs.hub.expect_card(self.key), False
        try:
            stored = await storing
            if message_id := waiting(stored):
                late = self._tell_late(subscription, message_id)
                watched = self.inputs.background.spawn(late, label="owed cards")
            return stored
        finally:
            if not watched:
                subscription.close()

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

    async def _stored(self) -> AcceptedInput:
        accept = self.inputs.turns.accept
        async with self.admitted():
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
        before = await self.inputs.found_in(earlier)
        both = await self.inputs.found_in((*earlier, *written_in(self.user_input.parts)))
        return both.heard.level > before.heard.level

    def admitted(self) -> AbstractAsyncContextManager[None]:
        """Count the input while it is being stored; see `Admission.input`."""
        has_card = self.found.heard.level >= SafetyLevel.THIRD_PARTY
        return self.inputs.admission.input(self.key, self.user_input, has_card=has_card)

    async def within(self, work: Coroutine[Any, Any, T]) -> T:
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
        inputs, message_id = self.inputs, self.client_message_id
        if not is_name(message_id):
            message_id = new_id("ref")
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
