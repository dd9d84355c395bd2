"""What the agents of a session are told of it."""

from __future__ import annotations

import pytest

from executor_service.decisions.policy import NO_POLICY, DecisionPolicies, DecisionPolicy
from executor_service.decisions.stored_session import StoredSessions
from session_store.open import open_in_memory
from session_store.records import Spending
from session_store.records.spending import SpentSoFar
from tests.support.store_builders import opened
from tests.support.store_decisions import made, revision, turn_with

LIMITED = DecisionPolicy(llm_tokens_per_session=100)


@pytest.mark.parametrize(
    ("policy", "spent"),
    [(LIMITED, SpentSoFar(llm_tokens=40)), (NO_POLICY, SpentSoFar())],
)
async def test_what_runs_have_used_is_read_where_it_is_limited(
    policy: DecisionPolicy, spent: SpentSoFar
) -> None:
    """Whichever process counted it; where nothing is limited the counters are not read."""
    store = open_in_memory()
    key = await opened(store)
    await store.spend(Spending(key=key, llm_tokens=40))
    read = StoredSessions(store=store, policies=DecisionPolicies(default=policy))
    assert (await read(key, "")).ground.spent == spent


async def test_what_the_script_brought_is_told_from_what_was_drafted() -> None:
    """One that the session changed is its own."""
    store = open_in_memory()
    brought = tuple(revision(1, name).workflow for name in ("a", "b"))
    key = await opened(store, workflows=brought)
    await turn_with(store, key, "m1", made(), workflows=(revision(2, "a"),))
    ground = (await StoredSessions(store=store)(key, "")).ground
    assert [each.workflow_id for each in ground.workflows] == ["b", "a"]
    assert ground.of_script == {"b"}
