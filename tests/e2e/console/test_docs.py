"""The page of the HTTP API in a real browser."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.support.consoles import console

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)


async def test_docs_show_every_route_with_assets_of_the_gateway_alone() -> None:
    """The page needs no other host, and the content security policy lets all of it run."""
    async with console() as shown:
        asked: list[str] = []
        shown.page.on("request", lambda request: asked.append(request.url))
        await shown.page.goto(f"{shown.base}/docs")
        await expect(shown.page.get_by_text("/api/v1/chat/stream")).to_be_visible()
        await shown.picture("docs")
    assert [url for url in asked if not url.startswith((shown.base, "data:"))] == []
