"""Builds a gRPC server with the limits and time-outs that long conversations need."""

from __future__ import annotations

import asyncio
import inspect
import ipaddress
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, NoReturn, Self, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status
from grpc import aio
from grpc.aio import AbortError, ServerInterceptor, ServicerContext
from grpc_status import rpc_status
from pydantic import model_validator

from heartrule.chassis import telemetry
from heartrule.chassis.call_limits import CallLimits, limit_options
from heartrule.chassis.errors import Detail, no_detail, to_status
from heartrule.chassis.log_context import bind
from heartrule.chassis.service_token import Insecure, ServiceToken, TokenInterceptor, check_exposed
from heartrule.chassis.settings import Port, Seconds, SettingsError
from heartrule.domain.errors import InvalidRequest

log = logging.getLogger(__name__)

# 1.25 MiB: a longer message would end its whole stream, so our own check at 1 MiB comes first.
MAX_RECEIVE_BYTES = 1_310_720
# Calls at one time on one connection.
MAX_STREAMS = 100

# What a generated servicer takes and gives is known to grpc only at run time.
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "ServicerContext[Any, Any]"
Behaviour: TypeAlias = "Callable[[Any, Context], Any]"

_FACTORIES = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, False): grpc.stream_unary_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}
_NAMES = {(False, False): "unary_unary", (False, True): "unary_stream",
          (True, False): "stream_unary", (True, True): "stream_stream"}  # fmt: skip


class ServerSettings(CallLimits):
    """Settings of a gRPC server; a service overrides the ports."""

    host: str = "127.0.0.1"
    """Address to listen on: this machine alone by default; any other asks for a token."""
    port: Port = 0
    """Port of the service; 0 takes a free one."""
    health_port: Port = 0
    """Port of grpc.health.v1, apart so that a busy service still answers; 0 takes a free one."""
    reflection: bool = False
    """Whether the server describes its services to tools such as grpcurl."""
    stop_grace: Seconds = 20.0
    """Seconds that running turns get to end after SIGTERM."""
    reuse_port: bool = False
    """Whether processes of one machine share the port; the kernel spreads connections over them."""
    token: ServiceToken | None = None
    """Token that every caller sends as metadata `authorization: Bearer …`; at least 32 characters
    where others can reach the address. The health checks ask for none."""
    insecure: Insecure = False
    """Whether services may be reached by others without a token."""

    @model_validator(mode="after")
    def _others_need_a_token(self) -> Self:
        if not self.insecure and not is_local(self.host):
            check_exposed(self.prefix, self.token)
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Keepalive:
    """How soon a silent connection is noticed, in seconds."""

    after_s: float = 30.0
    answer_within_s: float = 10.0
    accept_every_s: float = 10.0
    """A client may ping as often as this."""


def server_options(keepalive: Keepalive, *, reuse_port: bool = False) -> list[tuple[str, int]]:
    """Return grpc's options; a misspelt one would be ignored, so tests prove that these act."""
    answer_ms = int(keepalive.answer_within_s * 1000)
    return [
        ("grpc.max_receive_message_length", MAX_RECEIVE_BYTES),
        ("grpc.max_concurrent_streams", MAX_STREAMS),
        ("grpc.keepalive_time_ms", int(keepalive.after_s * 1000)),
        ("grpc.keepalive_timeout_ms", answer_ms),
        ("grpc.http2.ping_timeout_ms", answer_ms),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", int(keepalive.accept_every_s * 1000)),
        # Two servers on one port share its calls in silence: only where that is asked for.
        ("grpc.so_reuseport", int(reuse_port)),
    ]


def build_server(
    settings: ServerSettings,
    *,
    register: Callable[[aio.Server], None],
    service_names: Sequence[str] = (),
    keepalive: Keepalive | None = None,
    detail: Detail = no_detail,
) -> tuple[aio.Server, int]:
    """Return a server, bound but not started, and its port.

    Args:
        settings: Where to listen.
        register: Adds the servicers to the server.
        service_names: Full names of the services, for reflection.
        keepalive: Other than the usual ones, for tests.
        detail: Makes a detail of an error's status besides the usual ones.

    Raises:
        SettingsError: The address cannot be had.
    """
    asking = (TokenInterceptor(settings.token),) if settings.token else ()
    if not asking and not is_local(settings.host):
        log.warning("others can reach this service, and nothing asks who they are",
                    extra={"host": settings.host})  # fmt: skip
    server = aio.server(
        interceptors=(ChassisInterceptor(detail), *asking),
        options=[
            *server_options(keepalive or Keepalive(), reuse_port=settings.reuse_port),
            *limit_options(settings),
        ],
        maximum_concurrent_rpcs=settings.max_calls,
    )
    register(server)
    if settings.reflection:
        from grpc_reflection.v1alpha import reflection

        reflection.enable_server_reflection((*service_names, reflection.SERVICE_NAME), server)
    return server, bind_port(
        server, settings.host, settings.port, variable=f"{settings.prefix}PORT"
    )


