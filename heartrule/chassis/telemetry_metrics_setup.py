"""Turns metrics on by the standard OTEL_* variables; off unless they name an exporter."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from heartrule.chassis.telemetry_metrics import use_meter

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import MetricExporter, MetricReader

log = logging.getLogger(__name__)

_ENDPOINT = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
# As long as one step of a shutdown may take.
_FLUSH_MS = 5_000


class Metrics:
    """The metrics of one process; `close` sends what is left."""

    def __init__(self, provider: MeterProvider | None) -> None:
        """None counts nothing."""
        self._provider = provider

    @property
    def enabled(self) -> bool:
        """True when metrics are exported."""
        return self._provider is not None

    def use(self) -> None:
        """Count in this task and in all tasks started from it."""
        use_meter(self._provider.get_meter("heartrule") if self._provider else None)

    async def close(self) -> None:
        """Send what was counted last, for five seconds at most, and stop."""
        if self._provider is not None:
            provider, self._provider = self._provider, None
            await asyncio.to_thread(provider.shutdown, _FLUSH_MS)


def setup_metrics(
    *, service: str, version: str, environ: Mapping[str, str], reader: MetricReader | None = None
) -> Metrics:
    """Return the process's metrics as OTEL_* ask for them; `reader` is given by tests.

    Understood: OTEL_SDK_DISABLED, OTEL_METRICS_EXPORTER (otlp, console, none), the endpoint of
    metrics, the protocol variables, and whatever the SDK reads itself, such as the interval.
    """
    if reader is not None:
        return Metrics(_provider(service, version, environ, reader))
    kind = environ.get("OTEL_METRICS_EXPORTER", "").strip().lower()
    wanted = kind or ("otlp" if environ.get(_ENDPOINT) else "none")
    if wanted == "none" or environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return Metrics(None)
    found = _exporter(wanted, environ)
    if found is None:
        log.warning("OTEL_METRICS_EXPORTER is not understood; no metrics", extra={"value": wanted})
        return Metrics(None)
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    return Metrics(_provider(service, version, environ, PeriodicExportingMetricReader(found)))


def _exporter(kind: str, environ: Mapping[str, str]) -> MetricExporter | None:
    if kind == "console":
        import sys

        from opentelemetry.sdk.metrics.export import ConsoleMetricExporter

        return ConsoleMetricExporter(out=sys.stderr)  # standard output is the conversation's
    if kind != "otlp":
        return None
    protocol = next((environ[name] for name in _PROTOCOLS if environ.get(name)), "grpc")
    if protocol == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc import metric_exporter as over_grpc

        return over_grpc.OTLPMetricExporter()
    from opentelemetry.exporter.otlp.proto.http import metric_exporter as over_http

    return over_http.OTLPMetricExporter()


def _provider(
    service: str, version: str, environ: Mapping[str, str], reader: MetricReader
) -> MeterProvider:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.resources import Resource

    named = {} if environ.get("OTEL_SERVICE_NAME") else {"service.name": service}
    resource = Resource.create({**named, "service.version": version})
    return MeterProvider([reader], resource=resource, shutdown_on_exit=False)
