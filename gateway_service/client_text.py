"""A text of a client on its way to the executor, and what is shown where no answer comes.

The executor's own card comes first. Without one the gateway reads the text itself, but only once an
answer has failed or is late: a text that is answered costs nothing here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import grpc
from starlette.requests import Request

from gateway_service.crisis_screen import CrisisScreen, FoundDanger
from gateway_service.problems import HttpProblem, problem
from gateway_service.seen_sessions import UNSEEN, SeenSession, SeenSessions
from gateway_service.services import Services
from heartrule.chassis import telemetry_metrics
from heartrule.chassis.log_context import bind
from heartrule.v1 import safety_pb2

log = logging.getLogger(__name__)
CARDS = "heartrule.gateway.cards"

# The executor accepts an input, or refuses it with a card, within two seconds of a silent store.
FIRST_S = 3.0
# A reply that is sent whole is waited for so much longer than its card: its model may hang.
REST_S = 1.0
_SERVER_FAILED = 500

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientText:
    """One text, and where its sender is."""

    screen: CrisisScreen
    text: str
    locale: str
    """BCP 47 tag of whoever sends it; empty: unknown. That of the session counts before it."""
    session_id: str = ""
    """Empty where the session is not known yet."""
    session: SeenSession = UNSEEN
    """What passed of the session before."""
    refused: HttpProblem | None = None
    """Why the text is not even sent to the executor."""
    card_shown: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the executor has answered it by a fixed safety text."""
    first_s: float = FIRST_S
    rest_s: float = REST_S

    def sent_to(self, session_id: str, seen: SeenSessions) -> ClientText:
        """Return the text with its session, and what passed of that."""
        return replace(self, session_id=session_id, session=seen.of(session_id))

    async def card(self) -> safety_pb2.SafetyCard | None:
        """Return the card that the text calls for; None where it calls for none."""
        found = await self._read()
        return None if found is None else found.card

    async def answered(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what the work gives: a sign that the executor has the text.

        Raises:
            HttpProblem: The work failed, or is late where the text calls for a card, which is in
                `card` then.
        """
        return await self._unless_late(work, self._first)

    async def whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the whole reply.

        Raises:
            HttpProblem: As `answered`; late is what comes long after the executor's card.
        """
        return await self._unless_late(work, self._rest)

    async def seen(self, error: HttpProblem, *, shown: bool = False) -> HttpProblem:
        """Return the problem, with the card that the text calls for where the executor gave none.

        A refusal of the executor without a card stays one: its script may have no crisis path.
        """
        wanted = error.card is None and not self.card_shown.is_set()
        if wanted and (shown or error.status >= _SERVER_FAILED):
            found = await self._read()
            if found is not None:
                error.card = found.card
                self._report(found, error.reason)
        return error

    async def _read(self) -> FoundDanger | None:
        seen = self.session
        return await self.screen.read(
            self.text, locale=seen.locale or self.locale, question=seen.question
        )

    def _report(self, found: FoundDanger, reason: str) -> None:
        """Note a hit that no executor may know of, for operators; without words."""
        level = found.level.name.lower()
        telemetry_metrics.count(CARDS, level=level, reason=reason)
        with bind(session_id=self.session_id):
            log.warning(
                "the gateway showed a card by itself; no alert may have been made",
                extra={"safety_level": level, "rules": found.rules, "reason": reason},
            )

    async def _unless_late(
        self,
        work: Coroutine[Any, Any, T],
        done_or_late: Callable[[asyncio.Future[Any]], Awaitable[None]],
    ) -> T:
        if self.refused is not None:
            work.close()
            raise await self.seen(self.refused, shown=True)
        task = asyncio.ensure_future(work)
        try:
            await done_or_late(task)
            if not task.done():
                raise problem(
                    grpc.StatusCode.DEADLINE_EXCEEDED, "EXECUTOR_LATE",
                    "the executor has not answered yet; the turn may go on",
                )  # fmt: skip
            return await task
        except HttpProblem as error:
            raise await self.seen(error) from error
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, HttpProblem):
                await task

    async def _first(self, task: asyncio.Future[Any]) -> None:
        await asyncio.wait({task}, timeout=self.first_s)
        if not task.done() and await self.card() is None:
            await asyncio.wait({task})

    async def _rest(self, task: asyncio.Future[Any]) -> None:
        shown: asyncio.Future[Any] = asyncio.ensure_future(self.card_shown.wait())
        try:
            await asyncio.wait({task, shown}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            shown.cancel()
        await asyncio.wait({task}, timeout=self.rest_s)


def client_text(
    services: Services, request: Request, text: str, *, session_id: str = ""
) -> ClientText:
    """Return a text; its sender's region is the session's, else that of their first language."""
    accepted = request.headers.get("accept-language", "").partition(",")[0].partition(";")[0]
    found = ClientText(
        screen=services.screen,
        text=text,
        locale=accepted.strip().replace("*", "")[:64],
        refused=services.callers.input_refusal(request),
    )
    return found.sent_to(session_id, services.executor.seen)
