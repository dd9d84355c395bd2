"""Turns that are stopped in any order of events: nothing lost, doubled or left half."""

from __future__ import annotations

import os

from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.stopping_play import StoppingPlay

MANY = int(os.environ.get("INTERLEAVINGS", "25"))
STEPS = 25


def test_no_order_of_stops_and_crashes_breaks_a_conversation() -> None:
    """Each input once, one outcome for each turn, no gap, every draft kept or void."""
    wanted = settings(
        max_examples=MANY,
        stateful_step_count=STEPS,
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking takes minutes
    )
    run_state_machine_as_test(StoppingPlay, settings=wanted)
