"""Metrics by OpenTelemetry's instruments; without a meter nothing is counted.

Names begin with `heartrule.`; attributes are words of a small, fixed set, never a session's id or
a text of a client, model or script.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.metrics import Counter, Histogram, Meter, _Gauge


class Meters:
    """The instruments of one process, each made when it is first used."""

    def __init__(self, meter: Meter) -> None:
        """Create the instruments of this meter."""
        self._meter = meter
        self._counters: dict[str, Counter] = {}
        self._histograms: dict[str, Histogram] = {}
        self._gauges: dict[str, _Gauge] = {}

    def count(self, name: str, amount: int, attributes: dict[str, str]) -> None:
        """Add to a counter."""
        found = self._counters.get(name)
        if found is None:
            found = self._counters[name] = self._meter.create_counter(name)
        found.add(amount, attributes)

    def record(self, name: str, seconds: float, attributes: dict[str, str]) -> None:
        """Add one duration to a histogram."""
        found = self._histograms.get(name)
        if found is None:
            found = self._histograms[name] = self._meter.create_histogram(name, unit="s")
        found.record(seconds, attributes)

    def set_level(self, name: str, value: int) -> None:
        """Set a gauge."""
        found = self._gauges.get(name)
        if found is None:
            found = self._gauges[name] = self._meter.create_gauge(name)
        found.set(value)


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
        meters.count(name, amount, attributes)


def record(name: str, seconds: float, **attributes: str) -> None:
    """Add one duration to a histogram of that name."""
    meters = _METERS.get()
    if meters is not None:
        meters.record(name, seconds, attributes)


def set_level(name: str, value: int) -> None:
    """Set the gauge of that name."""
    meters = _METERS.get()
    if meters is not None:
        meters.set_level(name, value)
