"""HTTP nodes: one request to an address that the policy opens, redirects followed by hand."""

from __future__ import annotations

import asyncio

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.http_exceptions import ContentEncodingError
from yarl import URL

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.nodes.address_guard import AddressGuard, HostLookup
from executor_service.workflows.nodes.http_answer import (
    MOST_SHOWN,
    answer_output,
    refusal,
    whole_body,
)
from executor_service.workflows.nodes.http_request import (
    REDIRECTS,
    HttpRequest,
    followed,
    written_request,
)
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode

MOST_REDIRECTS = 3


class HttpNode:
    """Calls an address; the output is {status, headers, data}."""

    def __init__(self, lookup: AbstractResolver | None = None) -> None:
        """`lookup` resolves names; the system's, in threads of its own, where none is given."""
        self._lookup = lookup or HostLookup()

    async def run(self, call: NodeCall) -> NodeResult:
        """Send the request and return the answer; each attempt counts as one API call.

        Raises:
            NodeFailed: REFUSED before anything is sent to a closed address, HTTP_4XX, HTTP_5XX,
                CONNECTION, UNREADABLE, or LIMIT.
        """
        request = await asyncio.to_thread(written_request, call)
        if not await call.spending.allow(api_calls=1):
            raise failed(RunErrorCode.LIMIT, "the policy's API calls are used up")
        guard = AddressGuard(call.access.networks)
        try:
            # A connection for each call: what one session opened is none of another's.
            async with self._session(guard) as session:
                return NodeResult(output=await _answered(session, request, call.access.domains))
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _failure(error, guard) from None

    async def aclose(self) -> None:
        """Take no further look-up."""
        await self._lookup.close()

    def _session(self, guard: AddressGuard) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            resolver=self._lookup,
            use_dns_cache=False,
            socket_factory=guard.socket,
            force_close=True,
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, connect=None, sock_connect=None),
            trust_env=False,
        )


async def _answered(
    session: aiohttp.ClientSession, request: HttpRequest, domains: tuple[str, ...] | None
) -> JsonValue:
    for _ in range(MOST_REDIRECTS + 1):
        async with session.request(
            request.method,
            URL(request.url, encoded=True),
            headers=request.headers,
            data=request.body,
            allow_redirects=False,
        ) as response:
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or location is None:
                return await _output(response)
            request = followed(request, response.status, location, domains)
    raise failed(RunErrorCode.LIMIT, f"the server redirects more than {MOST_REDIRECTS} times")


async def _output(response: aiohttp.ClientResponse) -> JsonValue:
    if response.status >= 400:
        raise refusal(response.status, await response.content.read(MOST_SHOWN))
    body = await whole_body(response)
    return await asyncio.to_thread(answer_output, response.status, response.headers, body)


def _failure(error: Exception, guard: AddressGuard) -> NodeFailed:
    """Return the failure by the kind of an error; its text may hold what the address holds."""
    if guard.has_refused:
        text = "the address leads to a network that is closed to nodes"
        return failed(RunErrorCode.REFUSED, text)
    if isinstance(error, aiohttp.ClientSSLError):
        text = "the server has no certificate that can be trusted"
        return failed(RunErrorCode.CONNECTION, text, is_retryable=False)
    if isinstance(error, aiohttp.InvalidURL | ValueError):
        return failed(RunErrorCode.REFUSED, "the address cannot be read")
    # A payload that ends too early has an error of the protocol as its cause, too.
    is_garbled = isinstance(error.__cause__, ContentEncodingError)
    if isinstance(error, aiohttp.ClientResponseError) or is_garbled:
        return failed(RunErrorCode.UNREADABLE, "the server's answer is no HTTP that can be read")
    return failed(RunErrorCode.CONNECTION, "the connection failed, or broke off")
