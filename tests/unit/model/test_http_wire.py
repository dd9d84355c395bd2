"""Requests and answers as bytes: whatever way an answer is cut, its body is the same."""

from __future__ import annotations

import pytest

from heartrule.model.http_wire import (
    MAX_HEAD_BYTES,
    AnswerReader,
    NotHttp,
    address_of,
    post_head,
)

CHUNKED = b"5;a=b\r\nhello\r\n1\r\n \r\nB\r\nworld\r\n.\r\n!\r\n0\r\nx: y\r\n\r\n"
BEGINNING = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: 1\r\na: 2\r\n\r\n"


def answered(text: bytes) -> AnswerReader:
    """Return a reader that was given a text."""
    reader = AnswerReader()
    reader.feed(text)
    return reader


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


@pytest.mark.parametrize("size", [*range(1, 14), 1000])
def test_an_answer_is_the_same_however_it_is_cut(size: int) -> None:
    """Head and body come whole; the end is seen with the last byte."""
    reader, text = AnswerReader(), BEGINNING + CHUNKED
    cuts = [text[at : at + size] for at in range(0, len(text), size)]
    body = b"".join(reader.feed(cut) for cut in cuts[:-1])
    assert not reader.ended
    assert body + reader.feed(cuts[-1]) == b"hello world\r\n.\r\n!"
    assert reader.ended
    assert reader.head is not None
    assert (reader.head.status, reader.head.headers["a"], reader.head.keeps) == (200, "1, 2", True)


def test_interim_answers_are_passed_over() -> None:
    """What stands before the real answer is no answer."""
    reader = answered(b"HTTP/1.1 100 Continue\r\na: 1\r\n\r\n")
    assert (reader.head, reader.ended) == (None, False)
    reader.feed(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n")
    assert reader.head is not None
    assert (reader.head.status, "a" in reader.head.headers, reader.ended) == (503, False, True)


@pytest.mark.parametrize(
    ("line", "keeps", "by_closing"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", True, False),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: Close", False, False),
        (b"HTTP/1.0 200 OK\r\ncontent-length: 0", False, False),
        (b"HTTP/1.1 204 No Content", True, False),
        (b"HTTP/1.1 200 OK", False, True),
    ],
)
def test_how_a_body_ends(line: bytes, *, keeps: bool, by_closing: bool) -> None:
    """The head says how the body ends, and whether the connection outlives it."""
    reader = answered(line + b"\r\n\r\n")
    assert reader.head is not None
    assert (reader.head.keeps, reader.by_closing) == (keeps, by_closing)


@pytest.mark.parametrize(
    "text",
    [
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/2 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 200 OK\r\n",
        b"x" * (MAX_HEAD_BYTES + 1),
        b"HTTP/1.1 200 OK\r\na: " + b"x" * MAX_HEAD_BYTES,
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\na",
    ],
)
def test_no_http(text: bytes) -> None:
    """What is no answer, more than one, or one nobody can read, is refused."""
    with pytest.raises(NotHttp):
        answered(text)


@pytest.mark.parametrize(
    "text", [b"\r\n", b"0x5\r\n", b"+5\r\n", b"g\r\n", b"f" * 17 + b"\r\n", b"-1\r\n"]
)
def test_sizes_that_are_none(text: bytes) -> None:
    """A chunk begins with a size in hexadecimal digits."""
    with pytest.raises(NotHttp):
        answered(BEGINNING + text)


def test_nothing_follows_an_answer() -> None:
    """Bytes behind the end belong to nobody."""
    reader = answered(BEGINNING + CHUNKED)
    with pytest.raises(NotHttp, match="something follows"):
        reader.feed(b"b")


def test_a_length_of_five_thousand_digits_is_no_length() -> None:
    """int() refuses so many digits with an error of its own; what comes is no answer."""
    with pytest.raises(NotHttp):
        answered(b"HTTP/1.1 200 OK\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n")


def test_endless_interim_answers_are_no_answer() -> None:
    """They were gathered for as long as they came, and read again with each that came."""
    with pytest.raises(NotHttp):
        answered(b"HTTP/1.1 100 Continue\r\n\r\n" * 3000)


def test_a_head_of_ten_thousand_fields_is_no_answer() -> None:
    """Joining the values of one name took a second of the loop's time."""
    with pytest.raises(NotHttp, match="too many fields"):
        answered(b"HTTP/1.1 200 OK\r\n" + b"a: \r\n" * 10_000 + b"\r\n")
