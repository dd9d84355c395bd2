"""A workflow planned anew (section 2.9; RESOLUTIONS D10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from executor_service.decisions.decision_case import Findings
from executor_service.decisions.payloads.running import ReplanPayload, SuggestedChanges
from executor_service.decisions.rules.node_changes import moved
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.plan_rules import check_plan
from heartrule.domain.decisions import Correction, FindingCode, RuleFinding
from heartrule.domain.workflows import Edge, Node, Workflow

GENERATED = "added_"
"""How the id of an added node begins that had none; such a node may stand without edges (D7)."""
_RULE = "2.9 re-planning"
_CHANGES = "suggested_changes"


@dataclass(frozen=True, slots=True)
class Replanning:
    """The suggested changes of one workflow."""

    workflow: Workflow
    payload: ReplanPayload

    @property
    def changes(self) -> SuggestedChanges:
        """What is suggested; nothing where nothing is."""
        return self.payload.suggested_changes or SuggestedChanges()

    def findings(self, facts: PlanFacts) -> Findings:
        """Return unknown nodes, else ids to be generated, else what is wrong with the result."""
        return (
            tuple(self._unknown())
            or tuple(self._generated())
            or tuple(self._of_result(facts) if self.payload.suggested_changes else ())
        )

    def result(self) -> Workflow:
        """Return the workflow after the changes.

        An added node with the id of a removed one takes its place, its edges and its dependants.
        """
        added = tuple(each.node(each.node_id or "") for each in self.changes.add_nodes or ())
        nodes = (*self._kept(), *added)
        ids = {node.node_id for node in nodes}
        edges = {
            (edge.source, edge.target): edge
            for edge in self.workflow.edges
            if edge.source in ids and edge.target in ids
        }
        edges |= {(edge.source, edge.target): edge for edge in self._new_edges()}
        return replace(self.workflow, nodes=nodes, edges=tuple(edges.values()))

    def _kept(self) -> tuple[Node, ...]:
        removed = set(self.changes.remove_nodes or ())
        return tuple(node for node in self.workflow.nodes if node.node_id not in removed)

    def _new_edges(self) -> tuple[Edge, ...]:
        return tuple(each.edge() for each in self.changes.update_edges or ())

    def _unknown(self) -> Iterator[RuleFinding]:
        ids = {node.node_id for node in self.workflow.nodes}
        named = (
            ("preserve_nodes", self.payload.preserve_nodes or ()),
            (f"{_CHANGES}.remove_nodes", self.changes.remove_nodes or ()),
        )
        for path, node_ids in named:
            for index, node_id in enumerate(node_ids):
                if node_id not in ids:
                    place = f"{path}.{index}"
                    message = f"{place} is {node_id!r}, which is no node of the workflow"
                    yield RuleFinding(FindingCode.UNKNOWN_REFERENCE, place, message, _RULE)

    def _generated(self) -> Iterator[RuleFinding]:
        added = self.changes.add_nodes or ()
        removed = self.changes.remove_nodes or ()
        taken = {node.node_id for node in self.workflow.nodes} | {each.node_id for each in added}
        free = (f"{GENERATED}{n}" for n in range(1, len(taken) + len(added) + 1))
        ids = (each for each in free if each not in taken)
        has_place = len(removed) == 1 and removed[0] not in {each.node_id for each in added}
        for index, node in enumerate(added):
            if node.node_id is not None:
                continue
            node_id, has_place = (removed[0] if has_place else next(ids)), False
            path = f"{_CHANGES}.add_nodes.{index}.node_id"
            message = f"{path} is missing: it becomes {node_id!r}"
            given = Correction(path=path, after=node_id)
            yield RuleFinding(FindingCode.MISSING_FIELD, path, message, _RULE, correction=given)

    def _of_result(self, facts: PlanFacts) -> Iterator[RuleFinding]:
        for each in check_plan(self.result(), facts):
            path = self._in_payload(each.path)
            if not (each.code is FindingCode.ORPHAN_NODE and self._may_stand_alone(each.path)):
                message = moved(each.message, each.path, path)
                yield replace(each, path=path, message=message, correction=None)

    def _may_stand_alone(self, path: str) -> bool:
        index = int(path.split(".")[1])
        node = self.result().nodes[index]
        return index >= len(self._kept()) and node.node_id.startswith(GENERATED)

    def _in_payload(self, path: str) -> str:
        """Return where the payload names what stands at a path of the result."""
        kind, _, rest = path.partition(".")
        number, _, inner = rest.partition(".")
        if not number.isdecimal():
            return _CHANGES
        index = int(number)
        if kind == "nodes" and index >= len(self._kept()):
            return _below(f"{_CHANGES}.add_nodes.{index - len(self._kept())}", inner)
        if kind == "edges":
            edge = self.result().edges[index]
            new = self._new_edges()
            if edge in new:
                return _below(f"{_CHANGES}.update_edges.{new.index(edge)}", inner)
        return _CHANGES


def _below(path: str, inner: str) -> str:
    return f"{path}.{inner}" if inner else path
