"""A dict that is bounded: what was written, or used, longest ago is forgotten."""

from __future__ import annotations

from typing import TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Latest(dict[_Key, _Value]):
    """Holds at most so many entries, the latest last."""

    def __init__(self, most: int) -> None:
        """Begin empty."""
        super().__init__()
        self._most = most

    def __setitem__(self, key: _Key, value: _Value) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]

    def used(self, key: _Key) -> _Value | None:
        """Return a value, which is the latest from now on; None where there is none."""
        value = self.get(key)
        if value is not None:
            self[key] = value
        return value
