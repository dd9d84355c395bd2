"""What a session's analyses cost, and what a turn may still expect of one."""

from __future__ import annotations

from datetime import timedelta

from session_store.ports import Store
from session_store.records import PendingAnalysis
from tests.support.store_builders import (
    advised,
    analysed,
    call,
    claimed,
    judged_turn,
    opened,
    ticket,
)


async def test_the_tokens_of_all_analyses_are_counted(store: Store) -> None:
    """Failed ones too; those of turns are not among them."""
    key = await opened(store)
    await judged_turn(store, key, 1, calls=(call(prompt_tokens=900),))
    await claimed(store)
    spent = call("c1", prompt_tokens=30, completion_tokens=4)
    await store.finish_analysis(analysed(ticket(1), calls=(spent,), retry_after=timedelta(0)))
    assert (await claimed(store)).tokens_spent == 34
    await store.finish_analysis(analysed(ticket(1), calls=(spent,)))
    await judged_turn(store, key, 2)
    assert (await claimed(store, 2)).tokens_spent == 68


async def test_a_turn_may_look_for_the_advice_on_a_round(store: Store) -> None:
    """Open while it is to come, then the advice as long as it waits for a prompt."""
    key = await opened(store)
    assert await store.look_for_advice(ticket(1)) == PendingAnalysis(open=False)
    await judged_turn(store, key, 1)
    assert await store.look_for_advice(ticket(1)) == PendingAnalysis(open=True)
    await advised(store)
    found = await store.look_for_advice(ticket(1))
    assert found.open is False
    assert found.advice is not None
    assert found.advice.advice_id == "adv_1"
    await judged_turn(store, key, 2, advice_consumed="adv_1")
    assert await store.look_for_advice(ticket(1)) == PendingAnalysis(open=False)
