"""The token a running turn is stopped with."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from executor_service.turn_stopping import Stopped, StopToken
from session_store.records import StopKind, StopRequest

INTERRUPT = StopRequest(turn_id="turn_1", attempt=1, kind=StopKind.INTERRUPT, request_id="r1")
RESTART = StopRequest(turn_id="turn_1", attempt=1, kind=StopKind.RESTART)


async def waiting(token: StopToken, begun: asyncio.Event) -> None:
    """Wait for ever within the token."""
    with token:
        begun.set()
        await asyncio.Event().wait()


async def asked_while_waiting(token: StopToken, *requests: StopRequest) -> asyncio.Task[None]:
    """Return a task that waits within the token, and has been asked."""
    begun = asyncio.Event()
    task = asyncio.create_task(waiting(token, begun))
    await begun.wait()
    for request in requests:
        token.ask(request)
    await asyncio.wait({task})
    return task


@pytest.mark.parametrize("asked", [INTERRUPT, RESTART])
async def test_a_wait_is_cut_short(asked: StopRequest) -> None:
    """It ends with what was asked, and leaves no cancellation behind."""
    task = await asked_while_waiting(StopToken(), asked)
    error = task.exception()
    assert isinstance(error, Stopped)
    assert (error.request, task.cancelling()) == (asked, 0)


async def test_of_two_interrupts_the_first_counts() -> None:
    """Asked twice in one moment, it is cancelled once."""
    later = StopRequest(turn_id="turn_1", attempt=1, kind=StopKind.INTERRUPT, request_id="r2")
    error = (await asked_while_waiting(StopToken(), INTERRUPT, later, RESTART)).exception()
    assert isinstance(error, Stopped)
    assert error.request is INTERRUPT


async def test_an_answer_to_a_whole_text_lets_its_step_end() -> None:
    """The step is not cut short; the turn stops behind it."""
    token, answer = StopToken(), replace(INTERRUPT, keeps_shown=True)
    with token:
        token.said = True
        asking = asyncio.create_task(_ask(token, answer))
        await asking
    assert token.interrupted


@pytest.mark.parametrize("asked", [INTERRUPT, replace(INTERRUPT, keeps_shown=True, urgent="m2")])
async def test_danger_and_the_clients_stop_do_not_wait(asked: StopRequest) -> None:
    """They stop a step whose text is complete like any other."""
    token = StopToken()
    token.said = True
    error = (await asked_while_waiting(token, asked)).exception()
    assert isinstance(error, Stopped)


async def _ask(token: StopToken, request: StopRequest) -> None:
    token.ask(request)


async def test_what_was_asked_before_counts_at_once() -> None:
    """Nothing is begun any more."""
    with pytest.raises(Stopped), StopToken(INTERRUPT):
        pytest.fail("it was entered")


async def test_asked_outside_it_waits_for_the_next_safe_point() -> None:
    """A commit under way is finished first."""
    token = StopToken()
    with token:
        pass
    token.ask(INTERRUPT)
    await asyncio.wait({asyncio.create_task(_done())})
    with pytest.raises(Stopped), token:
        pytest.fail("it was entered")


async def _done() -> None:
    """Be a step that is committed."""


async def test_a_restart_that_comes_too_late_asks_nothing() -> None:
    """Once something was said the turn goes on, whenever the restart was asked."""
    token = StopToken()
    token.ask(RESTART)
    token.visible = True
    with token:
        token.ask(RESTART)
    assert token.request is None


async def test_a_foreign_cancellation_passes() -> None:
    """Who cancels the task cancels it, also beside an interrupt."""
    token, begun = StopToken(), asyncio.Event()
    task = asyncio.create_task(waiting(token, begun))
    await begun.wait()
    token.ask(INTERRUPT)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()


async def test_what_was_heard_may_be_kept() -> None:
    """A cancellation that is absorbed ends nothing, and says that a reply was cut."""
    token, begun = StopToken(), asyncio.Event()

    async def speaking() -> str:
        with token:
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                assert token.absorb()
        return "kept"

    task = asyncio.create_task(speaking())
    await begun.wait()
    token.ask(INTERRUPT)
    assert (await task, token.cut, task.cancelling()) == ("kept", True, 0)


async def test_nothing_is_absorbed_that_was_not_asked() -> None:
    """A cancellation from elsewhere is none of the token's."""
    token = StopToken()
    assert not token.absorb()
    with token:
        assert not token.absorb()
