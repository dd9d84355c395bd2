"""Why a model gave no answer, as data: the facts for an operator, and the cause for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ModelFailureCause(StrEnum):
    """What went wrong at a provider; each has its sentence and its remedy."""

    NO_KEY = "no_key"
    """The provider asks for a key, and none is set."""
    KEY_REJECTED = "key_rejected"
    """The provider does not take the key."""
    UNKNOWN_MODEL = "unknown_model"
    """The provider has no model of this name, or not for this key."""
    WRONG_ADDRESS = "wrong_address"
    """Nothing at this address answers chat completions."""
    QUOTA = "quota"
    """The account is used up."""
    RATE_LIMITED = "rate_limited"
    """Too many requests in a short time."""
    CONTENT = "content"
    """What the prompt says is against the provider's rules."""
    PROMPT_TOO_LONG = "prompt_too_long"
    """The prompt is longer than the model takes."""
    REQUEST_REFUSED = "request_refused"
    """The provider does not take the request, for another reason."""
    SERVER_ERROR = "server_error"
    """The provider reports a failure of its own."""
    CONNECTION_REFUSED = "connection_refused"
    """Nothing listens at the address."""
    DNS = "dns"
    """The address has a name that cannot be found."""
    TLS = "tls"
    """No trusted connection could be made."""
    CONNECTION_LOST = "connection_lost"
    """The connection broke, or could not be made for another reason."""
    TIMED_OUT = "timed_out"
    """No answer began in time."""
    STALLED = "stalled"
    """An answer began, and did not go on in time."""
    EMPTY = "empty"
    """The answer ended without a word."""
    CUT = "cut"
    """The answer ended before it was whole."""
    UNREADABLE = "unreadable"
    """What came is no answer of a model, such as a page of HTML."""


# A repeat fails in the same way until somebody has changed a setting, or paid.
LASTING = frozenset({
    ModelFailureCause.NO_KEY, ModelFailureCause.KEY_REJECTED, ModelFailureCause.UNKNOWN_MODEL,
    ModelFailureCause.WRONG_ADDRESS, ModelFailureCause.QUOTA, ModelFailureCause.CONTENT,
    ModelFailureCause.PROMPT_TOO_LONG, ModelFailureCause.REQUEST_REFUSED,
})  # fmt: skip
# Providers decide these by key, name and account: what they say of them is about these alone.
_BEFORE_THE_PROMPT = frozenset({
    ModelFailureCause.NO_KEY, ModelFailureCause.KEY_REJECTED, ModelFailureCause.UNKNOWN_MODEL,
    ModelFailureCause.QUOTA, ModelFailureCause.RATE_LIMITED,
})  # fmt: skip
# Keys of a problem's metadata that are for operators alone.
FOR_OPERATORS = frozenset({"base_url", "model", "provider_message", "provider_code"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFailureDetails:
    """One failed call, as an operator reads it; no key is in any of it."""

    cause: ModelFailureCause
    provider: str
    """Its name in the settings."""
    base_url: str = ""
    """Its address, without a password."""
    model: str = ""
    """The model that was asked."""
    status: int = 0
    """HTTP; 0 where no answer came."""
    message: str = ""
    """The provider's `error.message`: one line, cut, without keys and without the prompt."""
    code: str = ""
    """The provider's `error.code`, such as `invalid_api_key`."""

    @property
    def metadata(self) -> Mapping[str, str]:
        """Return the facts by name, as a problem has them; those not known are left out."""
        facts = {
            "cause": self.cause.value,
            "provider": self.provider,
            "base_url": self.base_url,
            "model": self.model,
            "status": str(self.status or ""),
            "provider_message": self.message,
            "provider_code": self.code,
        }
        return {name: text for name, text in facts.items() if text}

    @property
    def logged(self) -> Mapping[str, str]:
        """Return the facts for a log: a provider's words only where they are not about a prompt."""
        if self.cause in _BEFORE_THE_PROMPT:
            return self.metadata
        return {name: text for name, text in self.metadata.items() if name != "provider_message"}
