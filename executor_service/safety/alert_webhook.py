"""Sends alerts as Standard Webhooks: signed, and protected against replay by their time stamp."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson
from standardwebhooks import Webhook

from executor_service.settings import AlertSettings
from heartrule.domain.json_value import JsonValue
from session_store.records import SafetyAlert

if TYPE_CHECKING:
    import aiohttp

LOG = logging.getLogger(__name__)
# What receivers tell kinds of events apart by.
TYPE = "safety.alert"
_TAKEN = range(200, 300)


def alert_body(alert: SafetyAlert) -> JsonValue:
    """Return what a receiver gets, equal for each attempt: no words, no name, no caller's id."""
    event = alert.event
    rules: list[JsonValue] = list(event.rules)
    return {
        "type": TYPE,
        "timestamp": alert.made_at.astimezone(UTC).isoformat(),
        "data": {
            "safetyEventId": event.safety_event_id,
            "sessionId": alert.key.session_id,
            "turnId": event.turn_id,
            "refused": event.refused,
            "level": event.level.name.lower(),
            "step": event.step,
            "source": event.source.value,
            "rules": rules,
            "subject": event.subject.value if event.subject else None,
            "language": event.language,
        },
    }


def webhook_of(settings: AlertSettings) -> AlertWebhook | None:
    """Return the receiver that the settings name; None where they name none."""
    if not settings.alert_url or settings.alert_secret is None:
        return None
    secret = settings.alert_secret.get_secret_value()
    return AlertWebhook(settings.alert_url, secret, timeout_s=settings.alert_timeout)


class AlertWebhook:
    """Posts alerts to one address."""

    def __init__(self, url: str, secret: str, *, timeout_s: float) -> None:
        """`secret` is base64, with or without `whsec_`; nothing is connected yet."""
        self._url = url
        self._webhook = Webhook(secret)
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None

    async def send(self, alert: SafetyAlert) -> str:
        """Deliver an alert and return "", or why it was not taken, such as `STATUS_503`."""
        import aiohttp

        body = orjson.dumps(alert_body(alert))
        try:
            async with (
                asyncio.timeout(self._timeout_s),
                self._connected().post(
                    self._url,
                    data=body,
                    headers=self._headers(alert.event.safety_event_id, body),
                    # A redirect would take the alert where nobody configured it to go.
                    allow_redirects=False,
                ) as response,
            ):
                return "" if response.status in _TAKEN else f"STATUS_{response.status}"
        except TimeoutError:
            return "TIMEOUT"
        except (aiohttp.ClientError, OSError) as error:
            LOG.info("an alert met a failed connection", extra={"reason": type(error).__name__})
            return "CONNECTION"

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    def _headers(self, name: str, body: bytes) -> dict[str, str]:
        """Return the headers; `webhook-id` is the same for each attempt of one alert."""
        now = datetime.now(UTC)
        return {
            "content-type": "application/json",
            "webhook-id": name,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._webhook.sign(name, now, body.decode()),
        }

    def _connected(self) -> aiohttp.ClientSession:
        """Return the session, made in the running loop on first use."""
        import aiohttp

        if self._session is None:
            self._session = aiohttp.ClientSession(
                # Its `total` may take back a cancellation of the caller's with its own.
                timeout=aiohttp.ClientTimeout(total=None),
                trust_env=True,  # the proxy of the environment, as for models
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session
