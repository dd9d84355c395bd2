"""The connections to one provider: the OpenAI SDK's client, and two ways for requests past it.

Requests go by the provider's own pool of connections. Where the environment names a proxy, or the
provider sends a request elsewhere, they go by an aiohttp session, which knows how (ADR 18, 28).
"""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from heartrule.model.http_pool import Pool
from heartrule.model.providers import Provider, Timeouts

if TYPE_CHECKING:
    import ssl

    import aiohttp
    from openai import AsyncOpenAI

_CONNECTIONS = 1000
"""At one time to one provider, as the SDK allows."""
_IDLE_S = 5.0
"""After so long an unused connection is closed, as the SDK does."""
_EXACT = float("inf")
"""aiohttp rounds longer time-outs up to whole seconds; none is longer than this."""
_ELSEWHERE = frozenset({301, 302, 303, 307, 308})


class Answer(Protocol):
    """The answer to one request, whichever way it came."""

    status: int
    headers: Mapping[str, str]

    @property
    def ended(self) -> bool:
        """Whether all of the body is here, read or not."""

    async def read(self, not_before: float = 0.0) -> bytes:
        """Return what came of the body, at that time or at its end if sooner; b"" at its end."""

    def release(self) -> None:
        """Give the connection back, or close it where the answer was not read to its end."""


@dataclass(frozen=True, slots=True)
class Client:
    """The SDK's client, and what a request past it needs."""

    sdk: AsyncOpenAI
    session: aiohttp.ClientSession
    """Sends the SDK's headers with every request."""
    address: str
    """Where completions are asked for."""
    pool: Pool | None
    """None where requests leave by a proxy."""

    async def post(self, body: bytes, *, timeouts: Timeouts, deadline: float) -> Answer:
        """Ask for a completion and return the answer; release that.

        Raises:
            TimeoutError: Nothing came in time.
            OSError, aiohttp.ClientError: The connection could not be made, or was lost.
        """
        if self.pool is not None:
            answer = await self.pool.post(body, deadline=deadline)
            if answer.status not in _ELSEWHERE:
                return answer
            answer.release()
        limits = _limits(timeouts, deadline)
        return _SessionAnswer(await self.session.post(self.address, data=body, timeout=limits))

    async def aclose(self) -> None:
        """Close all connections."""
        if self.pool is not None:
            await self.pool.aclose()
        await self.session.close()
        await self.sdk.close()


class _SessionAnswer:
    """An answer that aiohttp reads."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self.release = response.release
        self._body = response.content

    @property
    def ended(self) -> bool:
        return self._body.is_eof()

    async def read(self, not_before: float = 0.0) -> bytes:  # noqa: ARG002  the rare way: at once
        return await self._body.readany()


def _limits(timeouts: Timeouts, deadline: float) -> aiohttp.ClientTimeout:
    """Return how long the parts of one request may take, all of it until `deadline`."""
    import aiohttp

    return aiohttp.ClientTimeout(
        total=max(deadline - asyncio.get_running_loop().time(), 0.001),
        connect=timeouts.read_s,
        sock_connect=timeouts.connect_s,
        sock_read=timeouts.read_s,
        ceil_threshold=_EXACT,
    )


async def make_client(provider: Provider, api_key: str) -> Client:
    """Import the SDK and return what calls a provider; nothing is connected yet.

    The slow part runs in a thread (1 s of imports).
    """
    sdk, trusted = await asyncio.to_thread(_make_sdk, provider, api_key)
    address = f"{str(sdk.base_url).rstrip('/')}/chat/completions"
    proxy = proxy_for(sdk.base_url.scheme, sdk.base_url.host)
    headers = {
        name: text
        for name, text in {**sdk.default_headers, **sdk.auth_headers}.items()
        if isinstance(text, str)
    }
    timeouts = provider.timeouts
    pool = None
    if proxy is None:
        pool = Pool(
            address,
            headers,
            trusted=trusted,
            connect_s=timeouts.connect_s,
            read_s=timeouts.read_s,
        )
    return Client(sdk, _make_session(headers, trusted, proxy), address, pool)


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


def _make_session(
    headers: Mapping[str, str], trusted: ssl.SSLContext | None, proxy: str | None
) -> aiohttp.ClientSession:
    import aiohttp

    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=_CONNECTIONS, keepalive_timeout=_IDLE_S, ssl=trusted or True
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers=headers,
        proxy=proxy,
    )
