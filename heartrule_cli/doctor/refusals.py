"""Why a call failed, in a sentence with its cause, and what can be done about it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from heartrule.domain.errors import HeartRuleError, ModelRateLimited, ModelUnavailable
from heartrule.domain.model_failure import ModelFailureCause as Cause
from heartrule.domain.model_failure import ModelFailureDetails

# What is the case, said of an address.
_SENTENCES: Mapping[Cause, str] = MappingProxyType({
    Cause.NO_KEY: "asks for a key, and none is set",
    Cause.KEY_REJECTED: "refuses the key",
    Cause.UNKNOWN_MODEL: "does not know the model {model}",
    Cause.WRONG_ADDRESS: "has nothing that answers chat completions",
    Cause.QUOTA: "says that the quota is used up",
    Cause.RATE_LIMITED: "asks for a pause",
    Cause.CONTENT: "refuses what the prompt says",
    Cause.PROMPT_TOO_LONG: "finds the prompt too long for {model}",
    Cause.REQUEST_REFUSED: "refuses the request",
    Cause.SERVER_ERROR: "has a failure of its own",
    Cause.CONNECTION_REFUSED: "has nothing that listens (connection refused)",
    Cause.DNS: "has a name that cannot be found (DNS)",
    Cause.TLS: "gives no safe connection (TLS)",
    Cause.CONNECTION_LOST: "broke the connection",
    Cause.TIMED_OUT: "gave no answer within {seconds} s",
    Cause.STALLED: "began an answer and stalled, for {seconds} s",
    Cause.EMPTY: "ended its answer without a word",
    Cause.CUT: "broke its answer off",
    Cause.UNREADABLE: "answers with something else than a model's reply, such as a web page",
})  # fmt: skip
_ADDRESS = "correct {address}; it ends with the version, such as /v1"
_LATER = "try later, or name another model in {model_setting}"
# What its reader can do.
_REMEDIES: Mapping[Cause, str] = MappingProxyType({
    Cause.NO_KEY: "set {key}",
    Cause.KEY_REJECTED: "set {key} to a key that is valid there",
    Cause.UNKNOWN_MODEL: "name a model that it has in {model_setting}",
    Cause.WRONG_ADDRESS: _ADDRESS,
    Cause.QUOTA: "look at the plan and the bill of that account",
    Cause.RATE_LIMITED: "wait a while, or ask there for a higher limit",
    Cause.CONTENT: "name another model in {model_setting}",
    Cause.PROMPT_TOO_LONG: "state HEARTRULE_CONTEXT_TOKENS, or name a model that takes more",
    Cause.REQUEST_REFUSED: "look at {model_setting}, {address} and the parameters",
    Cause.SERVER_ERROR: _LATER,
    Cause.CONNECTION_REFUSED: "start that server, or correct {address}",
    Cause.DNS: "correct {address}, or look at your network",
    Cause.TLS: "begin {address} with http:// where that server has no TLS; "
    "else name its authority's certificate in SSL_CERT_FILE",
    Cause.CONNECTION_LOST: "look at your network and at {address}",
    Cause.TIMED_OUT: _LATER,
    Cause.STALLED: _LATER,
    Cause.EMPTY: "look at that server's log and at {address}",
    Cause.CUT: "try again; where it stays, look at that server's log",
    Cause.UNREADABLE: _ADDRESS,
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingNames:
    """What a provider's facts are called where its user sets them."""

    address: str = "OPENAI_BASE_URL"
    model: str = "HEARTRULE_MODEL"
    key: str = "OPENAI_API_KEY"


def refusal(error: HeartRuleError, names: SettingNames, seconds: float) -> tuple[str, str]:
    """Return what failed within so many seconds, and the remedy."""
    details = details_of(error)
    if details is None:
        return error.message, _LATER.format(model_setting=names.model)
    status = f" (status {details.status})" if details.status else ""
    # A provider's words are data: they are joined behind the sentence, not filled into it.
    said = f": {details.message}" if details.message else ""
    sentence = _SENTENCES[details.cause].format(model=details.model, seconds=round(seconds))
    remedy = _REMEDIES[details.cause].format(
        address=names.address, model_setting=names.model, key=names.key
    )
    return f"{details.base_url} {sentence}{status}{said}", remedy


def details_of(error: HeartRuleError) -> ModelFailureDetails | None:
    """Return what is known of a failed call."""
    return error.details if isinstance(error, ModelUnavailable | ModelRateLimited) else None
