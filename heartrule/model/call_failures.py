"""The domain's errors for what one call to a provider came to, each with its details."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from heartrule.domain.errors import HeartRuleError, ModelRateLimited, ModelUnavailable
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_failure import ModelFailureCause, ModelFailureDetails
from heartrule.model import model_failures as failures
from heartrule.model.chat_events import ChatChunk, MalformedChunk
from heartrule.model.context_errors import context_exceeded
from heartrule.model.event_splitter import EventTooLarge
from heartrule.model.provider_words import provider_words, shown_url
from heartrule.model.request_json import Messages
from heartrule.model.timing import Timing


@dataclass(slots=True, kw_only=True)
class CallFailures:
    """Makes the errors of one call; it knows the call's key and prompt, to keep both out."""

    provider: str
    base_url: str
    model: str
    api_key: str
    messages: Messages
    timing: Timing
    answered: bool = False
    """Whether the head of an answer has come."""

    def refused(
        self, status: int, headers: Mapping[str, str], body: bytes | JsonValue
    ) -> HeartRuleError:
        """Return the error for an HTTP status that is no success."""
        error = failures.status_failure(
            status, headers, provider=self.provider, now=self.timing.now(), body=body
        )
        words = provider_words(body, key=self.api_key, sent=self._texts())
        cause = failures.cause_of_status(
            status, body, is_json=words.is_json, has_key=bool(self.api_key)
        )
        return self._with(error, cause, status=status, message=words.message, code=words.code)

    def in_stream(self, chunk: ChatChunk) -> HeartRuleError:
        """Return the error for a chunk that holds one."""
        error = failures.stream_failure(chunk.exceeded, provider=self.provider)
        if chunk.unreadable:
            return self._with(error, ModelFailureCause.UNREADABLE)
        words = provider_words(chunk.error, key=self.api_key, sent=self._texts())
        return self._with(error, ModelFailureCause.SERVER_ERROR, message=words.message)

    def page(self) -> HeartRuleError:
        """Return the error for a page of HTML in the place of an answer."""
        error = failures.unavailable(failures.STREAM_ERROR, provider=self.provider)
        return self._with(error, ModelFailureCause.UNREADABLE)

    def of(self, error: Exception) -> HeartRuleError | None:
        """Return the domain's error for a foreign one; None for ours and for a mistake in code."""
        import aiohttp
        import httpx2
        import openai

        if isinstance(error, HeartRuleError):
            return None
        if isinstance(error, openai.APIStatusError):
            body = cast("JsonValue", error.body)
            return self.refused(error.status_code, error.response.headers, body)
        timed_out = TimeoutError | openai.APITimeoutError | httpx2.TimeoutException
        if isinstance(error, timed_out) and not _lost(error):
            late = failures.unavailable(failures.TIMEOUT, provider=self.provider)
            cause = ModelFailureCause.STALLED if self.answered else ModelFailureCause.TIMED_OUT
            return self._with(late, cause)
        broken = openai.APIConnectionError | httpx2.HTTPError | aiohttp.ClientError | OSError
        if isinstance(error, broken):
            lost = failures.unavailable(failures.CONNECTION, provider=self.provider)
            return self._with(lost, _cause_of_loss(error))
        if isinstance(error, openai.APIError):
            said = cast("JsonValue", error.body)
            exceeded = context_exceeded(said)
            return self.in_stream(ChatChunk(error=error.message or "error", exceeded=exceeded))
        if isinstance(error, MalformedChunk | EventTooLarge):
            return self.page()
        return None

    def _with(
        self, error: HeartRuleError, cause: ModelFailureCause, *,
        status: int = 0, message: str = "", code: str = "",
    ) -> HeartRuleError:  # fmt: skip
        assert isinstance(error, ModelUnavailable | ModelRateLimited)
        if error.reason == failures.CONTEXT_EXCEEDED:
            cause = ModelFailureCause.PROMPT_TOO_LONG
        error.details = ModelFailureDetails(
            cause=cause,
            provider=self.provider,
            base_url=shown_url(self.base_url),
            model=self.model,
            status=status,
            message=message,
            code=code,
        )
        return error

    def _texts(self) -> list[str]:
        return [str(each["content"]) for each in self.messages]


def _cause_of_loss(error: BaseException) -> ModelFailureCause:
    """Return why a connection failed; the transport wraps what the system said."""
    import aiohttp

    for each in _chain(error):
        if isinstance(each, ssl.SSLError | aiohttp.ClientSSLError):
            return ModelFailureCause.TLS
        if isinstance(each, socket.gaierror | aiohttp.ClientConnectorDNSError):
            return ModelFailureCause.DNS
        if isinstance(each, ConnectionRefusedError):
            return ModelFailureCause.CONNECTION_REFUSED
    return ModelFailureCause.CONNECTION_LOST


def _lost(error: BaseException) -> bool:
    """Return whether no connection was made, which the transport reports as a time-out too."""
    kinds = ConnectionError | ssl.SSLError | socket.gaierror
    return any(isinstance(each, kinds) for each in _chain(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        yield cause
        seen.add(id(cause))
        cause = cause.__cause__ or cause.__context__
