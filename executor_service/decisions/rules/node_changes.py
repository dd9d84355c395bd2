"""Changes of a node by dotted keys: MODIFY_NODE and a recovery's modifications (section 2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import ValidationError

from executor_service.decisions.decision_case import Findings
from executor_service.workflows.configs import config_model
from executor_service.workflows.graph import each_node, node_at
from executor_service.workflows.node_updates import updated
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.plan_rules import check_plan
from executor_service.workflows.schema_findings import MOST_ERRORS, findings_of
from heartrule.domain.decisions import Correction, FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, Workflow

_RULE = "2.7 fields of a node"
_FIELDS = frozenset({"name", "description"})
_MAPS = frozenset({"config", "input_mapping", "output_mapping", "retry_config", "on_failure"})


@dataclass(frozen=True, slots=True)
class NodeChange:
    """New values for fields of one node of a workflow."""

    workflow: Workflow
    place: str
    """The node's path in a run, such as `node_2` or `loop/0/inner`."""
    updates: Mapping[str, JsonValue]
    path: str
    """Where the updates stand in the payload."""

    def findings(self, facts: PlanFacts) -> Findings:
        """Return what is wrong with the fields, else with the node, else with the plan.

        Of the plan only what was not wrong before: a draft may be unfinished elsewhere.
        """
        if unknown := tuple(self._unknown()):
            return unknown
        try:
            changed = self.result()
        except ValidationError as error:
            found = findings_of(error, _RULE)
            return tuple(self._in_payload(each) for each in found)
        if found := check_plan(changed, facts):
            found = self._new(found, check_plan(self.workflow, facts))
        at = next(at for node, at in each_node(self.workflow.nodes) if node == self.node)
        return tuple(self._in_payload(each, f"{at}.") for each in found)

    def result(self) -> Workflow:
        """Return the workflow with the changed node.

        Raises:
            ValidationError: The changed node breaks its schema.
        """
        return updated(self.workflow, self.place, self.updates)

    @property
    def node(self) -> Node:
        """The node as it is now."""
        return node_at(self.workflow, self.place)

    @staticmethod
    def _new(found: Findings, before: Findings) -> Findings:
        if len(found) >= MOST_ERRORS:
            return found  # it is cut there: what is new may be what it leaves out
        return tuple(each for each in found if each not in before)

    def _unknown(self) -> Iterator[RuleFinding]:
        declared = config_model(self.node.type).model_fields.keys() | self.node.config.keys()
        for key, value in self.updates.items():
            head, *rest = key.split(".")
            is_known = head in _MAPS or (head in _FIELDS and not rest)
            if is_known and (head != "config" or not rest or rest[0] in declared):
                continue
            path = f"{self.path}.{key}"
            message = f"{path} is no field of a node of type {self.node.type}"
            gone = Correction(path=path, before=value, is_removed=True)
            yield RuleFinding(FindingCode.WRONG_TYPE, path, message, _RULE, correction=gone)

    def _in_payload(self, finding: RuleFinding, of_node: str = "") -> RuleFinding:
        """Return a finding at the update that brought it; the updates as a whole where none did."""
        inner = finding.path.removeprefix(of_node)
        path = self.path
        for key in self.updates:
            if inner == key or inner.startswith(f"{key}."):
                path = f"{self.path}.{inner}"
        is_elsewhere = path == self.path
        message = moved(finding.message, finding.path, path)
        correction = finding.correction
        if correction is not None:
            correction = None if is_elsewhere else replace(correction, path=path)
        return replace(finding, path=path, message=message, correction=correction)


def moved(message: str, path: str, new_path: str) -> str:
    """Return a message with another path in it."""
    return message.replace(path, new_path, 1) if path else message
