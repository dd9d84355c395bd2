"""Metrics kept in memory, for tests that look at what was counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    HistogramDataPoint,
    InMemoryMetricReader,
    NumberDataPoint,
)

from heartrule.chassis.telemetry_metrics import use_meter


@contextmanager
def counting() -> Iterator[InMemoryMetricReader]:
    """Count in this task for the length of a block."""
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], shutdown_on_exit=False)
    use_meter(provider.get_meter("test"))
    try:
        yield reader
    finally:
        use_meter(None)


def counted(reader: InMemoryMetricReader, name: str) -> dict[tuple[str, ...], int]:
    """Return what an instrument counted, by the values of its attributes."""
    data = reader.get_metrics_data()
    if data is None:
        return {}
    points = [
        point
        for resource in data.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
        if metric.name == name
        for point in metric.data.data_points
    ]
    return {
        tuple(str(v) for v in (point.attributes or {}).values()): _times(point) for point in points
    }


def _times(point: object) -> int:
    """Return a counter's value, or how often a histogram was written to."""
    if isinstance(point, HistogramDataPoint):
        return point.count
    assert isinstance(point, NumberDataPoint)
    return int(point.value)
