"""Requests and answers as bytes: whatever way an answer is cut, its body is the same."""

from __future__ import annotations

import pytest

from heartrule.model.http_wire import (
    MAX_HEAD_BYTES,
    Body,
    Chunked,
    Head,
    NotHttp,
    Sized,
    UntilClosed,
    address_of,
    post_head,
    read_head,
)

CHUNKED = b"5;a=b\r\nhello\r\n1\r\n \r\nB\r\nworld\r\n.\r\n!\r\n0\r\n\r\n"


def answered(text: bytes) -> tuple[Head, Body, bytes]:
    read = read_head(text)
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "authority"),
    [
        ("http://model:8000/v1/x?a=b", "model", 8000, "/v1/x?a=b", "model:8000"),
        ("https://api.example.org/v1", "api.example.org", 443, "/v1", "api.example.org"),
        ("http://[::1]:81", "::1", 81, "/", "[::1]:81"),
        ("http://模型.example/v1", "xn--xgs754b.example", 80, "/v1", "xn--xgs754b.example"),
    ],
)
def test_address(url: str, host: str, port: int, path: str, authority: str) -> None:
    """A URL says where to connect and what to ask for."""
    found = address_of(url)
    assert (found.host, found.port, found.path) == (host, port, path)
    assert (found.authority, found.secure) == (authority, url.startswith("https"))


def test_no_address() -> None:
    """Another scheme is refused."""
    with pytest.raises(ValueError, match="not an http address"):
        address_of("ftp://model/v1")


def test_post_head() -> None:
    """A request names its host, forbids encodings and ends where its length belongs."""
    head = post_head(address_of("http://model:1/v1"), {"Authorization": "Bearer ß"})
    first, *lines = head.decode().split("\r\n")
    assert first == "POST /v1 HTTP/1.1"
    assert lines == [
        "Authorization: Bearer ß",
        "Host: model:1",
        "Accept-Encoding: identity",
        "Content-Length: ",
    ]


def test_no_header_begins_a_line() -> None:
    """A key with a line break in it is no header."""
    with pytest.raises(ValueError, match="line break"):
        post_head(address_of("http://model/v1"), {"Authorization": "Bearer a\r\nx: y"})


def test_head() -> None:
    """A head is read when it is whole; names are lower, repeated values are joined."""
    text = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nA: 1\r\na: 2\r\n\r\nab"
    assert read_head(text[:40]) is None
    head, body, rest = answered(text)
    assert (head.status, head.headers["a"], head.keeps, rest) == (200, "1, 2", True, b"ab")
    assert (body.feed(rest), body.ended, body.feed(b"c"), body.ended) == (b"ab", False, b"c", True)


def test_interim_answers_are_passed_over() -> None:
    """What stands before the real answer is no answer."""
    head, _, _ = answered(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\n\r\n")
    assert head.status == 503


@pytest.mark.parametrize(
    ("line", "keeps", "kind"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", True, Chunked),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: Close", False, Sized),
        (b"HTTP/1.0 200 OK\r\ncontent-length: 0", False, Sized),
        (b"HTTP/1.1 204 No Content", True, Sized),
        (b"HTTP/1.1 200 OK", False, UntilClosed),
    ],
)
def test_how_a_body_ends(line: bytes, *, keeps: bool, kind: type) -> None:
    """The head says how the body ends, and whether the connection outlives it."""
    head, body, _ = answered(line + b"\r\n\r\n")
    assert (head.keeps, type(body)) == (keeps, kind)


@pytest.mark.parametrize(
    "text",
    [
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/2 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        b"x" * (MAX_HEAD_BYTES + 1),
    ],
)
def test_no_http(text: bytes) -> None:
    """What is no answer, or one nobody can read, is refused."""
    with pytest.raises(NotHttp):
        read_head(text)


@pytest.mark.parametrize("size", [*range(1, 14), len(CHUNKED)])
def test_chunks(size: int) -> None:
    """However a body in chunks is cut, it is the same, and its end is seen with its last byte."""
    body = Chunked()
    cuts = [CHUNKED[at : at + size] for at in range(0, len(CHUNKED), size)]
    texts = [body.feed(cut) for cut in cuts[:-1]]
    assert not body.ended
    assert b"".join((*texts, body.feed(cuts[-1]))) == b"hello world\r\n.\r\n!"
    assert body.ended


def test_trailers() -> None:
    """Fields behind the last chunk are passed over."""
    body = Chunked()
    assert body.feed(b"1\r\na\r\n0\r\nx: y\r\n") == b"a"
    assert not body.ended
    assert (body.feed(b"z: w\r\n\r\n"), body.ended) == (b"", True)


@pytest.mark.parametrize(
    "text", [b"\r\n", b"0x5\r\n", b"+5\r\n", b"g\r\n", b"f" * 16 + b"\r\n", b"0" * 2000, b"-1\r\n"]
)
def test_sizes_that_are_none(text: bytes) -> None:
    """A chunk begins with a size in hexadecimal digits."""
    with pytest.raises(NotHttp):
        Chunked().feed(text)


@pytest.mark.parametrize("body", [Chunked(), Sized(1)])
def test_nothing_follows_an_answer(body: Body) -> None:
    """Bytes behind the end belong to nobody."""
    body.feed(b"0\r\n\r\n" if isinstance(body, Chunked) else b"a")
    with pytest.raises(NotHttp):
        body.feed(b"b")
