"""Bodies of a provider's responses that are no streams of events."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from heartrule.model.chat_events import ChatChunk, read_chunk
from heartrule.model.event_splitter import MAX_EVENT_BYTES, EventTooLarge
from heartrule.model.openai_client import ModelResponse

# What a refusal says is in its first packets.
_MOST_ERROR_BYTES = 8 * 1024
_ERROR_BODY_S = 1.0


def is_whole(content_type: str) -> bool:
    """Return whether a server answers at once instead of streaming."""
    return content_type.partition(";")[0].strip().lower() == "application/json"


async def error_body(response: ModelResponse) -> bytes:
    """Return what a refusal says, as far as it comes at once; its status says the most."""
    body = bytearray()
    with suppress(Exception):
        async with asyncio.timeout(_ERROR_BODY_S):
            while len(body) < _MOST_ERROR_BYTES and (data := await response.read()):
                body += data
    return bytes(body)


async def whole_answer(response: ModelResponse) -> ChatChunk:
    """Read the body of a server that does not stream."""
    body = bytearray()
    while data := await response.read():
        body += data
        if len(body) > MAX_EVENT_BYTES:
            raise EventTooLarge(f"a response has more than {MAX_EVENT_BYTES} bytes")
    return read_chunk(bytes(body))
