"""What a policy would have to say for a workflow to run."""

from __future__ import annotations

from ipaddress import ip_network

from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.workflows import NodeType
from heartrule_cli.runs.policy_lines import lacking_lines
from tests.support.workflow_builders import a_loop, a_node, a_plan

CLOSED = DecisionPolicy(api_domains=())
CALL = a_node(
    "call", NodeType.HTTP, url="http://127.0.0.1:8025/x", headers={"Authorization": "${KEY}"}
)
ROWS = a_node("rows", NodeType.DATABASE, connection="sales_db", query="SELECT ${city}")
WHOLE = a_plan(a_loop("l", CALL, items=[1]), ROWS)


def test_each_thing_that_is_closed_has_its_line() -> None:
    """Nodes in the bodies of loops count; without a file for values one is named."""
    assert lacking_lines(WHOLE, CLOSED) == (
        'api_domains: ["127.0.0.1"]',
        'api_networks: ["127.0.0.1/32"]',
        'connections: ["sales_db"]',
        'secrets: ["KEY", "city"]',
        "secrets_file: secrets.yaml",
    )


def test_a_line_keeps_what_the_policy_has() -> None:
    """It may take the place of the line that is there."""
    policy = DecisionPolicy(
        api_domains=("example.com",),
        api_networks=(ip_network("127.0.0.0/8"),),
        connections=frozenset({"other"}),
    )
    plan = a_plan(
        a_node("a", NodeType.HTTP, url="https://API.example.com/x"),
        a_node("b", NodeType.HTTP, url="http://localhost/x"),
        ROWS,
    )
    assert lacking_lines(plan, policy)[:2] == (
        'api_domains: ["example.com", "localhost"]',
        'connections: ["other", "sales_db"]',
    )


def test_what_a_node_or_the_run_is_given_is_no_secret() -> None:
    """Neither are names of nodes that are given none."""
    plan = a_plan(
        a_node("a", NodeType.HTTP, inputs={"x": "${input.y}"}, params={"x": "${x}", "y": "${y}"}),
        a_node("b", prompt="Say ${word}."),
    )
    assert lacking_lines(plan, DecisionPolicy()) == ()


def test_a_type_that_is_not_allowed_is_named() -> None:
    """START and END always are."""
    policy = DecisionPolicy(node_types=frozenset({NodeType.HTTP}))
    plan = a_plan(a_node("s", NodeType.START), a_node("a"))
    assert lacking_lines(plan, policy) == ('node_types: ["END", "HTTP", "LLM", "START"]',)
