"""TurnStore over an engine."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import sqlalchemy as sa

from heartrule.domain.conversation import UserInput
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.records import (
    AcceptedInput,
    CommittedStep,
    Lease,
    NoTurn,
    StepCommit,
    TurnFailure,
    TurnLater,
    TurnSnapshot,
)
from session_store.sql import failing, inputs, leases, steps, turns, work
from session_store.sql.engine import Engine
from session_store.sql.proofs import told
from session_store.sql.turns import Holder, Start


class SqlTurns:
    """The life of a turn; each is one transaction."""

    _engine: Engine

    async def accept_input(self, key: SessionKey, user_input: UserInput) -> AcceptedInput:
        """Store an input with its sequence number, or say what it repeats; see the port."""
        return await self._engine.write(
            partial(inputs.accept_input, key=key, user_input=user_input),
            proof=lambda db, done: told(db, key, done.events),
        )

    async def accept_and_begin(
        self, key: SessionKey, user_input: UserInput, *, owner: str, ttl: timedelta
    ) -> tuple[AcceptedInput, TurnSnapshot | TurnLater | NoTurn]:
        """Store an input and begin what begin_turn would begin behind it; see the port."""
        work = partial(
            turns.accept_and_begin, key=key, user_input=user_input, holder=Holder(owner, ttl)
        )
        return await self._engine.write(
            work,
            proof=lambda db, done: told(db, key, done[0].events) or _began(db, key, done[1]),
        )

    async def begin_opening(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | NoTurn:
        """Take the lease and begin, or take up, the opening turn; IDLE once it is done."""
        return await self._engine.write(
            partial(turns.begin_opening, key=key, holder=Holder(owner, ttl)),
            proof=lambda db, begun: _began(db, key, begun),
        )

    async def begin_turn(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | TurnLater | NoTurn:
        """Take the lease and begin the next turn, or take up an unfinished one; see the port."""
        return await self._engine.write(
            partial(turns.begin_turn, key=key, holder=Holder(owner, ttl)),
            proof=lambda db, begun: _began(db, key, begun),
        )

    async def renew_lease(self, lease: Lease, ttl: timedelta) -> bool:
        """Prolong the lease; False when it is no longer held."""
        return await self._engine.write(partial(leases.renew_lease, lease=lease, ttl=ttl))

    async def commit_step(self, lease: Lease, step: StepCommit) -> CommittedStep:
        """Write a step with all it changed, or LeaseLost and nothing."""
        return await self._engine.write(
            partial(steps.commit_step, lease=lease, commit=step),
            proof=lambda db, done: told(db, lease.key, done.events),
        )

    async def fail_turn(self, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
        """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""
        return await self._engine.write(
            partial(failing.fail_turn, lease=lease, failure=failure),
            proof=lambda db, done: told(db, lease.key, done),
        )

    async def find_work(self, limit: int) -> tuple[SessionKey, ...]:
        """Return sessions with waiting inputs or an unfinished turn and no live lease."""
        return await self._engine.read(partial(work.find_work, limit=limit))

    async def find_lapsing(
        self, within: timedelta, limit: int
    ) -> tuple[tuple[SessionKey, timedelta], ...]:
        """Return sessions with a running turn whose live lease ends `within`, and in how long."""
        return await self._engine.read(partial(work.find_lapsing, within=within, limit=limit))


def _began(db: sa.Connection, key: SessionKey, start: Start) -> bool:
    return isinstance(start, TurnSnapshot) and told(db, key, start.events)
