"""Metrics by OpenTelemetry's instruments; without a meter nothing is counted.

Names begin with `heartrule.`; attributes are words of a small, fixed set, never a session's id or
a text of a client, model or script.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

_Instrument = TypeVar("_Instrument")


class Meters:
    """The instruments of one process, each made when it is first used."""

    def __init__(self, meter: Meter) -> None:
        """Create the instruments of this meter."""
        self.meter = meter
        self._made: dict[str, Any] = {}

    def instrument(self, name: str, make: Callable[[str], _Instrument]) -> _Instrument:
        """Return the instrument of a name; it is made once."""
        if name not in self._made:
            self._made[name] = make(name)
        found: _Instrument = self._made[name]
        return found


_METERS: ContextVar[Meters | None] = ContextVar("heartrule_meters", default=None)


def use_meter(meter: Meter | None) -> None:
    """Count in this task, and in tasks it starts, with this meter; None counts nothing."""
    _METERS.set(None if meter is None else Meters(meter))


def measured() -> bool:
    """Return whether metrics are exported; else costly values need not be computed."""
    return _METERS.get() is not None


def count(name: str, amount: int = 1, **attributes: str) -> None:
    """Add to a counter of that name."""
    meters = _METERS.get()
    if meters is not None:
        meters.instrument(name, meters.meter.create_counter).add(amount, attributes)


def record(name: str, seconds: float, **attributes: str) -> None:
    """Add one duration to a histogram of that name."""
    meters = _METERS.get()
    if meters is not None:
        make = partial(meters.meter.create_histogram, unit="s")
        meters.instrument(name, make).record(seconds, attributes)


def set_level(name: str, value: int) -> None:
    """Set the gauge of that name."""
    meters = _METERS.get()
    if meters is not None:
        meters.instrument(name, meters.meter.create_gauge).set(value)
