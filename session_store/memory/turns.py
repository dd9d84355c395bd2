"""The life of a turn in memory."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.conversation import UserInput
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.begin_rules import Begin, next_move, opening_move
from session_store.memory.begin import Holder, begin, is_held, standing
from session_store.memory.inputs import accept
from session_store.memory.rows import SessionRow, Tables
from session_store.memory.steps import commit, fail, is_holder
from session_store.records import (
    AcceptedInput,
    CommittedStep,
    Lease,
    NoTurn,
    StepCommit,
    TurnFailure,
    TurnLater,
    TurnSnapshot,
    TurnState,
)
from session_store.turn_rules import retry_pause


class MemoryTurns:
    """TurnStore over tables; each method runs without an await, hence alone."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def accept_input(self, key: SessionKey, user_input: UserInput) -> AcceptedInput:
        """Store an input with its sequence number, or say what it repeats."""
        return accept(self._tables, key, user_input)

    async def accept_and_begin(
        self, key: SessionKey, user_input: UserInput, *, owner: str, ttl: timedelta
    ) -> tuple[AcceptedInput, TurnSnapshot | TurnLater | NoTurn]:
        """Store an input and begin what begin_turn would begin behind it."""
        accepted = accept(self._tables, key, user_input)
        return accepted, self._begin_next(key, Holder(owner, ttl))

    async def begin_opening(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | NoTurn:
        """Take the lease and begin, or take up, the opening turn; IDLE once it is done."""
        row = self._tables.session(key)
        move = opening_move(standing(self._tables, row))
        if isinstance(move, NoTurn):
            return move
        if is_held(self._tables, row):
            return NoTurn.HELD
        return begin(self._tables, row, move, Holder(owner, ttl))

    async def begin_turn(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | TurnLater | NoTurn:
        """Take the lease and begin the next turn, or take up an unfinished one."""
        return self._begin_next(key, Holder(owner, ttl))

    async def renew_lease(self, lease: Lease, ttl: timedelta) -> bool:
        """Prolong the lease; False when it is no longer held."""
        row = self._tables.sessions.get(lease.key)
        if row is None or not is_holder(row, lease):
            return False
        row.lease_until = self._tables.clock() + ttl.total_seconds()
        return True

    async def commit_step(self, lease: Lease, step: StepCommit) -> CommittedStep:
        """Write a step with all it changed, or LeaseLost and nothing."""
        return commit(self._tables, lease, step)

    async def fail_turn(self, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
        """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""
        return fail(self._tables, lease, failure)

    async def find_work(self, limit: int) -> tuple[SessionKey, ...]:
        """Return sessions with waiting inputs or an unfinished turn and no live lease."""
        found = (row for row in self._tables.sessions.values() if row is not None)
        keys = [row.new.key for row in found if self._has_work(row)]
        return tuple(keys[:limit])

    async def find_lapsing(
        self, within: timedelta, limit: int
    ) -> tuple[tuple[SessionKey, timedelta], ...]:
        """Return sessions with a running turn whose live lease ends `within`, and in how long."""
        now = self._tables.clock()
        found = []
        for row in self._tables.sessions.values():
            turn = row.newest_turn() if row is not None else None
            if row is None or turn is None or turn.state is not TurnState.RUNNING:
                continue
            left = row.lease_until - now
            if 0 < left <= within.total_seconds():
                found.append((row.new.key, timedelta(seconds=left)))
        return tuple(found[:limit])

    def _begin_next(self, key: SessionKey, holder: Holder) -> TurnSnapshot | TurnLater | NoTurn:
        row = self._tables.session(key)
        if is_held(self._tables, row):
            return NoTurn.HELD
        move = next_move(standing(self._tables, row))
        if not isinstance(move, Begin):
            return move
        return begin(self._tables, row, move, holder)

    def _has_work(self, row: SessionRow) -> bool:
        if is_held(self._tables, row):
            return False
        turn = row.newest_turn()
        if turn is not None and (turn.state is TurnState.RUNNING or turn.retry):
            return True
        if not row.waiting() or row.status is ExecutionStatus.COMPLETED:
            return False
        if turn is None or row.status is not ExecutionStatus.ERROR:
            return True
        return self._tables.now() >= row.update_time + retry_pause(turn.attempt)
