"""GoingBackStore over an engine."""

from __future__ import annotations

from functools import partial

from session_store.records import Fork, Forked, Retried, Retry
from session_store.sql import fork as forks
from session_store.sql import rewind
from session_store.sql.engine import Engine
from session_store.sql.proofs import made_session, told


class SqlGoingBack:
    """Forks, and turns taken back; each is one transaction."""

    def __init__(self, engine: Engine) -> None:
        """Keep the engine."""
        self._engine = engine

    async def fork_session(self, fork: Fork) -> Forked:
        """Make a session that stands where another stood after one of its turns; see the port."""
        return await self._engine.write(
            partial(forks.fork_session, fork=fork),
            proof=lambda db, done: made_session(db, done.session),
        )

    async def retry_turn(self, retry: Retry) -> Retried:
        """Take the last turn back and store its message again; see the port."""
        return await self._engine.write(
            partial(rewind.retry_turn, retry=retry),
            proof=lambda db, done: told(db, retry.key, done.events),
        )
