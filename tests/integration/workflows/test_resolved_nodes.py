"""Nodes as a plan writes them: their references filled in, then run."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path

from executor_service.workflows.node_values import NodeValues
from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.nodes.node_port import NodeFile
from executor_service.workflows.nodes.registry import standard_nodes
from executor_service.workflows.resolving import own_values, resolved_config
from executor_service.workflows.sandbox.sandbox_port import SandboxResult
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType
from tests.support.fake_model import FakeModel
from tests.support.node_calls import WrittenSandbox, node_call
from tests.support.odd_servers import Listener, answered, listening

SECRET = "swordfish-12"
CHART = NodeFile(mime_type="image/png", data=b"\x89PNG")


async def output_of(
    node_type: NodeType, config: Mapping[str, JsonValue], values: NodeValues, access: NodeAccess
) -> JsonValue:
    """Return what a node of a plan gives where these values can be named."""
    node = Node(node_id="n", type=node_type, name="n", config=config)
    config = resolved_config(node, own_values(node, values, access.secrets))
    nodes = standard_nodes(FakeModel(), WrittenSandbox(SandboxResult(value=None)))
    call = node_call(config, files={"trend.png": CHART}, access=access)
    result = await nodes.run(node_type, call)
    await nodes.aclose()
    return result.output


def opened(server: Listener) -> NodeAccess:
    return NodeAccess(networks=(ip_network(f"{server.host}/32"),), secrets={"MAIL_KEY": SECRET})


async def test_the_mail_of_the_sales_plan_bears_its_chart() -> None:
    """Scenario 3's fourth node: the path that a node returned becomes the file."""
    values = NodeValues(outputs={"node_3": {"chart_path": "trend.png"}})
    async with listening(answered(SECRET.encode(), status="202 Accepted")) as server:
        config: dict[str, JsonValue] = {
            "url": server.url("/send"),
            "method": "POST",
            "headers": {"Authorization": "Bearer ${MAIL_KEY}"},
            "body": {"to": "a@example.com", "attachments": ["${node_3.output.chart_path}"]},
        }
        output = await output_of(NodeType.HTTP, config, values, opened(server))
    [request] = server.requests
    assert (
        b'"attachments":[{"name":"trend.png","mime_type":"image/png","data":"iVBORw=="}]' in request
    )
    assert f"authorization: Bearer {SECRET}\r\n".encode() in request
    assert isinstance(output, Mapping)
    assert (output["status"], output["data"]) == (202, "***")


async def test_a_value_in_an_address_is_one_piece() -> None:
    """It leads to no other place of the host, and to no other host."""
    values = NodeValues(inputs={"city": "北京/../x?y=#z @127.0.0.1"})
    async with listening(answered()) as server:
        config = {"url": server.url("/city/${input.city}?q=${input.city}"), "method": "GET"}
        await output_of(NodeType.HTTP, config, values, opened(server))
    piece = b"%E5%8C%97%E4%BA%AC%2F..%2Fx%3Fy%3D%23z%20%40127.0.0.1"
    assert server.requests[0].startswith(b"GET /city/%b?q=%b HTTP/1.1\r\n" % (piece, piece))


async def test_values_of_a_query_are_bound(tmp_path: Path) -> None:
    """Whatever a client said is a value."""
    with closing(sqlite3.connect(tmp_path / "sales.db")) as db:
        db.execute("CREATE TABLE sales AS SELECT 'O''Hara' AS name, 7 AS amount")
        db.commit()
    access = NodeAccess(connections={"sales_db": f"sqlite:///{tmp_path}/sales.db"})
    values = NodeValues(inputs={"name": "O'Hara", "least": 5})
    query = "SELECT amount FROM sales WHERE name = ${input.name} AND amount > ${input.least}"
    output = await output_of(NodeType.DATABASE, {"query": query}, values, access)
    assert output == {"data": [{"amount": 7}], "row_count": 1, "truncated": False}


async def test_a_condition_reads_outputs() -> None:
    """A reference in an expression is a value, not a text of it."""
    values = NodeValues(outputs={"a": {"data": {"state": "done' || true || '"}}})
    config = {"expression": "${a.output.data.state} == 'done'"}
    output = await output_of(NodeType.CONDITION, config, values, NodeAccess())
    assert output == {"result": False}
