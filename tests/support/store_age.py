"""Summaries at any time, and retention at the end, for plays that compare stores."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random

from heartrule.domain.keys import SessionKey
from session_store.records import ForkOrder, RetryOrder, SummaryRecord, SummaryWork
from tests.support.store_builders import AT_ONCE, call
from tests.support.store_reads import read_session

CLASSES = ("delete_observations", "delete_events", "trim_ledger", "trim_runs")
"""What retention deletes of a session that stays."""


async def random_summary(
    do: Callable[..., Awaitable[object]], dice: Random, key: SessionKey, works: list[SummaryWork]
) -> None:
    """Ask for the work on a summary, and end this one or an earlier one."""
    work = await do("summary_work", key, most=dice.choice([9, 6_000]))
    if isinstance(work, SummaryWork):
        works.append(work)
    if works and dice.random() < 0.7:
        number = dice.randrange(10**9)
        text = dice.choice(["", *[f"summary {number}"] * 4])
        calls = (call(f"sum_{number}"),) * dice.randrange(2)
        await do(
            "write_summary", SummaryRecord(work=dice.choice(works[-2:]), text=text, calls=calls)
        )


async def aging(
    do: Callable[..., Awaitable[object]], dice: Random, keys: Sequence[SessionKey]
) -> None:
    """End what rests, then delete class by class, in any order; try to go back after each."""
    for key in keys:
        await do("end_idle", key, AT_ONCE)
    for method in dice.sample(CLASSES, len(CLASSES)):
        await do(method, AT_ONCE)
        await read_session(do, dice, dice.choice(keys), ())
        for key in keys:
            fork = ForkOrder(source=key, session_id=f"{key.session_id}-{method}")
            await do("fork_session", fork)
            await do("retry_turn", RetryOrder(key=key, client_message_id=method))
    await do("delete_untouched", AT_ONCE)
    for key in keys:
        await do("get_session", key)
