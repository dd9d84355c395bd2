"""The life of a turn, and what is asked of one that runs. Every method is one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

from heartrule.domain.conversation import UserInput
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.records import (
    AcceptedInput,
    CommittedStep,
    Interrupt,
    Interrupted,
    Lease,
    NoTurn,
    StepCommit,
    StopRequest,
    TurnFailure,
    TurnLater,
    TurnLeft,
    TurnSnapshot,
)


class StopStore(Protocol):
    """What is asked of running turns; other processes hear of it as of any commit."""

    async def interrupt_turn(self, asked: Interrupt) -> Interrupted:
        """Note that a running turn is to end at its next safe point; an ended one stays as it is.

        Of several interrupts of one turn the first counts. NotFound for a turn that never was.
        """

    async def find_stop(self, key: SessionKey) -> StopRequest | None:
        """Return what was asked last of a turn of the session, whether it still runs or not."""

    async def leave_turn(self, lease: Lease, left: TurnLeft) -> None:
        """Free the lease of a turn that goes on running, or LeaseLost and nothing.

        Whoever takes it up next begins a further attempt; see `begin_turn`.
        """


class TurnStore(StopStore, Protocol):
    """The life of a turn."""

    async def accept_input(self, key: SessionKey, user_input: UserInput) -> AcceptedInput:
        """Store an input with its sequence number (ARCHITECTURE section 4.2).

        A repeat returns `duplicate`; one whose turn FAILED marks that turn to be run again.
        Other content under one id: InvalidRequest, reason CLIENT_MESSAGE_ID_REUSED. Ended session:
        SessionFinished. REJECT while busy, or the seventeenth waiting input: SessionBusy with
        retry_after. INTERRUPT asks the running turn to end, RESTART to begin anew with what waits;
        where nothing runs, or RESTART comes too late, both are as MERGE.
        """

    async def accept_and_begin(
        self, key: SessionKey, user_input: UserInput, *, owner: str, ttl: timedelta
    ) -> tuple[AcceptedInput, TurnSnapshot | TurnLater | NoTurn]:
        """Do as accept_input and begin_turn do, one after the other, in one transaction (ADR 19).

        Where the input is refused nothing begins. Where nothing begins the input waits.
        """

    async def begin_opening(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | NoTurn:
        """Take the lease and begin, or take up, the opening turn; IDLE once it is done."""

    async def begin_turn(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | TurnLater | NoTurn:
        """Take the lease and begin the next turn, or take up an unfinished one.

        In this order: an unfinished opening turn; the opening turn where it is unopened and inputs
        wait; a running turn whose holder is gone (attempt + 1), with the waiting inputs where it
        was asked to restart; a failed turn that a repeat or a
        new input asks for (merged with the waiting inputs where no step of it was committed); the
        waiting inputs as one turn (QUEUE: one each).
        """

    async def renew_lease(self, lease: Lease, ttl: timedelta) -> bool:
        """Prolong the lease; False when it is no longer held."""

    async def commit_step(self, lease: Lease, step: StepCommit) -> CommittedStep:
        """Write a step with all it changed, or LeaseLost and nothing."""

    async def fail_turn(self, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
        """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""

    async def find_work(self, limit: int) -> tuple[SessionKey, ...]:
        """Return sessions with waiting inputs or a running turn and no live lease.

        One whose last turn failed is left alone for a while, longer after each attempt.
        """

    async def find_lapsing(
        self, within: timedelta, limit: int
    ) -> tuple[tuple[SessionKey, timedelta], ...]:
        """Return sessions with a running turn whose live lease ends `within`, and in how long.

        A holder that lives renews earlier: these are likely dead ones'.
        """
