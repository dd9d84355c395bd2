"""Plans of workflows of a given size, as a model proposes them."""

from __future__ import annotations

from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import MOST_NODES

_CODE = "import math\ntotal = 0\nfor each in range(10):\n    total += math.sqrt(each)\n"
_STEPS: tuple[tuple[str, dict[str, JsonValue]], ...] = (
    ("LLM", {"prompt": "Say what ${before} means.", "temperature": 0.2}),
    ("HTTP", {"url": "https://api.example.com/v1/items", "method": "GET", "params": {"page": 1}}),
    ("PYTHON", {"code": f"{_CODE}return {{'total': total}}"}),
    ("CONDITION", {"expression": "1 < 2"}),
)
_LONGEST_QUERY = 16_000
_LONGEST_CODE, _NODES_OF_CODE = 60_000, 16


def chain_of(number: int) -> dict[str, JsonValue]:
    """Return the payload of a plan with so many nodes, each of which reads the one before."""
    return _chain([_STEPS[place % len(_STEPS)] for place in range(number)])


def heaviest_plan() -> dict[str, JsonValue]:
    """Return the plan that takes the longest to judge: nothing but long queries."""
    node: tuple[str, dict[str, JsonValue]] = ("DATABASE", {"query": long_query(_LONGEST_QUERY)})
    return _chain([node] * MOST_NODES)


def plan_of_long_code() -> dict[str, JsonValue]:
    """Return a plan of nearly a mebibyte of code: Python reads each text in one go."""
    line = "a = [each for each in inputs['rows'] if each]\n"
    code = line * (_LONGEST_CODE // len(line)) + "return a"
    return _chain([("PYTHON", {"code": code})] * _NODES_OF_CODE)


def long_query(characters: int) -> str:
    """Return an SQL text of about that length that only reads."""
    query = "SELECT month, SUM(amount) AS total FROM sales WHERE year = 2026"
    while len(query) < characters:
        query += f" AND region_{len(query)} <> 'north'"
    return f"{query} GROUP BY month"


def _chain(steps: list[tuple[str, dict[str, JsonValue]]]) -> dict[str, JsonValue]:
    nodes: list[JsonValue] = [
        {
            "node_id": f"n{place}",
            "type": kind,
            "name": f"step {place}",
            "config": config,
            "input_mapping": {"before": f"${{n{place - 1}.output.data}}"} if place else {},
        }
        for place, (kind, config) in enumerate(steps)
    ]
    edges: list[JsonValue] = [
        {"source": f"n{place}", "target": f"n{place + 1}"} for place in range(len(steps) - 1)
    ]
    return {
        "action_type": "create_workflow_plan",
        "name": "plan",
        "description": "a chain",
        "nodes": nodes,
        "edges": edges,
    }
