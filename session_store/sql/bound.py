"""Methods of a store made of functions of one transaction: each is bound to the engine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from session_store.sql.database.engine import Engine, Transaction

P = ParamSpec("P")
R = TypeVar("R")


class OfEngine:
    """Methods over one engine."""

    def __init__(self, engine: Engine) -> None:
        """Keep the engine; `start` opens it."""
        self._engine = engine


def _bound(
    work: Callable[Concatenate[sa.Connection, P], R],
    run: Callable[[Engine, Transaction[R]], Awaitable[R]],
) -> Callable[Concatenate[OfEngine, P], Coroutine[Any, Any, R]]:
    """Return the method that has the engine run a function as a transaction."""

    async def method(store: OfEngine, /, *args: P.args, **named: P.kwargs) -> R:
        engine = store._engine  # noqa: SLF001  a method of the store
        return await run(engine, lambda db: work(db, *args, **named))

    method.__doc__ = work.__doc__
    return method


def reads(
    work: Callable[Concatenate[sa.Connection, P], R],
) -> Callable[Concatenate[OfEngine, P], Coroutine[Any, Any, R]]:
    """Return the method that runs a function as a transaction that reads."""
    return _bound(work, lambda engine, transaction: engine.read(transaction))


def erases(
    work: Callable[Concatenate[sa.Connection, P], R],
) -> Callable[Concatenate[OfEngine, P], Coroutine[Any, Any, R]]:
    """Return the method that runs a function as an erasure."""
    return _bound(work, lambda engine, transaction: engine.erase(transaction))


def writes(
    work: Callable[Concatenate[sa.Connection, P], R],
    *,
    proof: Callable[Concatenate[sa.Connection, R, P], bool] | None = None,
) -> Callable[Concatenate[OfEngine, P], Coroutine[Any, Any, R]]:
    """Return the method that runs a function as a transaction that writes.

    `proof` is given what the function returned, and the method's arguments; see `Engine.write`.
    """

    async def method(store: OfEngine, /, *args: P.args, **named: P.kwargs) -> R:
        def proven(db: sa.Connection, done: R) -> bool:
            return proof is not None and proof(db, done, *args, **named)

        return await store._engine.write(  # noqa: SLF001  a method of the store
            lambda db: work(db, *args, **named), proof=proven if proof else None
        )

    method.__doc__ = work.__doc__
    return method
