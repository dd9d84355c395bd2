"""The connections to one provider: the OpenAI SDK's client, and an aiohttp session beside it.

The SDK gives address and headers; requests go straight through the session (ADR 18, 41).
"""

from __future__ import annotations

import asyncio
import itertools
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heartrule.model.providers import Provider
from heartrule.model.time_limits import Timeouts

if TYPE_CHECKING:
    import ssl

    import aiohttp
    from aiohttp.connector import Connection
    from openai import AsyncOpenAI

# At one time to one provider, as the SDK allows.
_CONNECTIONS = 1000
# An unused connection is closed after this time, as the SDK does.
_IDLE_S = 5.0
# aiohttp rounds time-outs longer than this up to whole seconds.
_EXACT = float("inf")
# A server ends the body right after `[DONE]`; one that does not loses its connection.
_DRAIN_S = 0.05
# A server may answer `100 Continue` before its response; aiohttp itself sets no limit to these.
_MOST_INTERIM = 8


class ModelResponse:
    """The response to one request; release it exactly once."""

    def __init__(self, response: aiohttp.ClientResponse, deadline: float) -> None:
        """Wrap a response whose head has been read; it ends by `deadline` (the loop's clock)."""
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._body = response.content
        self._connection = response.connection
        self._ending = asyncio.get_running_loop().call_at(deadline, self._end)

    def release(self) -> None:
        """Give the connection back, or close it where the body has not been read to its end."""
        self._ending.cancel()
        self._response.release()

    def _end(self) -> None:
        """Let the next read fail, and leave the server; nobody's task is cancelled."""
        if not self._body.is_eof():
            self._body.set_exception(TimeoutError("the response has not ended in time"))
            self._response.close()

    def limit_silence(self, seconds: float) -> None:
        """Let a read fail after so many seconds without a byte; the first limit is the request's.

        aiohttp has one limit of silence for a whole request, and a timer for each read costs more.
        """
        protocol = self._connection.protocol if self._connection is not None else None
        if protocol is not None:
            protocol.read_timeout = seconds
            protocol._reschedule_timeout()  # noqa: SLF001  else it counts from the next byte only

    async def read(self, not_before: float = 0.0) -> bytes:
        """Return the bytes received until then, or until the body ends; b"" after the end.

        Args:
            not_before: A time of the loop's clock. Bytes gather until then, without waking the
                caller for each; with 0 the next bytes are returned as soon as they are there.

        Raises:
            TimeoutError: The server was silent for too long, or the deadline passed.
            OSError, aiohttp.ClientError: The connection was lost; everything received before the
                loss was returned before.
        """
        body = self._body
        if not_before and body.exception() is None:
            # A loss ends the wait as well; the read below raises it.
            with suppress(Exception):
                async with asyncio.timeout_at(not_before):
                    await body.wait_eof()
        # aiohttp's readany() would raise a loss before it returns what was received before it.
        if body.exception() is not None and (
            left := body._read_nowait(-1)  # noqa: SLF001  nothing public returns what came before
        ):
            return left
        return await body.readany()

    async def drain(self) -> None:
        """Wait for the end of the body, so that the connection can serve the next request."""
        with suppress(Exception):  # without an end the connection is closed, and nothing is lost
            async with asyncio.timeout(_DRAIN_S):
                await self._body.wait_eof()


@dataclass(frozen=True, slots=True)
class Client:
    """The SDK's client, and the session for requests past it."""

    sdk: AsyncOpenAI
    session: aiohttp.ClientSession
    """Sends the SDK's headers with every request."""
    address: str
    """The URL of chat completions."""

    async def post(self, body: bytes, *, timeouts: Timeouts, deadline: float) -> ModelResponse:
        """Send a request for a completion and return its response, which the caller releases.

        Raises:
            TimeoutError: No response in time.
            OSError, aiohttp.ClientError: The connection could not be made, or was lost.
        """
        limits = _limits(timeouts)
        # Not aiohttp's `total`: its timer is entered twice while a response is awaited, and takes
        # back a cancellation of the caller's that comes in the same iteration of the event loop.
        async with asyncio.timeout_at(deadline):
            response = await self.session.post(self.address, data=body, timeout=limits)
        return ModelResponse(response, deadline)

    async def aclose(self) -> None:
        """Close all connections."""
        await self.session.close()
        await self.sdk.close()


def _limits(timeouts: Timeouts) -> aiohttp.ClientTimeout:
    """Return aiohttp's time-outs for the parts of one request."""
    import aiohttp

    return aiohttp.ClientTimeout(
        connect=timeouts.first_token,
        sock_connect=timeouts.connect,
        sock_read=timeouts.first_token,
        ceil_threshold=_EXACT,
    )


async def make_client(provider: Provider, api_key: str) -> Client:
    """Return the client of a provider, not connected yet.

    The SDK is imported in a thread, since that takes a second.
    """
    sdk, trusted = await asyncio.to_thread(_make_sdk, provider, api_key)
    address = f"{str(sdk.base_url).rstrip('/')}/chat/completions"
    proxy = proxy_for(sdk.base_url.scheme, sdk.base_url.host)
    headers = {
        name: text
        for name, text in {**sdk.default_headers, **sdk.auth_headers}.items()
        if isinstance(text, str)
    }
    # A server that compresses a stream of events would delay its first text.
    headers["Accept-Encoding"] = "identity"
    return Client(sdk, _make_session(headers, trusted, proxy), address)


def proxy_for(scheme: str, host: str) -> str | None:
    """Return the proxy that the environment names for an address, as the SDK's client would."""
    proxies = urllib.request.getproxies()
    if urllib.request.proxy_bypass(host):
        return None
    return proxies.get(scheme) or proxies.get("all")


def _make_sdk(provider: Provider, api_key: str) -> tuple[AsyncOpenAI, ssl.SSLContext | None]:
    """Return the SDK's client, and the trusted certificates for an https address."""
    import httpx2
    import openai

    timeouts = provider.timeouts
    silence = max(timeouts.first_token, timeouts.between_tokens)
    timeout = openai.Timeout(silence, connect=timeouts.connect)
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


def _response_class() -> type[aiohttp.ClientResponse]:
    """Return aiohttp's response, which fails after more than a few interim responses."""
    import aiohttp

    class BoundedResponse(aiohttp.ClientResponse):
        async def start(self, connection: Connection) -> aiohttp.ClientResponse:
            protocol = connection.protocol
            assert protocol is not None, "a connection in use has its protocol"
            read, heads = protocol.read, itertools.count()

            async def read_few() -> object:
                if next(heads) > _MOST_INTERIM:
                    raise aiohttp.ServerDisconnectedError("too many interim responses")
                return await read()

            # aiohttp offers no hook between the heads of one response.
            vars(protocol)["read"] = read_few
            try:
                return await super().start(connection)
            finally:
                del vars(protocol)["read"]

    return BoundedResponse


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
        response_class=_response_class(),
    )
