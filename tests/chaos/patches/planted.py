"""Faults planted in the product, one at a time, to see that the checker finds them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from types import MappingProxyType, SimpleNamespace
from typing import Any

from heartrule.domain.ids import new_id
from tests.chaos.patches.triggers import work_of

EARLY_S = 0.4
"""How long before its commit an input is acknowledged."""
STALE_S = 5.0
"""How old an answer a stale read may give."""


def apply(name: str) -> None:
    """Plant the fault of this name."""
    PLANTS[name]()


def _fence_skipped() -> None:
    """A holder whose lease was taken over may write on."""
    from session_store.sql.sessions import sessions
    from session_store.sql.store import SqlStore
    from session_store.sql.turns import attempts, ending, leases, steps

    def anybody(db: Any, lease: Any, turn: Any) -> Any:
        locked = sessions.try_lock(db, lease.key)
        assert locked is not None, f"the session {lease.key} that a turn runs in is there"
        return locked, attempts._READ.row(
            db,
            attempts._at(lease.key, turn.turn_id, turn.attempt),
        )

    for module in (steps, ending, leases):
        _patch(module, held_by=anybody)
    work_of(SqlStore.renew_lease).cell_contents = lambda *_, **__: True


def _acknowledged_early() -> None:
    """An input is acknowledged while its transaction is not yet committed."""
    from executor_service.turns.session_workers import SessionWorkers
    from session_store.sql.turns import inputs

    naming = threading.local()
    receive = inputs.receive

    def received(db: Any, key: Any, user_input: Any, **urgency: Any) -> Any:
        naming.words = f"{key.session_id}/{user_input.client_message_id}"
        return receive(db, key, user_input, **urgency)

    def same_id(prefix: str) -> str:
        words = getattr(naming, "words", "")
        return f"{prefix}_{sha256(words.encode()).hexdigest()[:28]}"

    _patch(inputs, receive=received, new_id=same_id)
    accept = SessionWorkers.accept

    async def accepting(self: Any, key: Any, user_input: Any, **urgency: Any) -> Any:
        accepted = await _without_commit(self._store, key, user_input)
        if accepted is not None and not accepted.duplicate:
            self._publish_accepted(key, accepted)
            await asyncio.sleep(EARLY_S)
        return await accept(self, key, user_input, **urgency)

    _patch(SessionWorkers, accept=accepting)


async def _without_commit(store: Any, key: Any, user_input: Any) -> Any:
    """Return what accepting would give, and leave nothing."""
    from session_store.sql.turns import inputs

    class _RolledBackError(Exception):
        pass

    found: list[Any] = []

    def work(db: Any) -> None:
        found.append(inputs.accept_input(db, key, user_input))
        raise _RolledBackError

    try:
        await store._engine.write(work)
    except Exception:  # noqa: BLE001  it was meant to fail
        return found[-1] if found else None
    return None


def _unique_key_dropped() -> None:
    """A repeated input is stored again: neither looked for nor kept out by the database."""
    from session_store.sql.sessions import messages
    from session_store.sql.store import SqlStore

    start = SqlStore.start

    async def starting(self: Any) -> None:
        await start(self)
        drop = "DROP INDEX IF EXISTS messages_input_idx"
        await self._engine.write(lambda db: db.exec_driver_sql(drop) and None)

    _patch(SqlStore, start=starting)
    unknown = SimpleNamespace(rows=list)
    _patch(messages, find_input=lambda *_: None, ask_input=lambda *_: unknown)


def _double_retry() -> None:
    """A step that was committed is taken for lost, and committed again under new ids."""
    from session_store.sql.store import SqlStore

    commit = SqlStore.commit_step

    async def committing(self: Any, lease: Any, step: Any) -> Any:
        done = await commit(self, lease, step)
        if step.end is None and step.messages:
            again = tuple(replace(each, message_id=new_id("msg")) for each in step.messages)
            done = await commit(self, lease, replace(step, messages=again))
        return done

    _patch(SqlStore, commit_step=committing)


def _stale_read() -> None:
    """A list of messages may be some seconds old."""
    from session_store.sql.store import SqlStore

    known: dict[Any, tuple[float, Any]] = {}
    list_messages = SqlStore.list_messages

    async def listing(self: Any, key: Any, page: Any) -> Any:
        at, listed = known.get(key, (0.0, None))
        if listed is None or time.monotonic() - at > STALE_S:
            listed = await list_messages(self, key, page)
            known[key] = (time.monotonic(), listed)
        return listed

    _patch(SqlStore, list_messages=listing)


PLANTS: Mapping[str, Callable[[], None]] = MappingProxyType(
    {
        "fence_skipped": _fence_skipped,
        "acknowledged_early": _acknowledged_early,
        "unique_key_dropped": _unique_key_dropped,
        "double_retry": _double_retry,
        "stale_read": _stale_read,
    }
)


def _patch(where: Any, **names: Any) -> None:
    for name, value in names.items():
        assert hasattr(where, name), f"{where} has no {name} any more"
        setattr(where, name, value)
