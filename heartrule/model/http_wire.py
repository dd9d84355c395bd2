"""HTTP/1.1 as bytes: the head of a request, the head of an answer, and what of it is the body.

Pure: bytes in, bytes out. Only what a model's server may send to such a request is understood, all
else is `NotHttp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

MAX_HEAD_BYTES = 65_536
"""A longer head is no answer."""
_MAX_SIZE_LINE = 1024
_MOST_DIGITS = 15
_MOST_SIZES = 64
_PREFIXES = (b"x", b"X")
_BODILESS = frozenset({204, 304})
_LINE = b"\r\n"
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


class Body(Protocol):
    """Takes what follows a head."""

    ended: bool
    """True once the body is whole; the connection's end does that where nothing else can."""
    by_closing: bool

    def feed(self, data: bytes) -> bytes:
        """Return what of the bytes is the body's.

        Raises:
            NotHttp: The bytes cannot be read, or something follows the body's end.
        """
        ...


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


def read_head(data: bytes) -> tuple[Head, Body, bytes] | None:
    """Return the head of an answer, what reads its body, and what follows; None: not all is here.

    Interim answers (status 1xx) are passed over.

    Raises:
        NotHttp: It is no answer.
    """
    while True:
        text, blank, rest = data.partition(b"\r\n\r\n")
        if not blank:
            if len(text) > MAX_HEAD_BYTES:
                raise NotHttp("the head of an answer has no end")
            return None
        version, status, headers = _lines(text)
        if status >= 200:
            break
        data = rest
    keeps = version == b"HTTP/1.1" and "close" not in headers.get("connection", "").lower()
    body = _body(status, headers)
    return Head(status, headers, keeps and not body.by_closing), body, rest


def _lines(text: bytes) -> tuple[bytes, int, dict[str, str]]:
    first, *lines = text.split(_LINE)
    version, _, rest = first.partition(b" ")
    if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
        raise NotHttp("it does not begin like an answer")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.decode("latin-1").partition(":")
        if not colon:
            raise NotHttp("a header has no name")
        key = name.lower()
        headers[key] = f"{headers[key]}, {value.strip()}" if key in headers else value.strip()
    return version, int(rest[:3]), headers


def _body(status: int, headers: Mapping[str, str]) -> Body:
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise NotHttp("the answer is encoded, which nobody asked for")
    coding = headers.get("transfer-encoding", "").lower()
    if coding == "chunked":
        return Chunked()
    if coding:
        raise NotHttp("an unknown transfer encoding")
    if status in _BODILESS:
        return Sized(0)
    length = headers.get("content-length")
    if length is None:
        return UntilClosed()
    if not length.isdecimal():
        raise NotHttp("an unreadable length")
    return Sized(int(length))


class Chunked:
    """A body in chunks, each behind its size; linear however it is cut."""

    by_closing = False

    def __init__(self) -> None:
        """Begin before the first size."""
        self.ended = False
        self._rest = b""
        self._left = 0
        """Bytes of the chunk that are still to come, the line end behind it counted."""
        self._trailing = False
        self._sizes: dict[bytes, int] = {}

    def feed(self, data: bytes) -> bytes:
        """Return what of the bytes is the body's; see `Body`."""
        if self._rest:
            data, self._rest = self._rest + data, b""
        parts: list[bytes] = []
        at, size = 0, len(data)
        if self._left:
            at = self._inside(data, parts)
        while at < size:
            if self._trailing or self.ended:
                self._trailer(data[at:])
                break
            line_end = data.find(_LINE, at)
            if line_end < 0:
                self._keep(data[at:])
                break
            line = data[at:line_end]
            length = self._sizes.get(line)
            if length is None:
                length = self._size(line)
            at = line_end + 2
            if not length:
                self._trailing = True
                self._trailer(data[at:])
                break
            stop = at + length
            parts.append(data[at:stop])
            at = stop + 2
            self._left = max(at - size, 0)
        return b"".join(parts)

    def _size(self, line: bytes) -> int:
        """Read a size; tokens are much alike, so the sizes seen are remembered, up to a number."""
        size = _chunk_size(line)
        if len(self._sizes) < _MOST_SIZES:
            self._sizes[line] = size
        return size

    def _inside(self, data: bytes, parts: list[bytes]) -> int:
        """Take what belongs to the chunk begun before; return where the next size begins."""
        taken = min(self._left, len(data))
        own = max(min(self._left - 2, taken), 0)
        if own:
            parts.append(data[:own])
        self._left -= taken
        return taken

    def _keep(self, line: bytes) -> None:
        """Wait for the end of a line."""
        if len(line) > _MAX_SIZE_LINE:
            raise NotHttp("a chunk without a size")
        self._rest = line

    def _trailer(self, data: bytes) -> None:
        """Pass over the fields behind the last chunk; the empty line after them ends the body."""
        while not self.ended:
            line, end, data = data.partition(_LINE)
            if not end:
                self._keep(line)
                return
            self.ended = not line
        if data:
            raise NotHttp("something follows the answer")


class Sized:
    """A body of a known length."""

    by_closing = False

    def __init__(self, size: int) -> None:
        """Wait for so many bytes."""
        self._left = size
        self.ended = size == 0

    def feed(self, data: bytes) -> bytes:
        """Return what of the bytes is the body's; see `Body`."""
        if len(data) > self._left:
            raise NotHttp("something follows the answer")
        self._left -= len(data)
        self.ended = self._left == 0
        return data


class UntilClosed:
    """A body that the end of its connection ends."""

    by_closing = True

    def __init__(self) -> None:
        """Take everything."""
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        """Return the bytes."""
        return data


def _chunk_size(line: bytes) -> int:
    """Return the size a chunk begins with; int() alone would take more than hexadecimal digits."""
    size = line if line.isalnum() else line.partition(b";")[0].strip()
    if not size.isalnum() or len(size) > _MOST_DIGITS or size[1:2] in _PREFIXES:
        raise NotHttp("a chunk without a size")
    try:
        return int(size, 16)
    except ValueError:
        raise NotHttp("a chunk without a size") from None
