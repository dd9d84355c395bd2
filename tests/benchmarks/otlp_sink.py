"""A collector of traces that takes everything and keeps nothing: OTLP over gRPC."""

from __future__ import annotations

import grpc
from grpc import aio

from tests.benchmarks.lines import run

_SERVICE = "opentelemetry.proto.collector.trace.v1.TraceService"


async def _take(_request: bytes, _context: object) -> bytes:
    return b""  # an ExportTraceServiceResponse: all was taken


async def serve() -> None:
    """Listen on a free port, say which, and serve until the process is ended."""
    server = aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(_take)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(_SERVICE, {"Export": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"sink listening on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    run(serve())
