"""What a session's nodes use is counted in the store, within the policy's limits."""

from __future__ import annotations

from executor_service.decisions.policy import DecisionPolicy
from executor_service.decisions.session_spending import SessionSpending
from session_store.open import open_in_memory
from tests.support.store_builders import opened

LIMITED = DecisionPolicy(llm_tokens_per_session=100, api_calls_per_session=1)


async def test_what_passes_a_limit_is_not_allowed() -> None:
    """And it is not counted; what was used all the same is counted beyond every limit."""
    store = open_in_memory()
    key = await opened(store)
    spending = SessionSpending(store=store, key=key, policy=LIMITED)
    assert await spending.allow(llm_tokens=90)
    assert not await spending.allow(llm_tokens=20)
    await spending.add(llm_tokens=30)
    assert await spending.allow(api_calls=1)
    assert not await spending.allow(api_calls=1)
    spent = await store.spent(key)
    assert (spent.llm_tokens, spent.api_calls) == (120, 1)
