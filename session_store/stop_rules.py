"""Which turn stops, and how: decided without rows."""

from __future__ import annotations

from collections.abc import Sequence

from heartrule.domain.conversation import IfBusy
from session_store.records import InterruptOrder, StopKind, StopRequest, TurnKind
from session_store.turn_rules import joins_failed

STOPPING = frozenset({IfBusy.INTERRUPT, IfBusy.RESTART})
"""Inputs that ask something of a running turn."""


def stop_request_of(asked: InterruptOrder, attempt: int) -> StopRequest:
    """Return what an interrupt asks of the turn it names."""
    return StopRequest(
        turn_id=asked.turn_id,
        attempt=attempt,
        kind=StopKind.INTERRUPT,
        request_id=asked.request_id,
        heard=asked.heard,
    )


def stop_request_of_input(mode: IfBusy, turn_id: str, attempt: int) -> StopRequest:
    """Return what an INTERRUPT or RESTART input asks of the turn that runs."""
    if mode is IfBusy.RESTART:
        return StopRequest(turn_id=turn_id, attempt=attempt, kind=StopKind.RESTART)
    return StopRequest(turn_id=turn_id, attempt=attempt, kind=StopKind.INTERRUPT, keeps_shown=True)


def may_restart(
    kind: TurnKind, steps: int, inputs: Sequence[IfBusy], waiting: Sequence[IfBusy]
) -> bool:
    """Return whether a running turn could take up all that waits, a new RESTART input included.

    Not where a step is committed, nor around a QUEUE input: it is a turn of its own.
    """
    if kind is not TurnKind.INPUT or steps:
        return False
    return joins_failed(inputs, (*waiting, IfBusy.RESTART)) == len(waiting) + 1


def noted(known: StopRequest | None, new: StopRequest) -> StopRequest:
    """Return the request that counts: of one turn the first interrupt, or else the newest."""
    return asked_to_stop(known, new.turn_id) or new


def is_repeat(known: StopRequest | None, asked: InterruptOrder) -> bool:
    """Return whether the same request was noted before."""
    stopped = asked_to_stop(known, asked.turn_id)
    return (
        stopped is not None and bool(asked.request_id) and (stopped.request_id == asked.request_id)
    )


def asked_to_stop(known: StopRequest | None, turn_id: str) -> StopRequest | None:
    """Return the interrupt of this turn, where there is one."""
    if known is None or known.kind is not StopKind.INTERRUPT or known.turn_id != turn_id:
        return None
    return known


def asked_to_restart(known: StopRequest | None, turn_id: str, attempt: int) -> bool:
    """Return whether this very attempt is to begin anew."""
    if known is None or known.kind is not StopKind.RESTART:
        return False
    return (known.turn_id, known.attempt) == (turn_id, attempt)
