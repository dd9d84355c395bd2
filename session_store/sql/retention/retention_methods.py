"""Retention's part of the store; `session_store.retention_store` has what each call promises."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import sqlalchemy as sa

from session_store.past import Pruned
from session_store.sql.database.bound import OfEngine
from session_store.sql.retention import aged_sessions
from session_store.sql.sessions import calls, prompt_parts


class SqlRetentionStore(OfEngine):
    """The port of retention over one engine."""

    async def trim_ledger(self, older_than: timedelta) -> int:
        """Empty prompts and replies of older model calls; return how many calls it was."""
        trimmed = await self._in_batches(calls.trim_ledger, older_than, calls.TRIM_BATCH)
        await self._in_batches(calls.trim_prompts, older_than, prompt_parts.DELETE_BATCH)
        return trimmed

    async def _in_batches(
        self, work: Callable[[sa.Connection, timedelta], int], older_than: timedelta, batch: int
    ) -> int:
        """Run work in transactions of its own until it finds less than a batch; return the sum."""
        done = 0
        while True:
            some = await self._engine.write(lambda db: work(db, older_than))
            done += some
            if some < batch:
                return done

    async def delete_observations(self, older_than: timedelta) -> int:
        """Delete observations of rounds of ended sessions; return how many sessions it was."""
        return await self._prune(Pruned.METRICS, older_than)

    async def delete_events(self, older_than: timedelta) -> int:
        """Delete all events of ended sessions; return how many sessions it was."""
        return await self._prune(Pruned.EVENTS, older_than)

    async def delete_untouched(self, older_than: timedelta) -> int:
        """Erase a batch of sessions that nothing changed for so long; return how many."""
        engine = self._engine
        keys = await engine.read(lambda db: aged_sessions.find_untouched(db, older_than))
        # Together: on SQLite all of them share the one rewriting of the file.
        erase = aged_sessions.erase_untouched
        await asyncio.gather(
            *(engine.erase(partial(erase, key=key, older_than=older_than)) for key in keys)
        )
        return len(keys)

    async def _prune(self, what: Pruned, older_than: timedelta) -> int:
        engine = self._engine
        keys = await engine.read(lambda db: aged_sessions.find_prunable(db, what, older_than))
        for key in keys:
            prune = partial(aged_sessions.prune, key=key, what=what, older_than=older_than)
            await engine.write(prune)
        return len(keys)
