"""What the rehearsal model drafts: the sales workflow of document 002, a step, and a change."""

from __future__ import annotations

import re

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.action_replies import Reply
from heartrule.model.rehearsal.task import PromptTask

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LLM = "LLM"
# What a first step is not told, as nothing ran before it.
_BEFORE = re.compile(r"[：:] ?\$\{before\}")
# Above this an answer is freer than the document's own example asks for.
_FREER = 0.9
# Each step: type, name, configuration. A prompt's `${before}` is what the step before gave.
_STEPS: tuple[tuple[str, str, str, str], ...] = (
    ("DATABASE", "获取销售数据|Fetch the sales", "query",
     "SELECT month, SUM(amount) AS amount FROM sales GROUP BY month"),
    (_LLM, "分析趋势|Find the trend", "prompt",
     "说说这些销售数据的趋势：${before}|Describe the trend of these sales: ${before}"),
    (_LLM, "写成报告|Write the report", "prompt",
     "把趋势写成一页报告：${before}|Write a report of a page on the trend: ${before}"),
)  # fmt: skip


def a_plan(task: PromptTask, *, circle: bool) -> Reply:
    """Return the fields of a plan: steps of allowed types one after the other, or in a circle."""
    allowed = [step for step in _STEPS if not task.node_types or step[0] in task.node_types]
    nodes: list[JsonValue] = []
    for number, (kind, name, key, text) in enumerate(allowed, start=1):
        asked = task.in_language(text) if "|" in text else text
        node: Reply = {
            "node_id": f"node_{number}",
            "type": kind,
            "name": task.in_language(name),
            "config": {key: asked if number > 1 else _BEFORE.sub("", asked)},
        }
        if number > 1:
            gives = "text" if allowed[number - 2][0] == _LLM else "data"
            node["input_mapping"] = {"before": f"${{node_{number - 1}.output.{gives}}}"}
        nodes.append(node)
    edges: list[JsonValue] = [
        {"source": f"node_{number}", "target": f"node_{number + 1}"}
        for number in range(1, len(nodes))
    ]
    if circle:
        edges.append({"source": f"node_{len(nodes)}", "target": "node_1"})
    return {
        "name": task.in_language("销售数据分析工作流|Sales analysis"),
        "description": task.in_language(
            "获取销售数据、分析趋势、写成报告|Fetch the sales, find the trend, write a report"
        ),
        "nodes": nodes,
        "edges": edges,
    }


def a_node(task: PromptTask) -> Reply:
    """Return the fields of one step more."""
    prompt = task.in_language("用三句话写个小结：${before}|Sum up in three sentences: ${before}")
    return {
        "node_type": _LLM,
        "node_name": task.in_language("写小结|Sum up"),
        "config": {"prompt": prompt},
    }


def a_change(task: PromptTask) -> Reply | None:
    """Return the fields of a change of the newest model step; None where there is none."""
    newest = task.workflows[-1].nodes if task.workflows else ()
    node = next((each for each in reversed(newest) if each.type == _LLM), None)
    if node is None:
        return None
    number = _NUMBER.search(task.user_input)
    value = float(number.group()[:9]) if number else _FREER
    return {"node_id": node.node_id, "updates": {"config.temperature": value}}
