"""What a person in danger is shown where the executor refuses, fails or is silent.

The executor's own card comes first. Without one the gateway reads the text itself, but only once an
answer has failed or is late: a text that is answered costs nothing here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from starlette.requests import Request

from gateway_service.crisis_screen import CrisisScreen
from gateway_service.problems import HttpProblem, problem
from gateway_service.services import Services
from heartrule.v1 import safety_pb2

# The executor accepts an input, or refuses it with a card, within two seconds of a silent store.
FIRST_S = 3.0
# A reply that is sent whole is not waited for much longer once it has a text: its model may hang.
WHOLE_S = 6.0
# How often a late reply is looked at for a text to show.
_LOOK_S = 0.5
_SERVER_FAILED = 500

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyDoor:
    """One text of a client on its way to the executor."""

    screen: CrisisScreen
    text: str
    locale: str
    """BCP 47 tag of whoever sends it; empty: unknown."""
    refused: HttpProblem | None = None
    """Why the text is not even sent to the executor."""
    first_s: float = FIRST_S
    whole_s: float = WHOLE_S

    async def card(self) -> safety_pb2.SafetyCard | None:
        """Return the card that the text calls for; None where it calls for none."""
        return await self.screen.card(self.text, self.locale)

    async def answered(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what the work gives: a sign that the executor has the text.

        Raises:
            HttpProblem: The work failed, or is late where the text calls for a card, which is in
                `card` then.
        """
        return await self._within(work, self.first_s, lambda: True)

    async def whole(self, work: Coroutine[Any, Any, T], shown: Callable[[], bool]) -> T:
        """Return the whole reply; not much later than its first text where that is a card.

        Args:
            work: Gives the reply.
            shown: Whether a part of it is there.

        Raises:
            HttpProblem: As `answered`.
        """
        return await self._within(work, self.whole_s, shown)

    async def seen(self, error: HttpProblem, *, shown: bool = False) -> HttpProblem:
        """Return the problem, with the card that the text calls for where the executor gave none.

        A refusal of the executor without a card stays one: its script may have no crisis path.
        """
        if error.card is None and (shown or error.status >= _SERVER_FAILED):
            error.card = await self.card()
        return error

    async def _within(
        self, work: Coroutine[Any, Any, T], seconds: float, may_end: Callable[[], bool]
    ) -> T:
        if self.refused is not None:
            work.close()
            raise await self.seen(self.refused, shown=True)
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task}, timeout=seconds)
            if not task.done() and await self.card() is not None:
                await _done_or(task, may_end)
            return await task
        except HttpProblem as error:
            raise await self.seen(error) from error
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, HttpProblem):
                await task


async def _done_or(task: asyncio.Future[Any], may_end: Callable[[], bool]) -> None:
    """Return once the task is done, or raise where it may end without."""
    while not task.done():
        if may_end():
            raise problem(
                grpc.StatusCode.DEADLINE_EXCEEDED, "EXECUTOR_LATE",
                "the executor has not answered yet; the turn may go on",
            )  # fmt: skip
        await asyncio.wait({task}, timeout=_LOOK_S)


def door_for(services: Services, request: Request, text: str) -> SafetyDoor:
    """Return the door of a text; its region is that of the caller's first language, if any."""
    accepted = request.headers.get("accept-language", "").partition(",")[0].partition(";")[0]
    return SafetyDoor(
        screen=services.screen,
        text=text,
        locale=accepted.strip().replace("*", "")[:64],
        refused=services.callers.input_refusal(request),
    )
