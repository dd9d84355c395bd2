"""Several processes over one database, as one store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random

from session_store.ports import Store

MOVES_ON = 0.2
"""How often the next call goes to any process, and not where the one before went."""


class Replicas:
    """Sends each call to one of the processes, chosen at random."""

    def __init__(self, stores: Sequence[Store], seed: int) -> None:
        self._stores = stores
        self._dice = Random(seed)
        self._at = stores[0]

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        if self._dice.random() < MOVES_ON:
            self._at = self._dice.choice(self._stores)
        called: Callable[..., Awaitable[object]] = getattr(self._at, name)
        return called
