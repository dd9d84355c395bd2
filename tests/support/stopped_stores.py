"""A store in memory that can be stopped: its calls then fail, or never return."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from typing import Any, cast

from heartrule.domain.errors import StoreUnavailable
from session_store.open import open_in_memory
from session_store.ports import Store


class Stopped(StrEnum):
    """What a stopped store does."""

    FAILS = "fails"
    HANGS = "hangs"


class StoppableStore:
    """Passes every call on until it is stopped."""

    def __init__(self) -> None:
        """Begin with an empty store that works."""
        self._store = open_in_memory()
        self._how: Stopped | None = None
        self._works = asyncio.Event()

    def stop(self, how: Stopped) -> None:
        """Stop it."""
        self._how = how
        self._works.clear()

    def resume(self) -> None:
        """Let it work again; calls that hang go on."""
        self._how = None
        self._works.set()

    def __getattr__(self, name: str) -> Any:
        """Return a method of the store."""
        method: Callable[..., Any] = getattr(self._store, name)
        if not asyncio.iscoroutinefunction(method):
            return method

        async def call(*args: Any, **named: Any) -> Any:
            if self._how is Stopped.HANGS:
                await self._works.wait()
            if self._how is Stopped.FAILS:
                raise StoreUnavailable("the database is gone", reason="STORE_UNAVAILABLE")
            return await method(*args, **named)

        return call

    def as_store(self) -> Store:
        """Return it as what the executor takes."""
        return cast("Store", self)
