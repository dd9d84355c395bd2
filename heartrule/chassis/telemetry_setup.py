"""Turns tracing on by the standard OTEL_* variables; off unless they name an exporter."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from heartrule.chassis.telemetry import use_tracer

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

log = logging.getLogger(__name__)

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
# As long as one step of a shutdown may take.
_FLUSH_S = 5.0


class Telemetry:
    """The tracing of one process; `close` sends what is left."""

    def __init__(self, provider: TracerProvider | None) -> None:
        """None records nothing; ids are still made and passed on."""
        self._provider = provider

    @property
    def enabled(self) -> bool:
        """True when spans are recorded."""
        return self._provider is not None

    def use(self) -> None:
        """Record the spans of this task and of all tasks started from it."""
        use_tracer(self._provider.get_tracer("heartrule") if self._provider else None)

    async def close(self) -> None:
        """Send the spans that wait, for five seconds at most, and stop."""
        if self._provider is None:
            return
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        provider, self._provider = self._provider, None

        def shut_down() -> None:
            provider.shutdown()
            loop.call_soon_threadsafe(done.set)

        # A daemon thread: a collector that does not answer must not hold the process.
        threading.Thread(target=shut_down, name="otel-shutdown", daemon=True).start()
        try:
            await asyncio.wait_for(done.wait(), _FLUSH_S)
        except TimeoutError:
            log.warning("spans were lost: the collector did not answer")


def setup_telemetry(
    *, service: str, version: str, environ: Mapping[str, str], exporter: SpanExporter | None = None
) -> Telemetry:
    """Return the process's tracing as OTEL_* ask for it; `exporter` is given by tests.

    Understood: OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER (otlp, console, none), the OTLP endpoint
    and protocol variables, and whatever the SDK reads itself (sampler, batching, resource).
    """
    if exporter is not None:
        return Telemetry(_provider(service, version, environ, exporter))
    kind = environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    wanted = kind or ("otlp" if any(environ.get(name) for name in _ENDPOINTS) else "none")
    disabled = environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if disabled or wanted == "none":
        return Telemetry(None)
    found = _exporter(wanted, environ)
    if found is None:
        log.warning("OTEL_TRACES_EXPORTER is not understood; no traces", extra={"value": wanted})
        return Telemetry(None)
    return Telemetry(_provider(service, version, environ, found))


def _exporter(kind: str, environ: Mapping[str, str]) -> SpanExporter | None:
    if kind == "console":
        import sys

        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr)  # standard output is the conversation's
    if kind != "otlp":
        return None
    protocol = next((environ[name] for name in _PROTOCOLS if environ.get(name)), "grpc")
    if protocol == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc import trace_exporter as over_grpc

        return over_grpc.OTLPSpanExporter()
    from opentelemetry.exporter.otlp.proto.http import trace_exporter as over_http

    return over_http.OTLPSpanExporter()


def _provider(
    service: str, version: str, environ: Mapping[str, str], exporter: SpanExporter
) -> TracerProvider:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {} if environ.get("OTEL_SERVICE_NAME") else {"service.name": service}
    resource = Resource.create({**named, "service.version": version})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider
