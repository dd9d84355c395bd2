"""Random interrupts, and turns left by their holder, for plays that compare stores."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from random import Random

from heartrule.domain.events import DraftPosition
from heartrule.domain.keys import SessionKey
from session_store.records import InterruptOrder, TurnLeft, TurnSnapshot
from tests.support.store_builders import call


async def random_stop(
    do: Callable[..., Awaitable[object]],
    dice: Random,
    snapshots: Sequence[TurnSnapshot],
    live: MutableMapping[SessionKey, TurnSnapshot],
) -> None:
    """Interrupt a turn that was seen lately, or leave one."""
    if not snapshots:
        return
    snapshot = dice.choice([*live.values(), *snapshots[-3:]])
    key = snapshot.lease.key
    if dice.random() < 0.7:
        heard = DraftPosition(message_id="msg", offset=3) if dice.random() < 0.3 else None
        name = dice.choice(["", "r1", "r2"])
        turn_id = dice.choice([snapshot.turn_id] * 9 + ["nobody"])
        await do(
            "interrupt_turn", InterruptOrder(key=key, turn_id=turn_id, request_id=name, heard=heard)
        )
        return
    calls = (call(f"left_{snapshot.lease.token}"),) * dice.randrange(2)
    left = TurnLeft(turn_id=snapshot.turn_id, attempt=snapshot.attempt, calls=calls)
    await do("leave_turn", snapshot.lease, left)
    live.pop(key, None)
