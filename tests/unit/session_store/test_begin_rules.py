"""Which turn begins next."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.domain.conversation import IfBusy
from session_store.begin_rules import (
    NextTurn,
    SessionState,
    TurnToBegin,
    Unfinished,
    next_turn,
    opening_turn,
)
from session_store.records import NoTurn, TurnKind, TurnLater, TurnStatus
from session_store.turn_rules import MAX_MERGES

MERGE, QUEUE = IfBusy.MERGE, IfBusy.QUEUE
IDLE = SessionState(opened=True, completed=False)
RUNNING = Unfinished(kind=TurnKind.INPUT, state=TurnStatus.RUNNING, inputs=(MERGE,))
FAILED = replace(RUNNING, state=TurnStatus.FAILED)
FULL = replace(FAILED, merges=MAX_MERGES)


@pytest.mark.parametrize(
    ("state", "choice"),
    [
        (IDLE, NoTurn.IDLE),
        (replace(IDLE, waiting=(MERGE, MERGE)), TurnToBegin(NextTurn.START, 2)),
        (replace(IDLE, waiting=(QUEUE, MERGE)), TurnToBegin(NextTurn.START, 1)),
        (replace(IDLE, opened=False), NoTurn.IDLE),
        (replace(IDLE, opened=False, waiting=(MERGE,)), TurnToBegin(NextTurn.OPEN)),
        (replace(IDLE, completed=True, waiting=(MERGE,)), NoTurn.IDLE),
        (replace(IDLE, unfinished=RUNNING), TurnToBegin(NextTurn.RESUME)),
        (replace(IDLE, unfinished=RUNNING, waiting=(MERGE,)), TurnToBegin(NextTurn.RESUME)),
        (replace(IDLE, unfinished=RUNNING, completed=True), TurnToBegin(NextTurn.RESUME)),
        (replace(IDLE, unfinished=FAILED), NoTurn.IDLE),
        (replace(IDLE, unfinished=FAILED, waiting=(MERGE, QUEUE)), TurnToBegin(NextTurn.RESUME, 1)),
        (replace(IDLE, unfinished=FAILED, waiting=(QUEUE,)), TurnToBegin(NextTurn.RESUME)),
        (replace(IDLE, unfinished=replace(FAILED, retry=True)), TurnToBegin(NextTurn.RESUME)),
        (
            replace(IDLE, unfinished=replace(FAILED, steps=1), waiting=(MERGE, QUEUE)),
            TurnToBegin(NextTurn.RESUME, 2),
        ),
        (
            replace(IDLE, unfinished=replace(FAILED, inputs=(QUEUE,)), waiting=(MERGE,)),
            TurnToBegin(NextTurn.RESUME),
        ),
        (
            replace(IDLE, unfinished=FULL, waiting=(MERGE, QUEUE)),
            TurnToBegin(NextTurn.START, 1, gives_up=True),
        ),
        (replace(IDLE, unfinished=FULL, waiting=(QUEUE,)), TurnToBegin(NextTurn.RESUME)),
        (
            replace(IDLE, unfinished=replace(FULL, retry=True), waiting=(MERGE,)),
            TurnToBegin(NextTurn.RESUME),
        ),
        (
            replace(IDLE, unfinished=replace(FULL, retry=True), waiting=(MERGE,), urgent=1),
            TurnToBegin(NextTurn.START, 1, gives_up=True),
        ),
        (
            replace(IDLE, unfinished=replace(FULL, steps=1), waiting=(MERGE,)),
            TurnToBegin(NextTurn.RESUME, 1),
        ),
        (
            replace(
                IDLE,
                opened=False,
                unfinished=replace(FAILED, kind=TurnKind.OPENING, inputs=()),
                waiting=(MERGE,),
            ),
            TurnToBegin(NextTurn.RESUME, 1),
        ),
    ],
)
def test_the_order_of_beginnings(state: SessionState, choice: TurnToBegin | NoTurn) -> None:
    """Unfinished turns come before new ones, and each takes just the inputs that join it."""
    assert next_turn(state) == choice


def test_an_open_window_tells_how_long() -> None:
    """Waiting inputs whose merge window is open begin later, by what is left of it."""
    left = timedelta(milliseconds=300)
    state = replace(IDLE, waiting=(MERGE, QUEUE), window_left=left)
    assert next_turn(state) == TurnLater(delay=left)


@pytest.mark.parametrize(
    "state",
    [
        replace(IDLE, waiting=(MERGE,), window_left=timedelta(0)),
        replace(IDLE, waiting=(QUEUE, MERGE), window_left=timedelta(1)),
        replace(IDLE, waiting=(MERGE,), window_left=timedelta(1), unfinished=FAILED),
        replace(IDLE, waiting=(MERGE,), window_left=timedelta(1), opened=False),
    ],
)
def test_a_window_holds_only_new_merged_turns(state: SessionState) -> None:
    """A closed window, a queued input, an unfinished turn and the opening wait for nothing."""
    assert isinstance(next_turn(state), TurnToBegin)


@pytest.mark.parametrize(
    ("state", "choice"),
    [
        (IDLE, NoTurn.IDLE),
        (replace(IDLE, opened=False), TurnToBegin(NextTurn.OPEN)),
        (replace(IDLE, opened=False, unfinished=RUNNING), TurnToBegin(NextTurn.RESUME)),
        (replace(IDLE, opened=False, unfinished=FAILED), TurnToBegin(NextTurn.RESUME)),
    ],
)
def test_the_opening_is_begun_until_it_has_ended(
    state: SessionState, choice: TurnToBegin | NoTurn
) -> None:
    """An unopened session is opened, or its opening taken up; an opened one is idle."""
    assert opening_turn(state) == choice


@pytest.mark.parametrize(
    ("state", "choice"),
    [
        (replace(IDLE, waiting=(QUEUE, QUEUE, MERGE), urgent=3), TurnToBegin(NextTurn.START, 3)),
        (
            replace(IDLE, waiting=(MERGE,), urgent=1, window_left=timedelta(1)),
            TurnToBegin(NextTurn.START, 1),
        ),
        (
            replace(IDLE, opened=False, waiting=(MERGE,), urgent=1),
            TurnToBegin(NextTurn.OPEN, 1),
        ),
        (
            replace(IDLE, unfinished=FAILED, waiting=(QUEUE, MERGE), urgent=2),
            TurnToBegin(NextTurn.RESUME, 2),
        ),
    ],
)
def test_an_urgent_input_is_in_the_next_turn(state: SessionState, choice: TurnToBegin) -> None:
    """With all that waits before it; no window, no queue and no opening comes first."""
    assert next_turn(state) == choice
