"""What a client sends on Converse: `open`, inputs, interrupts."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from grpc import aio

from executor_service.rpc.requests import Context
from executor_service.streams.client_inputs import ClientInputs
from executor_service.streams.converse import ConverseStream
from heartrule.domain.errors import HeartRuleError, InvalidRequest, NotSupported, QuotaSpent
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.v1 import conversation_pb2
from heartrule.wire.request_parsing import WatchOptions, parse_interrupt, parse_stream_options

# A stream that is refused is ended so much later: its first input may be on its way.
_SENT_ALONG_S = 0.2


async def read_open(context: Context) -> WatchOptions:
    """Return the options of a stream; its first request must be `open`."""
    first = await context.read()
    if first is aio.EOF or first.WhichOneof("request") != "open":
        raise InvalidRequest("the first request must be `open`", reason="OPEN_REQUIRED")
    return parse_stream_options(first.open, at="open")


async def refused_stream(
    context: Context, inputs: ClientInputs, error: QuotaSpent
) -> HeartRuleError:
    """Return why a stream is refused, with the card for an input that was sent along with it."""
    with suppress(TimeoutError, InvalidRequest):
        async with asyncio.timeout(_SENT_ALONG_S):
            options = await read_open(context)
            request = await context.read()
            if request is not aio.EOF and request.WhichOneof("request") == "input":
                key = SessionKey(DEFAULT_TENANT, options.session_id)
                return await inputs.refusal(key, request.input, error)
    return error


async def read_requests(context: Context, inputs: ClientInputs, stream: ConverseStream) -> None:
    """Accept inputs in order; an invalid one is reported as InputRejected."""
    try:
        await _take_inputs(context, inputs, stream)
    except InvalidRequest as error:  # bytes that are no request: what they meant is unknown
        stream.break_off(error)


async def _take_inputs(context: Context, inputs: ClientInputs, stream: ConverseStream) -> None:
    while (request := await context.read()) is not aio.EOF:
        kind = request.WhichOneof("request")
        if kind == "input":
            await _submit(inputs, stream, request.input)
            continue
        await stream.ready()
        if kind == "open":
            stream.break_off(InvalidRequest("`open` comes only once", reason="OPENED_TWICE"))
            return
        if kind is None:
            stream.break_off(NotSupported("unknown request", reason="UNKNOWN_REQUEST"))
            return
        await _interrupt(request.interrupt, stream)
    stream.end_input()


async def _submit(
    inputs: ClientInputs, stream: ConverseStream, message: conversation_pb2.UserInput
) -> None:
    try:
        client_input = await inputs.received(stream.key, message)
    except HeartRuleError as error:
        await stream.ready(has_card=error.fallback is not None)
        stream.reject(message.client_message_id, error)
        return
    await stream.ready(has_card=client_input.calls_for_card)
    await stream.submit(client_input)


async def _interrupt(request: conversation_pb2.InterruptTurn, stream: ConverseStream) -> None:
    try:
        turn_id, heard = parse_interrupt(request, at="interrupt")
    except InvalidRequest as error:
        stream.reject("", error)
        return
    await stream.interrupt(turn_id, heard)
