"""Why a call failed, in a sentence with its cause, and what can be done about it. Pure."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from heartrule.domain.errors import HeartRuleError
from heartrule.model import model_failures as failures
from heartrule.model.providers import Provider
from heartrule.model.settings import KEY_VARIABLE
from heartrule_cli.doctor.provider_calls import TriedCall
from heartrule_cli.text import one_line

_LONGEST = 300
_KEY_REFUSED = frozenset({401, 403})
_UNKNOWN = 404
_PAUSE = 429
_FIRST_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedModel:
    """What was called."""

    provider: Provider
    model: str
    api_key: str = ""
    is_from_file: bool = False
    """Whether a file of providers names it."""

    @property
    def address(self) -> str:
        """Where, without user and password."""
        parts = urlsplit(self.provider.base_url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()

    @property
    def address_setting(self) -> str:
        """What names the address."""
        return "its base_url" if self.is_from_file else "OPENAI_BASE_URL"

    @property
    def model_setting(self) -> str:
        """What names the model."""
        return "its models" if self.is_from_file else "HEARTRULE_MODEL"


def refusal(tried: TriedModel, call: TriedCall) -> tuple[str, str]:
    """Return what failed, and the remedy."""
    if call.status >= 300:
        return _by_status(tried, call)
    error = call.error
    reason = error.reason if error is not None else failures.STREAM_CUT
    if reason == failures.CONNECTION and error is not None:
        return _by_connection(tried, error)
    if reason == failures.TIMEOUT:
        return (
            f"{tried.address} gave no answer within {call.whole_s:.0f} s",
            "the server is busy or stalls: try later, or name another model",
        )
    if "html" in call.content_type:
        return (
            f"{tried.address} answers with a web page ({one_line(call.content_type)}), not a model",
            f"correct {tried.address_setting}; it ends with the version, such as /v1",
        )
    if not call.text:
        return (
            f"{tried.address} ended its answer without a word of {tried.model}",
            f"what answers there may be no such model: look at {tried.address_setting} and its log",
        )
    return (
        f"{tried.address}: {error.message if error else 'its answer broke off'}",
        "try again; where it stays, look at that server's log",
    )


def _by_status(tried: TriedModel, call: TriedCall) -> tuple[str, str]:
    status, said = call.status, _quoted(call.said, tried.api_key)
    variable = tried.provider.api_key_env or KEY_VARIABLE
    if status in _KEY_REFUSED:
        what = "refuses the key" if tried.api_key else "asks for a key"
        return f"{tried.address} {what} (status {status}){said}", f"set {variable} anew"
    if status == _UNKNOWN:
        return (
            f"{tried.address} does not know the model {tried.model} (status {status}){said}",
            (
                f"name one that it has in {tried.model_setting}, or correct {tried.address_setting}, "
                "which ends with the version, such as /v1"
            ),
        )
    if status == _PAUSE:
        return (
            f"{tried.address} asks for a pause, or the quota is used up (status {status}){said}",
            "wait a while, or look at the plan of that account",
        )
    if status >= _FIRST_SERVER_ERROR:
        return f"{tried.address} has a failure of its own (status {status}){said}", "try later"
    return (
        f"{tried.address} refuses the request (status {status}){said}",
        f"look at {tried.model_setting}, {tried.address_setting} and the parameters",
    )


def _by_connection(tried: TriedModel, error: HeartRuleError) -> tuple[str, str]:
    causes = tuple(_causes(error))
    host = urlsplit(tried.provider.base_url).hostname or tried.address
    own = _quoted(str(causes[-1]) if causes else "", tried.api_key)
    if any(isinstance(each, ssl.SSLError | ssl.CertificateError) for each in causes):
        return (
            f"no safe connection to {tried.address} could be made (TLS){own}",
            (
                "begin the address with http:// where the server has no TLS; else give the authority's "
                "certificate in SSL_CERT_FILE"
            ),
        )
    if any(isinstance(each, socket.gaierror) for each in causes):
        return (
            f"no server of the name {host} is known (DNS){own}",
            f"correct {tried.address_setting}, or look at your network",
        )
    if any(isinstance(each, ConnectionRefusedError) for each in causes):
        return (
            f"nothing listens at {tried.address} (connection refused)",
            f"start that server, or correct {tried.address_setting}",
        )
    return (
        f"the connection to {tried.address} broke{own}",
        f"look at your network and {tried.address_setting}",
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield what an error came from, the nearest first."""
    seen: set[int] = set()
    waiting = [error.__cause__ or error.__context__]
    while waiting:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        inner = [getattr(cause, name, None) for name in ("os_error", "certificate_error")]
        waiting += [each for each in inner if isinstance(each, BaseException)]
        waiting += [cause.__cause__, cause.__context__]


def _quoted(said: str, api_key: str) -> str:
    """Return somebody's own words behind a colon, without the key; "" where there are none."""
    if api_key:
        said = said.replace(api_key, "•••")
    text = one_line(said.strip())[:_LONGEST]
    return f": {text}" if text else ""
