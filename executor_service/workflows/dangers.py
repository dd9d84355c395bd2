"""What no node may do: code, SQL and addresses (document 002, section 3.1.2)."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.python_code import check_python
from executor_service.workflows.sql import check_sql
from executor_service.workflows.urls import check_url
from heartrule.domain.decisions import RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import NodeType


def check_danger(
    node_type: JsonValue, config: Mapping[str, JsonValue], facts: PlanFacts, path: str
) -> tuple[RuleFinding, ...]:
    """Return what forbids a node of any shape; a field that is no text is its schema's matter.

    Args:
        node_type: What stands in the place of a type.
        config: The node's configuration.
        facts: What the rules may know.
        path: Where the configuration stands in the payload.
    """
    if node_type == NodeType.PYTHON and isinstance(code := config.get("code"), str):
        return check_python(code, f"{path}.code", facts.sandboxes)
    if node_type == NodeType.DATABASE and isinstance(query := config.get("query"), str):
        return check_sql(query, f"{path}.query")
    if node_type == NodeType.HTTP and isinstance(url := config.get("url"), str):
        return check_url(url, f"{path}.url", facts.domains)
    return ()
