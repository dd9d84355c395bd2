"""The store's rules that are no matter of rows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.domain.conversation import IfBusy
from heartrule.domain.monitoring import Advice, AdviceState
from session_store.turn_rules import (
    LEAST_WINDOW,
    WINDOW_BLOCK,
    first_unsummarized,
    group_size,
    has_outlived,
    joins_failed,
    judged_position,
    state_of_new,
    window_start,
)
from tests.support.store_builders import advice, at_round

M, Q, R = IfBusy.MERGE, IfBusy.QUEUE, IfBusy.REJECT


@given(st.integers(min_value=0, max_value=10_000))
def test_the_window_moves_by_blocks(turn_no: int) -> None:
    """The window begins on a block's first turn and holds at least ten turns where there are."""
    start = window_start(turn_no)
    assert start % WINDOW_BLOCK == 0
    assert min(turn_no, LEAST_WINDOW) <= turn_no - start < LEAST_WINDOW + WINDOW_BLOCK


@pytest.mark.parametrize(
    ("sizes", "covered", "next_turn", "first"),
    [
        ([9] * 7, 0, 7, 0),
        ([9] * 8, 0, 8, 4),
        ([9] * 8, 4, 12, 8),
        ([9] * 30, 0, 30, 26),
        ([2_500] * 12, 0, 12, 2),
        ([9_000] * 12, 3, 15, 4),
        ([9] * 60, 0, 900, 60),
        ([], 0, 0, 0),
    ],
)
def test_a_summary_takes_in_what_it_can(
    sizes: list[int], covered: int, next_turn: int, first: int
) -> None:
    """A revision takes in four turns or more, never the newest four, and one long one at a time."""
    found = first_unsummarized(sizes, covered=covered, next_turn=next_turn, most=6_000)
    assert found == first


@pytest.mark.parametrize(
    ("waiting", "size"),
    [((), 0), ((M,), 1), ((M, R, M), 3), ((M, M, Q), 2), ((Q, M), 1), ((Q, Q), 1), ((M, Q, M), 1)],
)
def test_a_group_ends_before_a_queued_input(waiting: tuple[IfBusy, ...], size: int) -> None:
    """All waiting inputs merge up to the first QUEUE input, which is a group of its own."""
    assert group_size(waiting) == size


@pytest.mark.parametrize(
    ("inputs", "waiting", "joining"),
    [((M,), (M, M), 2), ((M,), (M, Q), 1), ((M,), (Q, M), 0), ((Q,), (M,), 0), ((M,), (), 0)],
)
def test_only_merging_inputs_join_a_failed_turn(
    inputs: tuple[IfBusy, ...], waiting: tuple[IfBusy, ...], joining: int
) -> None:
    """A QUEUE input neither joins a failed turn nor lets others join its own."""
    assert joins_failed(inputs, waiting) == joining


@pytest.mark.parametrize(("turn_no", "outlived"), [(4, False), (5, False), (6, True)])
def test_an_advice_lives_for_its_turns(turn_no: int, *, outlived: bool) -> None:
    """An advice about turn 3 that may wait two turns serves turns 4 and 5."""
    given_advice = advice(ttl_turns=2)
    assert has_outlived(given_advice, judged_turn_no=3, turn_no=turn_no) is outlived


@pytest.mark.parametrize(
    ("ended", "known", "state"),
    [
        (False, (), AdviceState.PENDING),
        (False, (advice("older", 1),), AdviceState.PENDING),
        (False, (advice("same", 2),), AdviceState.PENDING),
        (False, (advice("newer", 3, state=AdviceState.CONSUMED),), AdviceState.SUPERSEDED),
        (True, (), AdviceState.EXPIRED),
        (True, (advice("newer", 3),), AdviceState.EXPIRED),
    ],
)
def test_a_new_advice_gets_the_state_that_fits(
    known: tuple[Advice, ...], state: AdviceState, *, ended: bool
) -> None:
    """Expired where its action has ended, superseded where a higher round was advised on."""
    assert state_of_new(advice("new", 2), instance_ended=ended, known=known) is state


def test_a_round_is_judged_where_its_action_stood() -> None:
    """The place is the one after the step, or the one before it where the action ended."""
    before, goes_on = at_round(1), at_round(2)
    gone = replace(goes_on, action_instance_id="ai_2")
    assert judged_position("ai_1", before=before, after=goes_on) is goes_on
    assert judged_position("ai_1", before=before, after=gone) is before
