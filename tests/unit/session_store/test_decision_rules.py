"""How a decision stands, and how it stood."""

from __future__ import annotations

import pytest

from heartrule.domain.decisions import DecisionState
from heartrule.domain.json_value import JsonValue
from session_store.decisions.decision_rules import (
    DEEPEST,
    LARGEST,
    Standing,
    after,
    bare,
    kept_payload,
    up_to,
    whole,
)
from tests.support.store_decisions import EFFECTIVE, PAYLOAD, REJECTED, VALID, moved

HELD, RUNNING, DONE = DecisionState.HELD, DecisionState.RUNNING, DecisionState.DONE
FIRST = Standing(since=5, state=HELD, verdict=bare(VALID))


def test_a_change_keeps_what_was() -> None:
    """The verdict holds until there is another."""
    now, earlier = after((FIRST, ()), moved(RUNNING), 9)
    assert (now, earlier) == (Standing(since=9, state=RUNNING, verdict=bare(VALID)), (FIRST,))
    again, _ = after((now, earlier), moved(DecisionState.REJECTED, verdict=REJECTED), 12)
    assert again.verdict == bare(REJECTED)


@pytest.mark.parametrize(
    ("last", "state", "left"), [(20, DONE, 2), (11, RUNNING, 1), (8, HELD, 0), (1, HELD, 0)]
)
def test_it_stands_as_it_did_at_an_event(last: int, state: DecisionState, left: int) -> None:
    """Later standings are gone; the first one never is."""
    standings = after(after((FIRST, ()), moved(RUNNING), 9), moved(DONE), 12)
    now, earlier = up_to(standings, last)
    assert (now.state, len(earlier)) == (state, left)


def test_a_verdict_has_the_payload_that_counts() -> None:
    """Corrected where it is valid, as proposed where it is rejected."""
    assert whole(bare(VALID), PAYLOAD, EFFECTIVE) == VALID
    assert whole(bare(REJECTED), PAYLOAD, EFFECTIVE) == REJECTED
    assert whole(None, PAYLOAD, EFFECTIVE) is None


def test_a_payload_is_kept_as_large_as_may_be() -> None:
    """One byte more than the gate lets pass, and none of it is."""
    largest = "好" + "x" * (LARGEST - len('"好"'.encode()))
    assert kept_payload(largest) == largest
    assert kept_payload(largest + "x") is None


def test_a_payload_is_kept_as_deep_as_it_can_be_read() -> None:
    """One level more than that, and none of it is."""
    deep: list[JsonValue] = []
    for _ in range(DEEPEST - 1):
        deep = [deep]
    assert kept_payload(deep) == deep
    assert kept_payload([deep]) is None


@pytest.mark.parametrize(("innermost", "is_kept"), [([], True), ([1], False)])
def test_a_value_in_the_last_container_is_a_level_too(
    innermost: list[JsonValue], *, is_kept: bool
) -> None:
    """So many containers are kept, and nothing inside the last of them."""
    payload: JsonValue = innermost
    for _ in range(DEEPEST - 1):
        payload = [payload]
    assert kept_payload(payload) == (payload if is_kept else None)
