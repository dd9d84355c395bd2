"""Random ways back in a session, for a play on a store."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from heartrule.domain.keys import SessionKey
from heartrule.domain.replacement import ActionReplacement
from session_store.records import ForkOrder, RetryOrder

TRIED = ActionReplacement(phase_id="p1", topic_id="t1", action_id="a1", config={"content": "?"})
"""What an author tries."""


def random_retry(dice: Random, key: SessionKey, client_message_id: str) -> RetryOrder:
    """Return a wish to take the last turn back."""
    return RetryOrder(
        key=key,
        request_id=dice.choice(["", "r1", "r2"]),
        text=dice.choice(["", "anew"]),
        client_message_id=client_message_id,
    )


def random_fork(
    dice: Random, source: SessionKey, session_id: str, turns: Sequence[str]
) -> ForkOrder:
    """Return a wish to fork after one of the turns, or before the action that is tried."""
    return ForkOrder(
        source=source,
        session_id=session_id,
        from_turn_id=dice.choice(turns),
        request_id=dice.choice(["", "", "f1"]),
        replacement=dice.choice([None, None, TRIED]),
    )
