"""A collector of traces for tests: OTLP over gRPC on a free port, keeping all that arrives."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Self

import grpc
from grpc import aio
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from opentelemetry.proto.common.v1 import common_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

_EXPORT = "opentelemetry.proto.collector.trace.v1.TraceService"

Value = str | bool | int | float | tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedLink:
    """A link of a span, its ids in hex."""

    trace_id: str
    span_id: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSpan:
    """One span as it was sent, its ids in hex."""

    service: str
    """The sender's service.name."""
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    """Empty for the root of a trace."""
    attributes: dict[str, Value]
    links: tuple[ReceivedLink, ...]
    failed: bool

    def linked(self, relation: str) -> list[tuple[str, str]]:
        """Return trace and span id of each link with this relation."""
        return [(link.trace_id, link.span_id) for link in self.links if link.relation == relation]

    @property
    def place(self) -> tuple[str, str]:
        """Trace and span id, as a link names them."""
        return self.trace_id, self.span_id


class OtlpReceiver:
    """TraceService; an asynchronous context manager."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        """Every export request, byte by byte as it came."""
        self.endpoint = ""
        self._server: aio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = aio.server()
        # No deserializer: a word hidden in a field this library does not know is found too.
        handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(
            self._export
        )
        service = grpc.method_handlers_generic_handler(_EXPORT, {"Export": handler})
        self._server.add_generic_rpc_handlers((service,))
        port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()
        self.endpoint = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        await self._server.stop(grace=None)

    def spans(self) -> list[ReceivedSpan]:
        """Return every span received so far."""
        return [span for request in self.raw for span in read_spans(request)]

    def environ(self) -> dict[str, str]:
        """Return the standard variables that make a process send here, soon."""
        return {"OTEL_EXPORTER_OTLP_ENDPOINT": self.endpoint, "OTEL_BSP_SCHEDULE_DELAY": "50"}

    async def _export(self, request: bytes, _context: object) -> bytes:
        self.raw.append(request)
        return b""  # an ExportTraceServiceResponse: all was taken


def read_spans(request: bytes) -> list[ReceivedSpan]:
    """Return the spans of one export request."""
    sent = trace_service_pb2.ExportTraceServiceRequest.FromString(request)
    return [
        _read(span, str(_attributes(resource.resource.attributes).get("service.name", "")))
        for resource in sent.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def _read(span: trace_pb2.Span, service: str) -> ReceivedSpan:
    return ReceivedSpan(
        service=service,
        name=span.name,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        attributes=_attributes(span.attributes),
        links=tuple(
            ReceivedLink(
                trace_id=link.trace_id.hex(),
                span_id=link.span_id.hex(),
                relation=str(_attributes(link.attributes).get("heartrule.link.relation", "")),
            )
            for link in span.links
        ),
        failed=span.status.code == trace_pb2.Status.STATUS_CODE_ERROR,
    )


def _attributes(pairs: object) -> dict[str, Value]:
    return {pair.key: _value(pair.value) for pair in pairs}  # type: ignore[attr-defined]


def _value(value: common_pb2.AnyValue) -> Value:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return tuple(str(_value(each)) for each in value.array_value.values)
    plain: Value = getattr(value, kind) if kind else ""
    return plain
