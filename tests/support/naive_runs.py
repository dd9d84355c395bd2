"""A run read slowly and plainly, to hold the schedule, the recoveries and the loops against.

It shares no code with them: time passes in ticks, and at each tick every node is looked at.
"""

from __future__ import annotations

import copy
from typing import Any

from heartrule.domain.runs import RunErrorCode
from tests.support.naive_states import NaiveStates

ENDED = ("completed", "failed", "skipped", "cancelled")
BEGUN = ("running", "retrying")


class NaiveRun(NaiveStates):
    """One run from its beginning to its end; `play` fills `log`, `states`, `outputs`, `outcome`."""

    def play(self) -> NaiveRun:
        """Let time pass until the run is over."""
        self.begin_what_may()
        while not self.outcome:
            self.tick += 1
            for path in self.paths("running"):
                if self.due.get(path) == self.tick and not self.outcome:
                    self.attempt_ends(path)
            for path in self.paths("retrying"):
                if self.due[path] <= self.tick and not self.outcome:
                    self.begin(path)
            if not self.outcome:
                self.begin_what_may()
        return self

    def begin_what_may(self) -> None:
        """Begin, skip and end whatever can be, until nothing changes; then look for the end."""
        changed = True
        while changed and not self.outcome:
            changed = False
            for node_id in self.order:
                if self.states[node_id] == "pending" and self.decide(node_id):
                    changed = True
            for node_id in self.order:
                if self.nodes[node_id]["type"] == "LOOP" and self.states[node_id] == "running":
                    changed = (not self.outcome and self.turn(node_id)) or changed
        if not self.outcome and all(self.states[each] in ENDED for each in self.order):
            self.over("completed")

    def decide(self, node_id: str) -> bool:
        """Begin or skip a node whose time it is; return whether anything changed."""
        edges = [(source, text) for source, target, text in self.edges if target == node_id]
        if not all(self.states[source] in ENDED for source, _ in edges):
            return False
        could = [
            (source, text)
            for source, text in edges
            if self.states[source] == "completed" or self.reasons.get(source) == "recovery"
        ]
        verdicts = {(source, text): self.edge_passes(source, text) for source, text in could}
        ways_in = [each for each, verdict in verdicts.items() if verdict]
        if edges and not ways_in:
            self.states[node_id] = "skipped"
            self.reasons[node_id] = "condition" if could else "upstream"
        elif sum(self.states[each] in BEGUN for each in self.order) < 4:
            self.begin(node_id)
        else:
            return False
        for (source, _), verdict in verdicts.items():
            if verdict is None:
                self.unreadable.add(f"{source}->{node_id}")
        return True

    def begin(self, path: str) -> None:
        """Begin the next attempt of a node."""
        self.attempts[path] = self.attempts.get(path, 0) + 1
        self.states[path] = "running"
        self.note("begins", path)
        self.due[path] = self.tick + self.fate.ticks(path, self.attempts[path])
        if self.definition(path)["type"] == "LOOP":
            del self.due[path]

    def attempt_ends(self, path: str) -> None:
        """End the attempt of a node that is no loop."""
        node = self.definition(path)
        if node["type"] in ("START", "END"):
            self.completes(path, None)
            return
        inputs = {name: self.look_up(text, path) for name, text in node["inputs"].items()}
        failure = self.fate.failure(path, self.attempts[path])
        if "missing" in inputs.values():
            self.fails(path, RunErrorCode.MISSING_VALUE, again=False)
        elif failure:
            self.fails(path, failure.code, again=failure.is_retryable)
        elif node["type"] == "CONDITION":
            self.completes(path, {"result": bool(self.holds(node["config"]["expression"], path))})
        else:
            self.completes(path, self.fate.output(path, inputs))

    def completes(self, path: str, output: Any) -> None:
        """A node is done."""
        self.states[path] = "completed"
        self.outputs[path] = output
        self.note("completed", path)

    def fails(self, path: str, code: RunErrorCode, *, again: bool) -> None:
        """An attempt failed: try again, or recover."""
        self.note(f"failed {code}", path)
        node, attempt = self.definition(path), self.attempts[path]
        if path in self.granted:
            if attempt < self.granted[path]:
                self.wait(path, self.delays[path])
            else:
                self.recover(path, {"action": "ABORT"})
        elif again and attempt <= node["retry"].get("max_retries", 0):
            self.wait(path, min(60, node["retry"].get("retry_delay", 1) * 2 ** (attempt - 1)))
        elif node["on_failure"]:
            self.recover(path, node["on_failure"])
        elif self.default["action"] == "RETRY" and not again:
            self.recover(path, {"action": "ABORT"})
        else:
            self.recover(path, self.default)

    def wait(self, path: str, delay: float) -> None:
        """Try again after a delay; none is at once, within this tick."""
        self.states[path] = "retrying"
        self.due[path] = max(self.tick, self.tick + delay)

    def recover(self, path: str, plan: dict[str, Any]) -> None:
        """Do what a recovery says."""
        self.note(f"recovery {plan['action']}", path)
        other = plan.get("alternative_node")
        if plan["action"] == "ABORT":
            self.states[path] = "failed"
            if "/" in path:
                self.states[path.split("/", maxsplit=1)[0]] = "failed"
            self.over("failed")
        elif other and self.states[other] == "completed":
            self.turns_anew(path)
            self.completes(path, self.outputs[other])
        elif plan["action"] == "SKIP" and not other:
            self.states[path] = "skipped"
            self.reasons[path] = "recovery"
            self.outputs.pop(path, None)
        else:
            if other:
                self.stands_in(path, other)
            if plan.get("modifications"):
                self.change(path, plan["modifications"])
            if other or plan.get("modifications"):
                self.turns_anew(path)
            self.granted[path] = self.attempts[path] + plan.get("max_attempts", 1)
            self.delays[path] = plan.get("delay", 0)
            self.wait(path, self.delays[path])

    def stands_in(self, path: str, other: str) -> None:
        """Let another node's definition take a node's place."""
        self.nodes[path] = copy.deepcopy(self.nodes[other])

    def change(self, path: str, modifications: dict[str, Any]) -> None:
        """Change the run's own copy of a node."""
        extra = modifications["input_mapping.extra"]
        if "/" not in path:
            self.nodes[path]["inputs"]["extra"] = extra
            return
        loop, _, inner = path.split("/")
        for each in self.nodes[loop]["config"]["body"]:
            if each["node_id"] == inner:
                each["input_mapping"] = {**(each.get("input_mapping") or {}), "extra": extra}

    def turns_anew(self, path: str) -> None:
        """What a loop has done counts no longer, as it is another one now."""
        for each in self.states:
            if each.startswith(f"{path}/"):
                self.states[each] = "cancelled"
                self.reasons.pop(each, None)
                self.granted.pop(each, None)

    def turn(self, loop: str) -> bool:
        """Go on with a loop: its next node, or its end; return whether anything changed."""
        config = self.nodes[loop]["config"]
        if "items" in config and not isinstance(self.items(loop), list):
            missing = self.items(loop) == "missing"
            code = RunErrorCode.MISSING_VALUE if missing else RunErrorCode.UNREADABLE
            self.fails(loop, code, again=False)
            return True
        results: list[Any] = []
        while self.goes_on(loop, len(results)):
            for each in config["body"]:
                path = f"{loop}/{len(results)}/{each['node_id']}"
                if self.states.get(path) in BEGUN:
                    return False
                if self.states.get(path) not in ("completed", "skipped"):
                    self.begin(path)
                    return True
            last = config["body"][-1]["node_id"]
            results.append(self.outputs.get(f"{loop}/{len(results)}/{last}"))
        if failure := self.fate.failure(loop, self.attempts[loop]):
            self.fails(loop, failure.code, again=failure.is_retryable)
        else:
            self.completes(loop, {"items": results, "count": len(results)})
        return True

    def goes_on(self, loop: str, index: int) -> bool:
        """Return whether a loop has another turn."""
        config = self.nodes[loop]["config"]
        if index >= config["max_iterations"]:
            return False
        if "items" in config and index >= len(self.items(loop)):
            return False
        return "condition" not in config or bool(self.holds(config["condition"], f"{loop}/{index}"))

    def over(self, outcome: str) -> None:
        """End the run; what has not ended is cancelled."""
        for path, state in self.states.items():
            if state not in ENDED:
                self.states[path] = "cancelled"
        self.outcome = outcome
