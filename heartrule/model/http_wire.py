"""HTTP/1.1: the head of a request as bytes, and the reader of one answer.

Pure: bytes in, bytes out. httptools knows the protocol; what it would let pass but no server of
a model may send is `NotHttp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

MAX_HEAD_BYTES = 65_536
"""A longer head is no answer; interim answers before it count as parts of it."""
_MOST_FIELDS = 512
_BODILESS = frozenset({204, 304})
_DEFAULT_PORTS: Mapping[str, int] = {"http": 80, "https": 443}


class NotHttp(ConnectionError):
    """The bytes are no HTTP that is understood here."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where requests go."""

    secure: bool
    host: str
    port: int
    path: str
    """With the query, as it stands in a request."""
    authority: str
    """Host and port as the header `host` names them."""


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of an answer."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case; of repeated ones all values, with commas between."""
    keeps: bool
    """Whether the connection may serve a further request."""


def address_of(url: str) -> Address:
    """Return where a URL points to.

    Raises:
        ValueError: It is no http or https URL.
    """
    parts = urlsplit(url)
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    if port is None or not parts.hostname:
        raise ValueError("not an http address")
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode()
    named = f"[{host}]" if ":" in host else host
    return Address(
        secure=parts.scheme == "https",
        host=host,
        port=port,
        path=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
        authority=named if parts.port is None else f"{named}:{port}",
    )


def post_head(address: Address, headers: Mapping[str, str]) -> bytes:
    """Return the head of a POST up to the value of its content-length, which stands last.

    Raises:
        ValueError: A header would begin a new line.
    """
    sent = {**headers, "Host": address.authority, "Accept-Encoding": "identity"}
    lines = [f"POST {address.path} HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items())]
    if any("\r" in line or "\n" in line or "\0" in line for line in lines):
        raise ValueError("a header has a line break")
    return "\r\n".join((*lines, "Content-Length: ")).encode()


class AnswerReader:
    """Reads one answer however its bytes are cut; interim answers (status 1xx) are passed over."""

    __slots__ = ("_begun", "_count", "_fields", "_parser", "_parts", "by_closing", "ended", "head")

    def __init__(self) -> None:
        """Wait for the first byte."""
        self.head: Head | None = None
        """None until it is whole."""
        self.ended = False
        """True once the body is whole; the connection's end does that where nothing else can."""
        self.by_closing = False
        """Whether only the connection's end ends the body."""
        self._begun = 0
        self._count = 0
        self._fields: dict[str, str] = {}
        self._parts: list[bytes] = []
        self._parser = HttpResponseParser(self)

    def feed(self, data: bytes) -> bytes:
        """Return what of the bytes is the body's.

        Raises:
            NotHttp: They cannot be read, or something follows the answer.
        """
        if self.ended:
            raise NotHttp("something follows the answer")
        if self.head is None:
            self._begun += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserError as error:
            known = error.__context__  # what a callback of ours raised
            raise known if isinstance(known, NotHttp) else NotHttp(str(error)) from None
        except HttpParserUpgrade:  # no error of the parser's, and nothing anybody asked for
            raise NotHttp("another protocol follows") from None
        if self.head is None and self._begun > MAX_HEAD_BYTES:
            raise NotHttp("the head of an answer has no end")
        if len(self._parts) == 1:
            return self._parts.pop()
        body = b"".join(self._parts)
        self._parts.clear()
        return body

    # --- what the parser calls --------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Refuse a second answer."""
        if self.ended:
            raise NotHttp("something follows the answer")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Note a field of the head; those behind the last chunk are passed over."""
        if self.head is None:
            self._count += 1
            if self._count > _MOST_FIELDS:
                raise NotHttp("the head of an answer has too many fields")
            key, text = name.decode("latin-1").lower(), value.decode("latin-1").strip()
            self._fields[key] = f"{self._fields[key]}, {text}" if key in self._fields else text

    def on_headers_complete(self) -> None:
        """Know how the body ends."""
        status, fields = self._parser.get_status_code(), self._fields
        if status < 200:
            return
        if fields.get("content-encoding", "identity").lower() != "identity":
            raise NotHttp("the answer is encoded, which nobody asked for")
        coding = fields.get("transfer-encoding", "").lower()
        if coding not in {"", "chunked"}:
            raise NotHttp("an unknown transfer encoding")
        sized = coding or "content-length" in fields or status in _BODILESS
        self.by_closing = not sized
        keeps = self._parser.should_keep_alive() and not self.by_closing
        self.head = Head(status, fields, keeps)

    def on_body(self, data: bytes) -> None:
        """Keep a piece of the body."""
        self._parts.append(data)

    def on_message_complete(self) -> None:
        """End, or begin again behind an interim answer."""
        if self.head is None:
            self._fields = {}
        else:
            self.ended = True
