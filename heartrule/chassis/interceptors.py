"""The server's one interceptor: names the task, opens its span, and turns errors into statuses."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, NoReturn, TypeAlias

import grpc
from grpc.aio import AbortError, ServerInterceptor, ServicerContext
from grpc_status import rpc_status

from heartrule.chassis import telemetry
from heartrule.chassis.errors import to_status
from heartrule.chassis.log_context import bind

log = logging.getLogger(__name__)

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


class ChassisInterceptor(ServerInterceptor):
    """Goes around every handler of all four call kinds.

    - Its logs and spans bear the method, and the session where the request names one.
    - Its span continues the caller's trace; `caller_traceparent()` gives the caller's context.
    - An exception ends the call with the status of the table in `errors`; the text of one that
      is unexpected stays in the log. A cancelled handler answers ABORTED: grpc would leave the
      client waiting.
    """

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the handler with ours around it; an unknown method passes through."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return handler
        kind = (bool(handler.request_streaming), bool(handler.response_streaming))
        around = _around(getattr(handler, _NAMES[kind]), handler_call_details.method)
        return _FACTORIES[kind](
            around,
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )


def _around(behaviour: Behaviour, method: str) -> Behaviour:
    name = method.lstrip("/")
    streams = inspect.isasyncgenfunction(behaviour)

    async def call(request: object, context: Context) -> object:
        parent = telemetry.remember_caller(context.invocation_metadata())
        session = getattr(request, "session_id", "")
        session_id = session if isinstance(session, str) else ""
        with (
            bind(rpc=name, session_id=session_id),
            telemetry.span(name, parent=parent, kind="server") as span,
        ):
            try:
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
                await _abort(context, error, span)
            except Exception as error:  # noqa: BLE001 - the outermost handler; nothing may leak
                await _abort(context, error, span)
        return None

    return call


async def _abort(context: Context, error: BaseException, span: telemetry.Span) -> NoReturn:
    status = to_status(error)
    code = grpc.StatusCode.__members__
    span.fail(next(name for name, one in code.items() if one.value[0] == status.code))
    log.info("call failed", extra={"code": status.code, "error_class": type(error).__name__})
    await context.abort_with_status(rpc_status.to_status(status))
