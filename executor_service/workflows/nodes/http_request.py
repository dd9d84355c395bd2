"""The request of an HTTP node, and the one that follows a redirect. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, urlencode, urljoin, urlsplit

import orjson

from executor_service.workflows.node_failed import failed
from executor_service.workflows.nodes.node_port import NodeCall, NodeFile
from executor_service.workflows.urls import check_url
from heartrule.domain.decisions import FindingCode
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode

MOST_ADDRESS = 8_000
"""Characters of an address with its parameters, encoded."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KEEP_METHOD = frozenset({307, 308})
_HEAD = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://[^/?#]*)(.*)", re.DOTALL)
_RESERVED = "/?#%[]@!$&'()*+,;=:~"
# The connection's own, and what would name another host than the one that was judged.
_OURS = frozenset(
    [
        "connection",
        "content-length",
        "expect",
        "host",
        "idempotency-key",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# What tells nothing about the caller, so that another host may have it.
_ANYONES = frozenset({"accept", "accept-language", "idempotency-key", "user-agent"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """A request to an address that passed the rules."""

    url: str = field(repr=False)
    """Encoded; what it names may still lead to a closed address."""
    method: str
    headers: Mapping[str, str] = field(repr=False)
    """Their names in lower case."""
    body: bytes | None = field(default=None, repr=False)


def written_request(call: NodeCall) -> HttpRequest:
    """Return the request that a node's configuration asks for.

    Raises:
        NodeFailed: REFUSED where the address or a header is forbidden, LIMIT where it is too long.
    """
    config = call.config
    url = sound_address(str(config["url"]), "the address", call.access.domains)
    headers = {"user-agent": "HeartRule"} | _headers(config.get("headers"))
    body = _body(config.get("body"), headers, call.files)
    headers |= {"idempotency-key": call.key}
    return HttpRequest(
        url=_with_params(url, config.get("params")),
        method=str(config["method"]),
        headers=headers,
        body=body,
    )


def followed(
    request: HttpRequest, status: int, location: str, domains: tuple[str, ...] | None
) -> HttpRequest:
    """Return the request that a redirect asks for; another host gets no credentials.

    Raises:
        NodeFailed: REFUSED where it leads to a forbidden address, or would hand a body elsewhere.
    """
    url = sound_address(urljoin(request.url, location), "the redirect", domains)
    moved = replace(request, url=url)
    if status not in _KEEP_METHOD and request.method != "GET":
        headers = {name: text for name, text in request.headers.items() if name != "content-type"}
        moved = replace(moved, method="GET", body=None, headers=headers)
    if _origin(url) == _origin(request.url):
        return moved
    if moved.body is not None:
        raise failed(RunErrorCode.REFUSED, "the redirect would hand the body to another host")
    known = {name: text for name, text in moved.headers.items() if name in _ANYONES}
    return replace(moved, headers=known)


def sound_address(text: str, what: str, domains: tuple[str, ...] | None) -> str:
    """Return an address as it is sent; behind its host everything is percent-encoded.

    Raises:
        NodeFailed: REFUSED, or LIMIT where it is too long; the message begins with `what`.
    """
    parts = _HEAD.fullmatch(text)
    head, rest = parts.groups() if parts else (text, "")
    if findings := check_url(head, what, domains):
        is_long = findings[0].code is FindingCode.TOO_LARGE
        raise failed(RunErrorCode.LIMIT if is_long else RunErrorCode.REFUSED, findings[0].message)
    return _of_size(head + quote(rest, safe=_RESERVED, errors="replace"))


def _of_size(url: str) -> str:
    if len(url) > MOST_ADDRESS:
        text = f"the address has more than {MOST_ADDRESS} characters; send what is long in the body"
        raise failed(RunErrorCode.LIMIT, text)
    return url


def _with_params(url: str, params: JsonValue) -> str:
    """Add the parameters to the query; what is null is left out."""
    given = params if isinstance(params, Mapping) else {}
    pairs = [(name, _text(value)) for name, value in given.items() if value is not None]
    if not pairs:
        return url
    plain = url.partition("#")[0]
    joint = "&" if "?" in plain else "?"
    return _of_size(plain + joint + urlencode(pairs, errors="replace"))


def _headers(given: JsonValue) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in (given if isinstance(given, Mapping) else {}).items():
        text = _text(value)
        if not _TOKEN.fullmatch(name) or _CONTROL.search(text):
            raise failed(RunErrorCode.REFUSED, "a header has a line end, or a name that is none")
        if name.lower() in _OURS:
            raise failed(RunErrorCode.REFUSED, f"the header {name} is not for a node to set")
        if value is not None:
            found[name.lower()] = text
    return found


def _body(value: JsonValue, headers: dict[str, str], files: Mapping[str, NodeFile]) -> bytes | None:
    """Return the body: JSON, or a text of the type that the headers name; it sets that type."""
    if value is None:
        return None
    if isinstance(value, str) and value not in files and "content-type" in headers:
        return value.encode(errors="replace")
    headers.setdefault("content-type", "application/json")
    return _json(_with_files(value, files))


def _with_files(value: JsonValue, files: Mapping[str, NodeFile]) -> JsonValue:
    """Return a value in which each name of a file has become the file."""
    if isinstance(value, str):
        file = files.get(value)
        if file is None:
            return value
        data = base64.b64encode(file.data).decode()
        return {"name": value, "mime_type": file.mime_type, "data": data}
    if isinstance(value, Mapping):
        return {name: _with_files(each, files) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_files(each, files) for each in value]
    return value


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else _json(value).decode()


def _json(value: JsonValue) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        text = "the request holds an integer above 64 bits or half a character, or nests too deep"
        raise failed(RunErrorCode.UNREADABLE, text) from None


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    default = 443 if parts.scheme == "https" else 80
    return parts.scheme, (parts.hostname or "").removesuffix("."), parts.port or default
