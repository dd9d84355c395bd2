from __future__ import annotations

import pytest

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.nodes.http_request import (
    MOST_ADDRESS,
    HttpRequest,
    followed,
    written_request,
)
from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.nodes.node_port import NodeFile
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from tests.support.node_calls import KEY, node_call

HERE = "https://api.example.com/v1"


def request(access: NodeAccess | None = None, **config: JsonValue) -> HttpRequest:
    """Return the request of a configuration."""
    given = {"url": HERE, "method": "GET", **config}
    return written_request(node_call(given, access=access or NodeAccess()))


def refused(access: NodeAccess | None = None, **config: JsonValue) -> RunErrorCode:
    """Return why a configuration gives no request."""
    with pytest.raises(NodeFailed) as raised:
        request(access, **config)
    return raised.value.failure.code


def test_a_request_bears_the_key_of_its_node() -> None:
    """Each attempt of the same thing has one Idempotency-Key."""
    assert request().headers["idempotency-key"] == KEY


def test_parameters_join_the_query() -> None:
    """Texts stand as they are, other values as JSON, and what is null is left out."""
    url = f"{HERE}?a=1#part"
    made = request(url=url, params={"city": "北京 1&2", "all": True, "n": 3, "none": None})
    assert made.url == f"{HERE}?a=1&city=%E5%8C%97%E4%BA%AC+1%262&all=true&n=3"


def test_what_stands_behind_the_host_is_encoded() -> None:
    """White space, line ends and other alphabets of a value become no part of the protocol."""
    assert (
        request(url=f"{HERE}/a b\r\nX: y/北?q=%41").url
        == f"{HERE}/a%20b%0D%0AX:%20y/%E5%8C%97?q=%41"
    )


def test_a_body_is_json_with_the_files_it_names() -> None:
    """The name of a file gives way to the file; everything else is sent as it is."""
    file = NodeFile(mime_type="image/png", data=b"\x89PNG")
    config: dict[str, JsonValue] = {
        "url": HERE,
        "method": "POST",
        "body": {"to": "a", "attachments": ["trend.png", "b"]},
    }
    made = written_request(node_call(config, files={"trend.png": file}))
    sent = b'{"name":"trend.png","mime_type":"image/png","data":"iVBORw=="}'
    assert made.body == b'{"to":"a","attachments":[%b,"b"]}' % sent
    assert made.headers["content-type"] == "application/json"


def test_a_text_with_a_type_of_its_own_is_sent_as_it_is() -> None:
    """Without such a header it is JSON, as any other body."""
    made = request(method="POST", headers={"Content-Type": "text/plain"}, body="a b")
    assert (made.body, made.headers["content-type"]) == (b"a b", "text/plain")
    assert request(method="POST", body="a b").body == b'"a b"'
    assert request(method="POST").body is None


@pytest.mark.parametrize("name", ["Host", "content-length", "Idempotency-Key", "Transfer-Encoding"])
def test_headers_of_the_connection_are_not_the_nodes(name: str) -> None:
    """A plan cannot name another host than the one that was judged, nor end a request early."""
    assert refused(headers={name: "x"}) is RunErrorCode.REFUSED


@pytest.mark.parametrize(
    "headers", [{"X-A": "b\r\nX-C: d"}, {"X-A\r\n": "b"}, {"": "b"}, {"X A": "b"}, {"X-A": "\0"}]
)
def test_a_header_stays_one_header(headers: dict[str, JsonValue]) -> None:
    """Line ends and names that are none are refused."""
    assert refused(headers=headers) is RunErrorCode.REFUSED


def test_an_address_has_a_length() -> None:
    """What is too long with its parameters is told to go into the body."""
    assert refused(params={"q": "x" * MOST_ADDRESS}) is RunErrorCode.LIMIT


def test_the_policys_domains_hold() -> None:
    """A host that the policy does not name is refused, whatever stands behind it."""
    access = NodeAccess(domains=("example.com",))
    assert request(access).url == HERE
    assert refused(access, url="https://example.org/example.com") is RunErrorCode.REFUSED


def test_the_same_host_keeps_what_it_was_sent() -> None:
    """A redirect within an origin keeps headers; method and body as its status says."""
    sent = request(method="POST", headers={"Authorization": "Bearer x"}, body={"a": 1})
    kept = followed(sent, 308, "/v2", None)
    assert (kept.url, kept.method, kept.body) == ("https://api.example.com/v2", "POST", sent.body)
    assert kept.headers == sent.headers
    plain = followed(sent, 303, "/v2", None)
    assert (plain.method, plain.body, plain.headers["authorization"]) == ("GET", None, "Bearer x")


@pytest.mark.parametrize(
    "location",
    ["https://other.example.com/", "http://api.example.com/", "https://api.example.com:8443/"],
)
def test_another_host_gets_no_credentials(location: str) -> None:
    """Nor does another port or scheme of the same one; a body goes nowhere else either."""
    sent = request(headers={"Authorization": "Bearer x", "X-Key": "y", "Accept": "a/b"})
    moved = followed(sent, 307, location, None)
    assert set(moved.headers) == {"accept", "user-agent", "idempotency-key"}
    with pytest.raises(NodeFailed):
        followed(request(method="POST", body={"a": 1}), 307, location, None)


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "gopher://api.example.com/",
        "http://2130706433/",
        "http://0x7f.1/",
        "//user:word@api.example.com/",
        "http://１２７.0.0.1/",
        "http://[::1",
    ],
)
def test_a_redirect_is_judged_as_an_address(location: str) -> None:
    """What no node may write, no server may send it to."""
    with pytest.raises((NodeFailed, ValueError)):
        followed(request(), 302, location, None)
