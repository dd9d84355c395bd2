"""The attempts that run in this process, and the stop requests handed to them."""

from __future__ import annotations

import asyncio
import logging

from executor_service.turn_stopping import StopToken
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import StopKind, StopRequest, TurnSnapshot

LOG = logging.getLogger(__name__)


class StopRegistry:
    """Hands the stop requests of turns to their attempts, whichever process took the request."""

    def __init__(self, store: Store) -> None:
        """Create a registry without attempts; requests of other processes are read from `store`."""
        self._store = store
        self._running: dict[SessionKey, tuple[TurnSnapshot, StopToken]] = {}
        self._looks: dict[SessionKey, asyncio.Task[None]] = {}

    def begin(self, snapshot: TurnSnapshot) -> StopToken:
        """Register an attempt and return its token; call `end` after it."""
        token = StopToken(snapshot.stop)
        self._running[snapshot.lease.key] = (snapshot, token)
        return token

    def end(self, snapshot: TurnSnapshot) -> None:
        """Remove an attempt."""
        self._running.pop(snapshot.lease.key, None)

    def runs(self, key: SessionKey) -> bool:
        """Return whether a turn of the session runs in this process."""
        return key in self._running

    def acts(self, key: SessionKey, client_message_id: str) -> bool:
        """Return whether an action runs here in the turn that has this input."""
        snapshot, token = self._running.get(key) or (None, None)
        if snapshot is None or token is None or not token.entered:
            return False
        return any(each.client_message_id == client_message_id for each in snapshot.inputs)

    def said(self, key: SessionKey) -> bool:
        """Return whether clients have the whole text of the step that runs here."""
        running = self._running.get(key)
        return running is not None and running[1].said

    def ask(self, key: SessionKey, request: StopRequest) -> None:
        """Hand a request to the session's attempt, if it runs here and the request names it."""
        running = self._running.get(key)
        if running is None:
            return
        snapshot, token = running
        other = request.kind is StopKind.RESTART and request.attempt != snapshot.attempt
        if request.turn_id == snapshot.turn_id and not other:
            token.ask(request)

    def changed(self, key: SessionKey | None) -> None:
        """Look up the stop request of the session, or of all sessions with an attempt here."""
        for each in (key,) if key is not None else tuple(self._running):
            if each in self._running and each not in self._looks:
                self._looks[each] = asyncio.create_task(self._look(each))

    async def _look(self, key: SessionKey) -> None:
        try:
            request = await self._store.find_stop(key)
        except HeartRuleError as error:  # its next step asks the store, too
            LOG.warning("stop not looked for", extra={"reason": error.reason})
            request = None
        finally:
            del self._looks[key]
        if request is not None:
            self.ask(key, request)
