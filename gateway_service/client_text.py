"""A text of a client on its way to the executor, and what is shown where no answer comes.

The executor's own card comes first. Without one the gateway reads the text itself, but only once an
answer has failed or is late: a text that is answered costs nothing here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import grpc
from starlette.requests import Request

from gateway_service.crisis_screen import CrisisScreen
from gateway_service.problems import HttpProblem, problem
from gateway_service.services import Services
from heartrule.v1 import safety_pb2

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
    """BCP 47 tag of whoever sends it; empty: unknown."""
    refused: HttpProblem | None = None
    """Why the text is not even sent to the executor."""
    card_shown: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the executor has answered it by a fixed safety text."""
    first_s: float = FIRST_S
    rest_s: float = REST_S

    async def card(self) -> safety_pb2.SafetyCard | None:
        """Return the card that the text calls for; None where it calls for none."""
        return await self.screen.card(self.text, self.locale)

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
            error.card = await self.card()
        return error

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


def client_text(services: Services, request: Request, text: str) -> ClientText:
    """Return a text; its sender's region is that of their first language, if any."""
    accepted = request.headers.get("accept-language", "").partition(",")[0].partition(";")[0]
    return ClientText(
        screen=services.screen,
        text=text,
        locale=accepted.strip().replace("*", "")[:64],
        refused=services.callers.input_refusal(request),
    )
