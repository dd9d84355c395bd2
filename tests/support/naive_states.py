"""How far a run is, read slowly and plainly: what `tests.support.naive_runs` looks at."""

from __future__ import annotations

import copy
import re
from typing import Any

from heartrule.domain.workflows import Workflow
from tests.support.run_fates import Fate

Default = dict[str, Any]


class NaiveStates:
    """The nodes of one run with their states, and what its references and conditions yield."""

    def __init__(self, plan: Workflow, fate: Fate, default: Default) -> None:
        self.fate = fate
        self.default = default
        self.level = plan.inputs["level"].default
        self.nodes: dict[str, dict[str, Any]] = {}
        for node in plan.nodes:
            self.nodes[node.node_id] = {
                "type": node.type.value,
                "inputs": dict(node.input_mapping),
                "config": copy.deepcopy(dict(node.config)),
                "retry": dict(node.retry_config or {}),
                "on_failure": dict(node.on_failure or {}),
            }
        self.edges = [(each.source, each.target, each.condition) for each in plan.edges]
        self.order = self.in_order([each.node_id for each in plan.nodes])
        self.states = dict.fromkeys(self.order, "pending")
        self.reasons: dict[str, str] = {}
        self.attempts: dict[str, int] = {}
        self.granted: dict[str, int] = {}
        self.delays: dict[str, float] = {}
        self.due: dict[str, float] = {}
        self.outputs: dict[str, Any] = {}
        self.unreadable: set[str] = set()
        self.log: list[tuple[int, str, str, int]] = []
        self.outcome = ""
        self.tick = 0

    def in_order(self, ids: list[str]) -> list[str]:
        """Return the ids so that no edge leads back, otherwise as the plan lists them."""
        order: list[str] = []
        while len(order) < len(ids):
            for each in ids:
                sources = [source for source, target, _ in self.edges if target == each]
                if each not in order and all(source in order for source in sources):
                    order.append(each)
                    break
        return order

    def paths(self, state: str) -> list[str]:
        """Return the paths in a state, those of a loop behind it."""
        found = [path for path, each in self.states.items() if each == state]
        return sorted(found, key=lambda path: (self.order.index(path.split("/")[0]), path))

    def definition(self, path: str) -> dict[str, Any]:
        """Return what a node is, in this run."""
        top, *inner = path.split("/")
        if not inner:
            return self.nodes[top]
        for each in self.nodes[top]["config"]["body"]:
            if each["node_id"] == inner[1]:
                return {
                    "type": each["type"],
                    "inputs": dict(each.get("input_mapping") or {}),
                    "config": each["config"],
                    "retry": dict(each.get("retry_config") or {}),
                    "on_failure": dict(each.get("on_failure") or {}),
                }
        raise KeyError(path)

    def edge_passes(self, source: str, text: str) -> bool | None:
        """Return whether an edge can be taken; None where its condition has no verdict."""
        if text == "":
            return True
        if self.nodes[source]["type"] == "CONDITION" and text in ("true", "false"):
            result = (self.outputs.get(source) or {}).get("result")
            return result == (text == "true") if isinstance(result, bool) else None
        return self.holds(text, "")

    def holds(self, text: str, path: str) -> bool | None:
        """Return whether a condition holds; None where that cannot be said."""
        if " || " in text:
            first, second = text.split(" || ")
            return bool(self.holds(first, path)) or self.holds(second, path)
        if text in ("true", "false"):
            return text == "true"
        found = re.fullmatch(r"(\$\{.+\}) (>|<|==) (\w+)", text)
        assert found, text
        value = self.look_up(found[1], path)
        value = None if value == "missing" else value
        if found[2] == "==":
            return bool(value == (None if found[3] == "null" else int(found[3])))
        if value is None:
            return None
        return bool(value > int(found[3]) if found[2] == ">" else value < int(found[3]))

    def look_up(self, text: Any, path: str) -> Any:
        """Return the value of a reference, "missing" where it has none; literals are themselves."""
        if not isinstance(text, str):
            return text
        if text in ("${input.level}", "${level}"):
            return self.level
        loop, *place = path.split("/")
        if text == "${index}":
            return int(place[0])
        if text == "${item}":
            return self.items(loop)[int(place[0])]
        found = re.fullmatch(r"\$\{(\w+)\.output\.(\w+)\}", text)
        assert found, text
        at = found[1]
        if at not in self.nodes:
            # A loop's condition reads the turn before, its body this one.
            turn = int(place[0]) - (1 if len(place) == 1 else 0)
            at = f"{loop}/{turn}/{found[1]}"
        if self.reasons.get(at) == "recovery":
            return None
        if self.states.get(at) != "completed" or self.outputs[at] is None:
            return "missing"
        return self.outputs[at].get(found[2], "missing")

    def items(self, loop: str) -> Any:
        """Return what a loop goes through."""
        return self.look_up(self.nodes[loop]["config"]["items"], loop)

    def note(self, what: str, path: str) -> None:
        """Write down what happens."""
        self.log.append((self.tick, what, path, self.attempts[path]))
