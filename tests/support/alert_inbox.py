"""A receiver of alerts on a free port, which verifies what it gets as any receiver would."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from standardwebhooks import Webhook

SECRET = "whsec_" + "c2VjcmV0" * 5
ALERTS_S = 20.0


@dataclass(slots=True)
class AlertInbox:
    """What came, in order."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    """Statuses of the next answers; then 204."""
    ids: list[str] = field(default_factory=list)
    """Ids of all that was sent, refused ones too."""
    taken: list[dict[str, Any]] = field(default_factory=list)
    """Bodies that were accepted."""
    raw: str = ""
    """Everything that was sent."""
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def environ(self) -> dict[str, str]:
        """Return the settings of an executor that sends its alerts here."""
        return {"HEARTRULE_ALERT_URL": self.url, "HEARTRULE_ALERT_SECRET": SECRET}

    async def first(self) -> dict[str, Any]:
        """Return the first body that was accepted, once it is there."""
        async with asyncio.timeout(ALERTS_S):
            await self.came.wait()
        return self.taken[0]

    async def receive(self, request: web.Request) -> web.Response:
        """Verify an alert and answer."""
        raw = await request.text()
        body = Webhook(SECRET).verify(raw, dict(request.headers))
        self.raw += raw
        self.ids.append(request.headers["webhook-id"])
        status = self.answers.pop(0) if self.answers else 204
        if status == 204:
            self.taken.append(body)
            self.came.set()
        return web.Response(status=status, headers={"location": "/elsewhere"})


@asynccontextmanager
async def alert_inbox(*answers: int) -> AsyncIterator[AlertInbox]:
    """Listen for alerts on this machine; the first of them are answered with these statuses."""
    inbox = AlertInbox(answers=list(answers))
    app = web.Application()
    app.router.add_post("/alerts", inbox.receive)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    inbox.url = f"http://127.0.0.1:{runner.addresses[0][1]}/alerts"
    try:
        yield inbox
    finally:
        await runner.cleanup()
