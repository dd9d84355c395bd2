"""Turns traces and metrics on by the standard OTEL_* variables; off without an exporter."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from heartrule.chassis.telemetry import use_tracer
from heartrule.chassis.telemetry_metrics import use_meter

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import MetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

log = logging.getLogger(__name__)

# Of a signal: the variable of its exporter, of its protocol, and the endpoints that turn it on.
_TRACES = (
    "OTEL_TRACES_EXPORTER",
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
)
# Metrics need an endpoint of their own: a collector of traces alone would refuse them.
_METRICS = (
    "OTEL_METRICS_EXPORTER",
    "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
    ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",),
)
# As long as one step of a shutdown may take.
_FLUSH_S = 5.0


class Exporting:
    """The traces or the metrics of one process; `close` sends what is left."""

    def __init__(
        self, provider: TracerProvider | MeterProvider | None, use: Callable[[], None]
    ) -> None:
        """`use` records with the provider from now on; None records nothing.

        Ids of traces are made and passed on also then.
        """
        self._provider = provider
        self.use = use
        """Records what this task does, and all tasks started from it."""

    @property
    def enabled(self) -> bool:
        """True when something is exported."""
        return self._provider is not None

    async def close(self) -> None:
        """Send what waits, for five seconds at most, and stop."""
        if self._provider is None:
            return
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        provider, self._provider = self._provider, None

        def shut_down() -> None:
            try:
                provider.shutdown()
            except Exception:
                log.exception("spans or metrics were lost")
            finally:
                loop.call_soon_threadsafe(done.set)

        # A daemon thread: a collector that does not answer must not hold the process.
        threading.Thread(target=shut_down, name="otel-shutdown", daemon=True).start()
        try:
            await asyncio.wait_for(done.wait(), _FLUSH_S)
        except TimeoutError:
            log.warning("spans or metrics were lost: the collector did not answer")


def setup_telemetry(
    *, service: str, version: str, environ: Mapping[str, str], exporter: SpanExporter | None = None
) -> Exporting:
    """Return the process's tracing as OTEL_* ask for it; `exporter` is given by tests.

    Understood: OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER (otlp, console, none), the OTLP endpoint
    and protocol variables, and whatever the SDK reads itself (sampler, batching, resource).
    """
    if exporter is None:
        exporter = _exporter("traces", _TRACES, environ)
        if exporter is None:
            return Exporting(None, partial(use_tracer, None))
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = _resource(service, version, environ)
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Exporting(provider, partial(use_tracer, provider.get_tracer("heartrule")))


def setup_metrics(
    *, service: str, version: str, environ: Mapping[str, str], reader: MetricReader | None = None
) -> Exporting:
    """Return the process's metrics as OTEL_* ask for them; `reader` is given by tests.

    Understood: OTEL_SDK_DISABLED, OTEL_METRICS_EXPORTER (otlp, console, none), the endpoint of
    metrics, the protocol variables, and whatever the SDK reads itself, such as the interval.
    """
    if reader is None:
        exporter = _exporter("metrics", _METRICS, environ)
        if exporter is None:
            return Exporting(None, partial(use_meter, None))
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

        reader = PeriodicExportingMetricReader(exporter)
    from opentelemetry.sdk.metrics import MeterProvider

    resource = _resource(service, version, environ)
    provider = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
    return Exporting(provider, partial(use_meter, provider.get_meter("heartrule")))


def _wanted(variable: str, endpoints: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Return the exporter of a signal: otlp, console or none; an unknown word is none, logged."""
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return "none"
    kind = environ.get(variable, "").strip().lower()
    wanted = kind or ("otlp" if any(environ.get(name) for name in endpoints) else "none")
    if wanted in {"otlp", "console", "none"}:
        return wanted
    log.warning(
        "a setting is not understood; nothing is exported",
        extra={"variable": variable, "value": wanted},
    )
    return "none"


# The SDK is imported where it is used: it costs half a second that most processes need not wait.
def _exporter(
    signal: str, variables: tuple[str, str, tuple[str, ...]], environ: Mapping[str, str]
) -> Any | None:
    """Return what sends `traces` or `metrics`, by the name that the SDK knows it; None: nothing."""
    variable, own_protocol, endpoints = variables
    kind = _wanted(variable, endpoints, environ)
    if kind == "none":
        return None
    if kind == "otlp":
        protocols = (own_protocol, "OTEL_EXPORTER_OTLP_PROTOCOL")
        protocol = next((environ[name] for name in protocols if environ.get(name)), "grpc")
        kind = "otlp_proto_grpc" if protocol == "grpc" else "otlp_proto_http"
    (found,) = entry_points(group=f"opentelemetry_{signal}_exporter", name=kind)
    # Standard output is the conversation's.
    return found.load()(**({"out": sys.stderr} if kind == "console" else {}))


def _resource(service: str, version: str, environ: Mapping[str, str]) -> Resource:
    from opentelemetry.sdk.resources import Resource

    # The SDK reads OTEL_SERVICE_NAME itself; a name given here would hide it.
    named = {} if environ.get("OTEL_SERVICE_NAME") else {"service.name": service}
    return Resource.create({**named, "service.version": version})
