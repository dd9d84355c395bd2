"""The console's files as a browser gets them."""

from __future__ import annotations

import gzip

import pytest

from tests.support.gateways import running_gateway
from tests.support.scripts import ask_script


async def test_answers_are_compressed_for_who_takes_it() -> None:
    """Files and JSON of more than a packet, not a stream of events."""
    async with running_gateway() as running:
        session_id = await running.start(ask_script())
        async with running.http.stream("GET", "/console.css") as answer:
            style = (answer.headers, b"".join([piece async for piece in answer.aiter_raw()]))
        schema = await running.http.get("/api/v1/schema")
        plain = await running.http.get("/api/v1/schema", headers={"accept-encoding": "identity"})
        events = f"/api/v1/sessions/{session_id}/events"
        async with running.http.stream("GET", events) as answer:
            stream = answer.headers
    assert style[0]["content-encoding"] == schema.headers["content-encoding"] == "gzip"
    assert len(style[1]) < len(gzip.decompress(style[1])) / 3
    assert plain.content == schema.content
    assert "content-encoding" not in plain.headers
    assert (stream["content-type"].split(";")[0], stream.get("content-encoding")) == (
        "text/event-stream", None,
    )  # fmt: skip


@pytest.mark.parametrize(("language", "told"), [("zh", "会话"), ("en", "Sessions")])
async def test_the_words_of_a_language_are_one_file(language: str, told: str) -> None:
    """They are those of the catalogues."""
    async with running_gateway() as running:
        got = await running.http.get(f"/words/{language}.json")
    assert got.headers["content-type"] == "application/json"
    assert got.json()["nav.sessions"] == told


async def test_the_modules_are_one_file_that_is_asked_for_again_by_its_tag() -> None:
    """A browser that has it gets nothing more."""
    async with running_gateway() as running:
        got = await running.http.get("/app.js")
        again = await running.http.get("/app.js", headers={"if-none-match": got.headers["etag"]})
    assert (got.status_code, got.headers["cache-control"]) == (200, "no-cache")
    assert got.headers["content-type"] == "text/javascript; charset=utf-8"
    assert (again.status_code, again.content) == (304, b"")
