"""A recommendation beside a round: in time, late, given up, failed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.problem import Degradation
from tests.support.fake_model import FakeModel, Reply, whole
from tests.support.strategies import adviser, decision, strategy_reply

CONTEXT = decision().context


def held(text: str) -> Reply:
    """Return an answer that does not end before its gate opens."""
    reply = whole(text)
    reply.gate = asyncio.Event()
    return reply


def reasons(found: tuple[Degradation, ...]) -> list[tuple[str, str]]:
    """Return reason and cause of each degradation."""
    assert all(each.stage == "strategy" for each in found)
    return [(each.reason, each.metadata.get("cause", "")) for each in found]


async def test_an_answer_in_time() -> None:
    """A patient caller has the recommendation at once, and its call in the ledger at the end."""
    advising = adviser(FakeModel([strategy_reply()]))
    asked = await advising.begin(CONTEXT, patient=True)
    assert asked.recommendation is not None
    assert advising.ledger == []
    assert await advising.end(asked, needed=True) == ()
    assert (asked.context, asked.running) == (CONTEXT, False)
    assert [call.prompt_type for call in advising.ledger] == ["strategy_generation"]


async def test_a_late_answer_serves_the_next_round() -> None:
    """The round that asked ends at once; the next one takes what came meanwhile, with its call."""
    late = held(strategy_reply())
    assert late.gate is not None
    advising = adviser(FakeModel([late]), wait_s=0)
    asked = await advising.begin(CONTEXT, patient=True)
    assert reasons(await advising.end(asked, needed=True)) == [("STRATEGY_LATE", "")]
    assert (asked.recommendation, asked.running) == (None, True)
    late.gate.set()
    following = replace(advising, round=2)
    taken = following.take_late()
    assert taken is asked
    await taken.begun(1.0)
    assert (await following.end(taken, needed=True), len(advising.ledger)) == ((), 1)
    assert taken.recommendation is not None


async def test_a_late_answer_is_taken_once_and_by_its_own_action() -> None:
    """Another action of the session has no use for it."""
    advising = adviser(FakeModel([held("x")]), wait_s=0)
    asked = await advising.begin(CONTEXT, patient=True)
    await advising.end(asked, needed=True)
    following = replace(advising, round=2)
    assert replace(following, instance_id="act_9").take_late() is None
    assert following.take_late() is asked
    assert following.take_late() is None


async def test_a_late_answer_to_a_round_taken_back_is_given_up() -> None:
    """After a retry the round is asked for again, by what the session holds then."""
    advising = adviser(FakeModel([held("x")]), wait_s=0)
    asked = await advising.begin(CONTEXT, patient=True)
    await advising.end(asked, needed=True)
    assert advising.take_late() is None
    await asked.drop([])
    assert asked.recommendation is None


async def test_closing_gives_late_answers_up() -> None:
    """A process that stops leaves no call behind."""
    advising = adviser(FakeModel([held("x")]), wait_s=0)
    await advising.end(await advising.begin(CONTEXT, patient=True), needed=True)
    await advising.strategies.late.aclose()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_an_answer_that_never_comes_is_given_up() -> None:
    """Past its time the call ends, and the round that takes it says so."""
    advising = adviser(FakeModel([held("x")]), wait_s=1.0, timeout_s=0)
    asked = await advising.begin(CONTEXT, patient=True)
    ended = await advising.end(asked, needed=True)
    assert (asked.recommendation, asked.running) == (None, False)
    assert reasons(ended) == [("NO_STRATEGY", "STRATEGY_TIMED_OUT")]


async def test_what_nobody_needs_is_not_waited_for() -> None:
    """An action that ended leaves its recommendation behind at once."""
    advising = adviser(FakeModel([held("x")]), wait_s=0)
    asked = await advising.begin(CONTEXT, patient=True)
    assert reasons(await advising.end(asked, needed=False)) == [("STRATEGY_LATE", "")]
    assert asked.recommendation is None


async def test_a_failure_is_told_with_its_cause() -> None:
    """The model's own reason is kept; nothing is raised."""
    down = Reply((), fails=ModelUnavailable("down", reason="MODEL_TIMEOUT"))
    advising = adviser(FakeModel([down]))
    asked = await advising.begin(CONTEXT, patient=True)
    ended = await advising.end(asked, needed=True)
    assert asked.recommendation is None
    assert reasons(ended) == [("NO_STRATEGY", "MODEL_TIMEOUT")]
    assert [call.error for call in advising.ledger] == ["MODEL_TIMEOUT"]


async def test_an_impatient_caller_goes_on() -> None:
    """Without patience the call is sent and nothing is waited for; being slow is no fault."""
    slow = held(strategy_reply())
    advising = adviser(FakeModel([slow]))
    asked = await advising.begin(CONTEXT, patient=False)
    assert slow.started.is_set()
    assert asked.recommendation is None
    assert await advising.end(asked, needed=True) == ()
    assert asked.running


async def test_a_cancelled_wait_leaves_no_call_behind() -> None:
    """Whoever is stopped while waiting stops the model, too."""
    reply = held("x")
    advising = adviser(FakeModel([reply]))
    waiting = asyncio.create_task(advising.begin(CONTEXT, patient=True))
    await reply.started.wait()
    waiting.cancel()
    await asyncio.wait({waiting})
    assert asyncio.all_tasks() == {asyncio.current_task()}