def bind_port(server: aio.Server, host: str, port: int, *, variable: str) -> int:
    """Bind the server without TLS, and return the port.

    Raises:
        SettingsError: The address cannot be had; the text names `variable`.
    """
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        return server.add_insecure_port(address)
    except RuntimeError:
        raise SettingsError((f"{variable}: cannot listen on {address}; is it taken?",)) from None


def is_local(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class ChassisInterceptor(ServerInterceptor):
    """Goes around every handler of all four call kinds.

    - Its logs and spans have the method, and the session where the request names one.
    - Its span continues the caller's trace.
    - An exception ends the call with the status of the table in `errors`; the text of one that
      is unexpected stays in the log. A cancelled handler answers ABORTED: grpc would leave the
      client waiting. In the log it is CANCELLED, as nearly always the client is who has left.
    - Bytes that are no message of the request's type end it with INVALID_ARGUMENT.
    """

    def __init__(self, detail: Detail = no_detail) -> None:
        """Add `detail` to the status of each error."""
        self._detail = detail

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the handler inside this interceptor's; an unknown method passes through."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return handler
        kind = (bool(handler.request_streaming), bool(handler.response_streaming))
        around = _around(getattr(handler, _NAMES[kind]), handler_call_details.method, self._detail)
        return _FACTORIES[kind](
            around,
            request_deserializer=decoder(handler.request_deserializer, streaming=kind[0]),
            response_serializer=handler.response_serializer,
        )


def _around(behaviour: Behaviour, method: str, detail: Detail) -> Behaviour:
    name = method.lstrip("/")
    streams = inspect.isasyncgenfunction(behaviour)

    async def call(request: object, context: Context) -> object:
        parent = telemetry.traceparent_in(context.invocation_metadata())
        session = getattr(request, "session_id", "")
        session_id = session if isinstance(session, str) else ""
        with (
            bind(rpc=name, session_id=session_id),
            telemetry.span(name, parent=parent, kind="server") as span,
        ):
            try:
                if isinstance(request, InvalidRequest):
                    raise request
                if not streams:
                    return await behaviour(request, context)
                async with aclosing(behaviour(request, context)) as messages:
                    async for message in messages:
                        await context.write(message)
            except AbortError:
                raise
            except asyncio.CancelledError as error:
                if context.done() or context.cancelled():
                    raise
                await _abort(context, to_status(error, detail), error, span)
            except Exception as error:  # noqa: BLE001 - the outermost handler; nothing may leak
                await _abort(context, to_status(error, detail), error, span)
        return None

    return call


async def _abort(
    context: Context, status: Status, error: BaseException, span: telemetry.Span
) -> NoReturn:
    if isinstance(error, asyncio.CancelledError) and _was_cancelled():
        span.fail(grpc.StatusCode.CANCELLED.name)
        log.info("call cancelled", extra={"code": grpc.StatusCode.CANCELLED.name})
    else:
        members = grpc.StatusCode.__members__
        code = next(name for name, one in members.items() if one.value[0] == status.code)
        span.fail(code)
        log.info("call failed", extra={"code": code, "error_class": type(error).__name__})
    await context.abort_with_status(rpc_status.to_status(status))


def _was_cancelled() -> bool:
    """Return whether the call itself was cancelled, not only something that it waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def decoder(
    deserialize: Callable[[bytes], object] | None, *, streaming: bool
) -> Callable[[bytes], object] | None:
    """Return a deserializer that answers bytes it cannot read with an InvalidRequest.

    The requests of a stream are read inside the handler, which gets the error raised. A single
    request is read before any handler runs; there the error is returned in its place, and whoever
    calls the handler raises it.
    """
    if deserialize is None:
        return None

    def decode(data: bytes) -> object:
        try:
            return deserialize(data)
        except DecodeError:
            error = InvalidRequest(
                f"the {len(data)} bytes of the request are no message of its type",
                reason="UNDECODABLE_REQUEST",
            )
        if streaming:
            raise error
        return error

    return decode
