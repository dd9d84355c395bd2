"""Random decisions and workflows for a play on a store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from random import Random

from heartrule.domain.decisions import DecisionState
from heartrule.domain.keys import SessionKey
from session_store.records import (
    DecisionChange,
    DecisionFilter,
    Page,
    SessionRecord,
    Spending,
    SpendingLimits,
    StepCommit,
    SubmittedDecision,
)
from tests.support.store_decisions import REJECTED, VALID, decided, made, moved, revision

STATES = tuple(DecisionState)


def with_decisions(dice: Random, step: StepCommit, number: int, known: Sequence[str]) -> StepCommit:
    """Return the step with what it decides, mostly nothing.

    Args:
        dice: The play's.
        step: As it is without.
        number: Higher than any before in the play; it names what is new.
        known: Ids of decisions that the session has.
    """
    if dice.random() < 0.6:
        return step
    name = f"dec_{number}"
    verdict = dice.choice([VALID, REJECTED, None])
    changes = [made(name, verdict, state=dice.choice(STATES))] * dice.randrange(2)
    if known and dice.random() < 0.5:
        again = dice.choice([None, VALID, REJECTED])
        changes.append(moved(dice.choice(STATES), dice.choice(known), verdict=again))
    own, other = revision(number, "wf_1", name), revision(1, f"wf_{number}", name)
    return replace(step, decisions=tuple(changes), workflows=(own, other)[: dice.randrange(3)])


async def random_decision(
    do: Callable[..., Awaitable[object]], dice: Random, keys: Sequence[SessionKey]
) -> None:
    """Submit a decision between turns, a known id now and then, and read decisions."""
    key, name = dice.choice(keys), f"op_{dice.randrange(9)}"
    session = await do("get_session", key)
    last = session.last_sequence if isinstance(session, SessionRecord) else 0
    change = DecisionChange(
        decision=decided(name), state=dice.choice(STATES), verdict=dice.choice([VALID, REJECTED])
    )
    late = dice.random() < 0.1
    await do("submit_decision", SubmittedDecision(key=key, change=change, at_sequence=last - late))
    await do("open_decisions", key)
    await do("get_decision", key, name)
    wanted = DecisionFilter(state=dice.choice(STATES), decision_type="create_node")
    await do("list_decisions", key, Page(size=3), wanted)
    await do("get_workflow", key, "wf_1", dice.randrange(3))
    # `spent` tells the minute's calls too, and two plays may run in two minutes.
    limits = SpendingLimits(llm_tokens=dice.choice([None, 90]), api_calls=dice.choice([None, 9]))
    used = {"llm_tokens": dice.randrange(20), "api_calls": dice.randrange(3)}
    await do("spend", Spending(key=key, limits=limits, **used))
