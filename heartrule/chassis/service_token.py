"""One shared token per service, in the metadata of every call.

A server that others can reach does not start without one. It is compared before a request is read;
the health checks are a server of their own and ask for none.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NoReturn, Self, TypeAlias, cast

import grpc
from grpc import aio
from pydantic import AfterValidator, SecretStr

from heartrule.chassis import telemetry_metrics
from heartrule.chassis.rate_limit import RateLimit
from heartrule.chassis.settings import Variable
from heartrule.domain.errors import NotAuthenticated

log = logging.getLogger(__name__)

# Nobody guesses 32 random characters; a shorter one may be a word.
LEAST_TOKEN = 32
# The metadata key of gRPC and the header of HTTP are the same.
KEY = "authorization"
FAILED_LOGINS = "heartrule.failed_logins"
# All are counted; a line for each of thousands would fill a disk.
_LINES_A_MINUTE = 10


def _sendable(token: SecretStr) -> SecretStr:
    text = token.get_secret_value()
    if not (text.isascii() and text.isprintable() and " " not in text):
        raise ValueError("a token has ASCII letters, digits and signs alone")
    return token


# A token that metadata and headers can carry.
ServiceToken = Annotated[SecretStr, AfterValidator(_sendable)]
Insecure = Annotated[bool, Variable("HEARTRULE_INSECURE")]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "aio.ServicerContext[Any, Any]"


def check_exposed(prefix: str, token: SecretStr | None) -> None:
    """Refuse settings that let others reach a service without a long token.

    Raises:
        ValueError: One sentence that says what to set.
    """
    if token is None or len(token.get_secret_value()) < LEAST_TOKEN:
        raise ValueError(
            f"{prefix}HOST lets others reach this service, so {prefix}TOKEN must have at least "
            f"{LEAST_TOKEN} characters (`openssl rand -hex 32` makes one), unless "
            "HEARTRULE_INSECURE=true says that nobody need be asked"
        )


def bearer(token: SecretStr) -> str:
    """Return the value that a caller sends under `KEY`."""
    return f"Bearer {token.get_secret_value()}"


class TokenInterceptor(aio.ServerInterceptor):
    """Ends calls without the token with UNAUTHENTICATED, before a byte of their request is read."""

    def __init__(self, token: SecretStr) -> None:
        """Ask every call for `token`."""
        self._right = bearer(token).encode()
        self._logged = RateLimit(_LINES_A_MINUTE, 60.0)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the method's handler, or one that refuses."""
        sent = next((v for k, v in handler_call_details.invocation_metadata if k == KEY), "")
        given = sent if isinstance(sent, bytes) else sent.encode()
        if hmac.compare_digest(given, self._right):
            return await continuation(handler_call_details)
        # Of this kind for every method: it begins before the first message has arrived.
        return grpc.stream_stream_rpc_method_handler(self._refuse)

    async def _refuse(self, _requests: object, context: Context) -> NoReturn:
        telemetry_metrics.count(FAILED_LOGINS)
        if not self._logged.take(FAILED_LOGINS):
            log.warning("a call without the right token", extra={"peer": context.peer()})
        raise NotAuthenticated("this service asks for its token", reason="NOT_AUTHENTICATED")


def with_token(channel: aio.Channel, token: SecretStr) -> aio.Channel:
    """Return the channel; every call made on it from now on sends the token."""
    return cast("aio.Channel", _TokenChannel(channel, (KEY, bearer(token))))


class _TokenChannel:
    """A channel that adds one pair to the metadata of each call.

    grpc's own client interceptors would put a task and a queue between a caller and its stream.
    """

    def __init__(self, channel: aio.Channel, pair: tuple[str, str]) -> None:
        self._channel = channel
        self._pair = pair

    def __getattr__(self, name: str) -> Any:
        return getattr(self._channel, name)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._channel.close()

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any:
        return self._adding(self._channel.unary_unary(*args, **kwargs))

    def unary_stream(self, *args: Any, **kwargs: Any) -> Any:
        return self._adding(self._channel.unary_stream(*args, **kwargs))

    def stream_unary(self, *args: Any, **kwargs: Any) -> Any:
        return self._adding(self._channel.stream_unary(*args, **kwargs))

    def stream_stream(self, *args: Any, **kwargs: Any) -> Any:
        return self._adding(self._channel.stream_stream(*args, **kwargs))

    def _adding(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, metadata: Any = (), **kwargs: Any) -> Any:
            return method(*args, metadata=(*(metadata or ()), self._pair), **kwargs)

        return call
