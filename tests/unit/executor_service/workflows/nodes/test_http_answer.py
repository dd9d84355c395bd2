from __future__ import annotations

from collections.abc import Mapping

import pytest

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.nodes.http_answer import answer_output, refusal
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode


def data(body: bytes, content_type: str = "") -> JsonValue:
    """Return the data that a body gives."""
    output = answer_output(200, {"Content-Type": content_type}, body)
    assert isinstance(output, Mapping)
    return output["data"]


@pytest.mark.parametrize(
    ("body", "content_type", "found"),
    [
        (b'{"a":[1,null]}', "application/json; charset=utf-8", {"a": [1, None]}),
        (b"[1]", "application/problem+json", [1]),
        ("北京".encode(), "text/plain", "北京"),
        ("北京".encode("gbk"), 'text/html; charset="gbk"', "北京"),
        (b"<a/>", "application/atom+xml", "<a/>"),
        (b"plain", "", "plain"),
        (b"\xff\xfe", "text/plain", "\ufffd\ufffd"),
        (b"\x89PNG", "image/png", "iVBORw=="),
        (b"", "application/json", None),
        # A decoder that takes minutes is none that a server may choose.
        (b"ab", "text/plain; charset=punycode", "ab"),
        (b"ab", "text/plain; charset=zlib", "ab"),
        (b"ab", "text/plain; charset=iso-8859-99", "ab"),
    ],
)
def test_data_is_what_the_server_says_it_is(
    body: bytes, content_type: str, found: JsonValue
) -> None:
    """JSON as its value, text as text, and all else in base64."""
    assert data(body, content_type) == found


@pytest.mark.parametrize("body", [b"{", b"NaN", b'"\\ud800"', b"\xff"])
def test_json_that_is_none_is_unreadable(body: bytes) -> None:
    """A server that says JSON and sends none has not answered."""
    with pytest.raises(NodeFailed) as raised:
        data(body, "application/json")
    assert raised.value.failure.code is RunErrorCode.UNREADABLE


def test_headers_have_small_names_and_no_cookies() -> None:
    """A later node finds a header by one spelling; cookies are kept nowhere."""
    output = answer_output(201, {"X-Id": "7\udcff", "Set-Cookie": "a=b"}, b"")
    assert output == {"status": 201, "headers": {"x-id": "7\ufffd"}, "data": None}


@pytest.mark.parametrize(
    ("status", "code", "is_retryable"),
    [
        (400, RunErrorCode.HTTP_4XX, False),
        (404, RunErrorCode.HTTP_4XX, False),
        (408, RunErrorCode.HTTP_4XX, True),
        (429, RunErrorCode.HTTP_4XX, True),
        (500, RunErrorCode.HTTP_5XX, True),
        (503, RunErrorCode.HTTP_5XX, True),
    ],
)
def test_a_refusal_says_whether_it_may_pass(
    status: int, code: RunErrorCode, is_retryable: object
) -> None:
    """The message has the status and the beginning of what the server says, on one line."""
    failure = refusal(status, b"too\n  much " + b"x" * 900).failure
    assert (failure.code, failure.is_retryable) == (code, is_retryable)
    assert failure.message.startswith(f"the server answered {status}: too much xxx")
    assert len(failure.message) < 350
