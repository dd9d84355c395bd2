"""functools.cache that keeps the signature of what it remembers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


def once(function: Callable[P, T]) -> Callable[P, T]:
    """Return `function`, called once for each set of arguments; classes and descriptors are such.

    functools.cache loses the signature, and asks for hashes that mypy does not see in classes.
    """
    return cast("Callable[P, T]", functools.cache(function))
