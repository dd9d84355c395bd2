"""The domain's errors for failed model calls."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import MappingProxyType

from heartrule.domain.errors import (
    ModelRateLimited,
    ModelStreamCut,
    ModelUnavailable,
    PromptTooLong,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_failure import ModelFailureCause, ModelFailureDetails
from heartrule.model.context_errors import (
    ContextExceeded,
    context_exceeded,
    is_about_account,
    is_about_content,
    is_about_model,
)

# The provider will never take this request: key, model name or size; ask another one.
REJECTED = "MODEL_REJECTED"
# No answer in time.
TIMEOUT = "MODEL_TIMEOUT"
# The connection could not be made or broke.
CONNECTION = "MODEL_CONNECTION"
# The provider reports a failure of its own; a repeat may succeed.
SERVER_ERROR = "MODEL_SERVER_ERROR"
# The stream held an error, or something that is no chat completion.
STREAM_ERROR = "MODEL_STREAM_ERROR"
# The stream ended before the model's finish reason.
STREAM_CUT = "MODEL_STREAM_CUT"
# The model stopped before its end: token limit, content filter, or our own limit.
STOPPED_EARLY = "MODEL_STOPPED_EARLY"
# The provider asks for a pause.
RATE_LIMITED = "MODEL_RATE_LIMITED"
# The provider failed several times in a row; calls are withheld for a while.
PAUSED = "MODEL_PAUSED"

# The prompt is longer than the model takes.
CONTEXT_EXCEEDED = "MODEL_CONTEXT_EXCEEDED"

# The cause of a rejection, in its metadata: what the prompt says, by the provider's rules.
CONTENT = "content"

# What people read of them; the reason stands beside it.
_CAUSES = MappingProxyType(
    {
        TIMEOUT: "did not answer in time",
        CONNECTION: "could not be reached, or the connection broke",
        STREAM_ERROR: "sent something that is no answer of a model",
        STREAM_CUT: "stopped before its answer was whole",
    }
)
_NO_ENTRY = frozenset({401, 403})
_UNPAID = 402
_NOT_FOUND = 404
_TOO_MANY_REQUESTS = 429
_TOO_LARGE = 413
# A repeat may succeed: request time-out, conflict, too early.
_PASSING = frozenset({408, 409, 425})
_FIRST_SERVER_ERROR = 500
# A Retry-After beyond a day is taken as a day: no turn is repeated that late.
_LONGEST = timedelta(days=1)


def status_failure(
    status: int,
    headers: Mapping[str, str],
    *,
    provider: str,
    now: datetime,
    body: bytes | JsonValue = b"",
) -> ModelUnavailable | ModelRateLimited:
    """Return the error for an HTTP status that is no success; `body` is what came with it."""
    metadata = {"provider": provider, "status": str(status)}
    exceeded = context_exceeded(body)
    if status == _TOO_MANY_REQUESTS and exceeded is None:
        return ModelRateLimited(
            f"provider {provider} asks for a pause",
            reason=RATE_LIMITED,
            metadata=metadata,
            retry_after=retry_after(headers, now=now),
        )
    # A proxy that refuses a large body says no more than its status.
    exceeded = exceeded or (ContextExceeded() if status == _TOO_LARGE else None)
    if exceeded is not None:
        return prompt_too_long(exceeded, metadata)
    passing = status in _PASSING or status >= _FIRST_SERVER_ERROR
    return ModelUnavailable(
        f"provider {provider} answered with status {status}",
        reason=SERVER_ERROR if passing else REJECTED,
        metadata=metadata | ({"cause": CONTENT} if is_about_content(body) else {}),
    )


def cause_of_status(
    status: int, body: bytes | JsonValue, *, is_json: bool, has_key: bool
) -> ModelFailureCause:
    """Return what a status means, by what came with it.

    Args:
        status: HTTP, no success.
        body: What came with it.
        is_json: Whether that is an error as an API writes it.
        has_key: Whether a key was sent.
    """
    if status in _NO_ENTRY:
        return ModelFailureCause.KEY_REJECTED if has_key else ModelFailureCause.NO_KEY
    if status == _UNPAID or (status == _TOO_MANY_REQUESTS and is_about_account(body)):
        return ModelFailureCause.QUOTA
    if status == _TOO_MANY_REQUESTS:
        return ModelFailureCause.RATE_LIMITED
    if status in _PASSING or status >= _FIRST_SERVER_ERROR:
        return ModelFailureCause.SERVER_ERROR
    if is_about_model(body):
        return ModelFailureCause.UNKNOWN_MODEL
    if status == _NOT_FOUND:
        return ModelFailureCause.UNKNOWN_MODEL if is_json else ModelFailureCause.WRONG_ADDRESS
    content = is_about_content(body)
    return ModelFailureCause.CONTENT if content else ModelFailureCause.REQUEST_REFUSED


def prompt_too_long(exceeded: ContextExceeded, metadata: Mapping[str, str]) -> PromptTooLong:
    """Return the error for a prompt that the model does not take; numbers not said are left out."""
    said = {
        "limit_tokens": exceeded.limit,
        "prompt_tokens": exceeded.prompt_tokens,
        "completion_tokens": exceeded.completion_tokens,
    }
    return PromptTooLong(
        "the conversation is longer than the model takes; a repeat of the message would not help",
        reason=CONTEXT_EXCEEDED,
        metadata={**metadata, **{name: str(number) for name, number in said.items() if number}},
    )


def stream_failure(exceeded: ContextExceeded | None, *, provider: str) -> ModelUnavailable:
    """Return the error for a stream in which the provider reports one."""
    if exceeded is not None:
        return prompt_too_long(exceeded, {"provider": provider})
    return unavailable(STREAM_ERROR, provider=provider)


def unavailable(reason: str, *, provider: str) -> ModelUnavailable:
    """Return the error for a call that gave no whole answer and may be made again."""
    return ModelUnavailable(
        f"provider {provider} {_CAUSES[reason]}",
        reason=reason,
        metadata={"provider": provider},
    )


def paused(
    *, provider: str, wait_s: float, last: ModelFailureDetails | None = None
) -> ModelUnavailable:
    """Return the error for a call that was not made, since the ones before it failed.

    `last` tells why the last of them did.
    """
    error = ModelUnavailable(
        f"provider {provider} failed several times in a row and is left alone for a while",
        reason=PAUSED,
        metadata={"provider": provider},
        retry_after=timedelta(seconds=wait_s),
    )
    error.details = last
    return error


def cut(reason: str, *, provider: str, finish_reason: str = "") -> ModelStreamCut:
    """Return the error for a reply that must not be asked for again."""
    metadata = {"provider": provider}
    if finish_reason:
        metadata["finish_reason"] = finish_reason
    return ModelStreamCut(
        f"the reply of provider {provider} broke off", reason=reason, metadata=metadata
    )


def retry_after(headers: Mapping[str, str], *, now: datetime) -> timedelta | None:
    """Return how long a server asks to wait: milliseconds, seconds or a date, a day at most.

    None where no header can be read.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if value.replace(".", "", 1).isdecimal():
            return timedelta(seconds=min(float(value) * unit, _LONGEST.total_seconds()))
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
        if until.tzinfo is None:
            until = until.replace(tzinfo=UTC)
        return min(max(until - now, timedelta(0)), _LONGEST)
    except (ValueError, OverflowError, LookupError, TypeError):
        return None  # what parses dates was not made for bad ones
