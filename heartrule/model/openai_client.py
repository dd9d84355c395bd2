"""The connections to one provider: the OpenAI SDK's client, and a session for requests past it."""

from __future__ import annotations

import asyncio
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heartrule.model.providers import Provider

if TYPE_CHECKING:
    import ssl

    import aiohttp
    from openai import AsyncOpenAI

_CONNECTIONS = 1000
"""At one time to one provider, as the SDK allows."""
_IDLE_S = 5.0
"""After so long an unused connection is closed, as the SDK does."""


@dataclass(frozen=True, slots=True)
class Client:
    """The SDK's client, and what a request past it needs."""

    sdk: AsyncOpenAI
    session: aiohttp.ClientSession
    """Sends the SDK's headers with every request."""
    address: str
    """Where completions are asked for."""

    async def aclose(self) -> None:
        """Close the connections of both."""
        await self.session.close()
        await self.sdk.close()


async def make_client(provider: Provider, api_key: str) -> Client:
    """Import the SDK and return what calls a provider; nothing is connected yet.

    The slow part runs in a thread (1 s of imports).
    """
    sdk, trusted = await asyncio.to_thread(_make_sdk, provider, api_key)
    session = _make_session(sdk, trusted)
    address = f"{str(sdk.base_url).rstrip('/')}/chat/completions"
    return Client(sdk=sdk, session=session, address=address)


def proxy_for(scheme: str, host: str) -> str | None:
    """Return the proxy that the environment names for an address, as the SDK's client would."""
    proxies = urllib.request.getproxies()
    if urllib.request.proxy_bypass(host):
        return None
    return proxies.get(scheme) or proxies.get("all")


def _make_sdk(provider: Provider, api_key: str) -> tuple[AsyncOpenAI, ssl.SSLContext | None]:
    """Return the SDK's client, and what it trusts where the address is a secure one."""
    import httpx2
    import openai

    timeouts = provider.timeouts
    timeout = openai.Timeout(timeouts.read_s, connect=timeouts.connect_s)
    sdk = openai.AsyncOpenAI(
        api_key=api_key or "none",
        base_url=provider.base_url,
        http_client=openai.DefaultAioHttpClient(timeout=timeout),
        max_retries=0,
        timeout=timeout,
    )
    _ = sdk.chat.completions  # imports most of the SDK, hence here
    secure = sdk.base_url.scheme == "https"
    return sdk, httpx2.create_ssl_context() if secure else None


def _make_session(sdk: AsyncOpenAI, trusted: ssl.SSLContext | None) -> aiohttp.ClientSession:
    import aiohttp

    headers = {**sdk.default_headers, **sdk.auth_headers}
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=_CONNECTIONS, keepalive_timeout=_IDLE_S, ssl=trusted or True
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={name: text for name, text in headers.items() if isinstance(text, str)},
        proxy=proxy_for(sdk.base_url.scheme, sdk.base_url.host),
    )
