"""A recommendation beside a round: in time, late, given up, failed."""

from __future__ import annotations

import asyncio

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
    answer = await asked.end(needed=True)
    assert (answer.context, answer.recommendation) == (CONTEXT, asked.recommendation)
    assert answer.degradations == ()
    assert [call.prompt_type for call in advising.ledger] == ["strategy_generation"]


async def test_a_late_answer_is_kept() -> None:
    """What did not come within the limit may come until the end of the round."""
    late = held(strategy_reply())
    assert late.gate is not None
    asked = await adviser(FakeModel([late]), wait_s=0).begin(CONTEXT, patient=True)
    assert asked.recommendation is None
    late.gate.set()
    answer = await asked.end(needed=True)
    assert answer.recommendation is not None
    assert reasons(answer.degradations) == [("STRATEGY_LATE", "")]


async def test_an_answer_that_never_comes_is_given_up() -> None:
    """Past its time nobody waits, and the round says so."""
    asked = await adviser(FakeModel([held("x")]), wait_s=0, timeout_s=0).begin(
        CONTEXT, patient=True
    )
    answer = await asked.end(needed=True)
    assert answer.recommendation is None
    assert reasons(answer.degradations) == [("NO_STRATEGY", "STRATEGY_TIMED_OUT")]


async def test_what_nobody_needs_is_not_waited_for() -> None:
    """An action that ended leaves its recommendation behind at once."""
    asked = await adviser(FakeModel([held("x")]), wait_s=0).begin(CONTEXT, patient=True)
    answer = await asked.end(needed=False)
    assert answer.recommendation is None
    assert reasons(answer.degradations) == [("STRATEGY_LATE", "")]


async def test_a_failure_is_told_with_its_cause() -> None:
    """The model's own reason is kept; nothing is raised."""
    down = Reply((), fails=ModelUnavailable("down", reason="MODEL_TIMEOUT"))
    advising = adviser(FakeModel([down]))
    answer = await (await advising.begin(CONTEXT, patient=True)).end(needed=True)
    assert answer.recommendation is None
    assert reasons(answer.degradations) == [("NO_STRATEGY", "MODEL_TIMEOUT")]
    assert [call.error for call in advising.ledger] == ["MODEL_TIMEOUT"]


async def test_an_impatient_caller_goes_on() -> None:
    """Without patience the call is sent and nothing is waited for; being slow is no fault."""
    slow = held(strategy_reply())
    assert slow.gate is not None
    asked = await adviser(FakeModel([slow])).begin(CONTEXT, patient=False)
    assert slow.started.is_set()
    assert asked.recommendation is None
    slow.gate.set()
    answer = await asked.end(needed=True)
    assert answer.recommendation is not None
    assert answer.degradations == ()


async def test_a_cancelled_wait_leaves_no_call_behind() -> None:
    """Whoever is stopped while waiting stops the model, too."""
    reply = held("x")
    advising = adviser(FakeModel([reply]))
    waiting = asyncio.create_task(advising.begin(CONTEXT, patient=True))
    await reply.started.wait()
    waiting.cancel()
    await asyncio.wait({waiting})
    assert asyncio.all_tasks() == {asyncio.current_task()}
