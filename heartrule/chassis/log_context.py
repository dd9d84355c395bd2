"""Context of the running task: ids that logs and spans add by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType

# Bytes of UTF-8 in an id, a limit of the contract.
LONGEST_ID = 256
_EMPTY: Mapping[str, str] = MappingProxyType({})
_BOUND: ContextVar[Mapping[str, str]] = ContextVar("heartrule_bound", default=_EMPTY)


def bound() -> Mapping[str, str]:
    """Return the ids bound in this task, such as session_id and turn_id."""
    return _BOUND.get()


def is_id(text: str) -> bool:
    """Return whether the text may be an id: 1 to 256 bytes, all of them printable."""
    return 0 < len(text) <= LONGEST_ID and text.isprintable() and len(text.encode()) <= LONGEST_ID


def remember(**ids: str) -> None:
    """Bind ids from here to the end of this task and in tasks it starts.

    What is no id is left out: requests bind before they are checked, and a log names no session
    that cannot exist.
    """
    _BOUND.set({**_BOUND.get(), **{name: value for name, value in ids.items() if is_id(value)}})


class bind:  # noqa: N801  used as a statement, `with bind(turn_id=…):`
    """Binds ids for the length of a block and for tasks started in it."""

    __slots__ = ("_before", "_ids")

    def __init__(self, **ids: str) -> None:
        """Nothing is bound before the block begins."""
        self._ids = ids

    def __enter__(self) -> None:
        """Begin the block."""
        self._before = _BOUND.get()
        remember(**self._ids)

    def __exit__(self, *_error: object) -> None:
        """End the block."""
        # Not reset(token): the block may end in another context than it began in.
        _BOUND.set(self._before)
