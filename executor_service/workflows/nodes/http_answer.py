"""The answer to an HTTP node's request, read within its limits."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.nodes.json_weight import MOST_WEIGHT, weight_of
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode

if TYPE_CHECKING:
    import aiohttp

MOST_BODY = 1_000_000
"""Bytes of a body after decompression."""
MOST_SHOWN = 1_200
"""Bytes that are read of a body that explains a refusal."""
_MOST_CHARACTERS = 300
# The server asks for a pause, or was too slow itself; the request may succeed as it is.
_LATER = frozenset({408, 429})
# Decoders of other charsets may take minutes for a megabyte.
_CHARSET = re.compile(
    r"utf-?(8|16|32)([lb]e)?|us-ascii|iso-8859-\d+|windows-125\d|gb(k|2312|18030)|big5|euc-(jp|kr)"
    r"|shift_jis|koi8-[ru]",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"text/|application/(.*\+)?xml|application/(x-)?(javascript|www-form-urlencoded)"
)
_JSON = re.compile(r"application/(.*\+)?json|text/json")


async def whole_body(response: aiohttp.ClientResponse) -> bytes:
    """Return the decompressed body.

    Raises:
        NodeFailed: LIMIT; what comes beyond it is not read.
    """
    body = bytearray()
    async for data in response.content.iter_any():
        body += data
        if len(body) > MOST_BODY:
            raise failed(RunErrorCode.LIMIT, f"the answer has more than {MOST_BODY} bytes")
    return bytes(body)


def answer_output(status: int, headers: Mapping[str, str], body: bytes) -> JsonValue:
    """Return the node's output: status, headers with names in lower case, data.

    The data is what JSON holds where the server says that it is JSON, text where it is text, base64
    where it is neither, null where there is none.

    Raises:
        NodeFailed: UNREADABLE where it says JSON and is none, LIMIT where that has too many values.
    """
    named = {name.lower(): _storable(text) for name, text in headers.items()}
    named.pop("set-cookie", None)
    data = _data(named.get("content-type", ""), body)
    return {"status": status, "headers": named, "data": data}


def _data(content_type: str, body: bytes) -> JsonValue:
    kind, _, rest = content_type.lower().partition(";")
    if not body:
        return None
    if _JSON.fullmatch(kind.strip()):
        if weight_of(body) > MOST_WEIGHT:
            raise failed(RunErrorCode.LIMIT, "the answer has too many values")
        try:
            value: JsonValue = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise failed(RunErrorCode.UNREADABLE, "the answer says JSON and is none") from None
        return value
    named = re.search(r"charset=[\"']?([\w-]+)", rest)
    if kind and not named and not _TEXT.match(kind.strip()):
        return base64.b64encode(body).decode()
    charset = named[1] if named and _CHARSET.fullmatch(named[1]) else "utf-8"
    try:
        return body.decode(charset, errors="replace")
    except LookupError:  # it looks like one, such as iso-8859-99
        return body.decode(errors="replace")


def _storable(header: str) -> str:
    """Return a header as text; bytes that are no UTF-8 come as halves of characters."""
    return header.encode(errors="surrogateescape").decode(errors="replace")


def refusal(status: int, body: bytes) -> NodeFailed:
    """Return the failure of an answer that is no success, with the beginning of what it says."""
    said = " ".join(body.decode(errors="replace").split())[:_MOST_CHARACTERS]
    text = f"the server answered {status}" + (f": {said}" if said else "")
    if status >= 500:
        return failed(RunErrorCode.HTTP_5XX, text)
    return failed(RunErrorCode.HTTP_4XX, text, is_retryable=status in _LATER)
