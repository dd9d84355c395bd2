"""All that can be read of a session, in a random play."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random

from heartrule.domain.keys import SessionKey
from session_store.records import Page, TurnSnapshot

LISTS = (
    *("list_messages", "list_calls", "list_operations", "list_snapshots", "list_exits"),
    *("list_strategies", "list_metrics", "list_plan_edits", "list_feedback"),
    *("list_decisions", "list_workflows", "list_runs", "list_threads"),
)
"""The reads that come in pages by sequence."""


async def read_session(
    do: Callable[..., Awaitable[object]],
    dice: Random,
    key: SessionKey,
    turns: Sequence[TurnSnapshot],
) -> None:
    """Read a session whole, and these turns; `do` calls the store by a method's name."""
    await do("get_session", key)
    await do("find_stop", key)
    await do("list_variables", key)
    await do("read_events", key, dice.randrange(5), 999)
    for turn in turns:
        await do("read_turn", turn.lease.key, turn.turn_id)
    await do("list_definitions", key)
    await do("latest_operations", key, ["x", "z"], most=3)
    await do("last_exit", key)
    for method in LISTS:
        page = await do(method, key, Page(size=7))
        if isinstance(page, tuple) and page[1]:
            await do(method, key, Page(size=99, token=page[1]))
