"""The ways of a text through the gateway, and what its sender reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import httpx

from tests.support.gateways import frames_of

# Sends a text to a session and returns what is shown as the assistant's reply.
HttpDoor: TypeAlias = Callable[[httpx.AsyncClient, str, str], Awaitable[str]]


async def by_chat(http: httpx.AsyncClient, session_id: str, text: str) -> str:
    """Send it by POST /api/v1/chat."""
    answer = await http.post("/api/v1/chat", json={"sessionId": session_id, "message": text})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["aiMessage"])


async def by_stream(http: httpx.AsyncClient, session_id: str, text: str) -> str:
    """Send it by POST /api/v1/chat/stream and read until a whole text was said."""
    body = {"sessionId": session_id, "message": text}
    async with http.stream("POST", "/api/v1/chat/stream", json=body) as response:
        assert response.status_code == 200, await response.aread()
        return await _first_text(response)


async def _first_text(response: httpx.Response) -> str:
    words = ""
    async for frame in frames_of(response):
        if isinstance(frame.data, dict) and "chunk" in frame.data:
            words += frame.data["chunk"]
        elif words:
            break
    return words


def _completion(session_id: str, text: str, **more: Any) -> dict[str, Any]:
    said = [{"role": "user", "content": text}]
    return {"model": "asking", "user": session_id, "messages": said, **more}


async def by_openai(http: httpx.AsyncClient, session_id: str, text: str) -> str:
    """Send it as a chat completion; the session's id names a conversation of its own."""
    answer = await http.post("/v1/chat/completions", json=_completion(session_id, text))
    assert answer.status_code == 200, answer.text
    return str(answer.json()["choices"][0]["message"]["content"])


async def by_openai_stream(http: httpx.AsyncClient, session_id: str, text: str) -> str:
    """Send it as a streamed chat completion and read the first words, up to where they pause."""
    body = _completion(session_id, text, stream=True)
    async with http.stream("POST", "/v1/chat/completions", json=body) as response:
        assert response.status_code == 200, await response.aread()
        async for line in response.aiter_lines():
            if '"content":"' in line and '"content":""' not in line:
                return line
    return ""


DOORS: tuple[HttpDoor, ...] = (by_chat, by_stream, by_openai, by_openai_stream)
