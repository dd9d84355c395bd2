"""Workflows in files: read as YAML, of which JSON is a part, and judged with line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TypeAlias

from pydantic import ValidationError

from executor_service.scripts.loading.tree import ListNode, MapNode, Node, kind_of, to_json
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings, Located, Spot
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.plan_models import PlanModel, workflow_of
from executor_service.workflows.plan_rules import check_plan
from executor_service.workflows.schema_findings import findings_of, shortened
from heartrule.domain.decisions import RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Workflow, WorkflowStatus
from heartrule.words.words import say

# A sign beyond U+FFFF as JSON escapes it.
_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowFile:
    """What reading a file gave."""

    workflow: Workflow | None = None
    """READY; None where anything was found."""
    findings: tuple[Located, ...] = ()
    """All of them errors, from top to bottom."""


def read_workflow(path: str, data: bytes, facts: PlanFacts | None) -> WorkflowFile:
    """Return the workflow of a file, or what is wrong with it.

    Its id is the file's name without the suffix. A file is never corrected: what the gate would
    correct in a decision is an error here, for its author to put right.

    Args:
        path: The file's, as findings name it.
        data: A plan without its `action_type`, as YAML or JSON.
        facts: What its nodes may name and do; None: it was judged before, and is only read.
    """
    findings = Findings(path)
    document = read_yaml(_as_yaml(data), findings, begins=say("begins.workflow"))
    if document is None or findings.has_errors:
        return WorkflowFile(findings=findings.sorted())
    root = document.root
    if not isinstance(root, MapNode):
        findings.report(
            "wrong_root", root, shown=kind_of(root), wanted=say("wanted.mapping_of", key="nodes")
        )
        return WorkflowFile(findings=findings.sorted())
    judged = _judged(to_json(root), PurePath(path).stem, facts)
    if isinstance(judged, Workflow):
        return WorkflowFile(workflow=judged)
    for each in judged:
        findings.error(_spot(root, each), _message(each), each.code)
    return WorkflowFile(findings=findings.sorted())


def _judged(
    written: JsonValue, workflow_id: str, facts: PlanFacts | None
) -> Workflow | tuple[RuleFinding, ...]:
    try:
        plan = PlanModel.model_validate(written)
    except ValidationError as error:
        return findings_of(error, "")
    made = replace(workflow_of(plan, workflow_id), status=WorkflowStatus.READY)
    wrong = () if facts is None else check_plan(made, facts)
    return wrong or made


def _as_yaml(data: bytes) -> bytes:
    """Return JSON as YAML with the same columns; anything else as it is.

    A reader of YAML takes neither a tab for white space nor two escapes for one sign. The columns
    behind such a sign, in its line, are too small.
    """
    try:
        text = data.decode("utf-8-sig")
        json.loads(text)
    except (ValueError, RecursionError):
        return data
    return _PAIR.sub(lambda pair: json.loads(f'"{pair[0]}"'), text.replace("\t", " ")).encode()


def _message(finding: RuleFinding) -> str:
    if finding.correction is not None and finding.correction.is_removed:
        return f"{shortened(finding.path)} is not supported: take it out."
    return finding.message


_Step: TypeAlias = tuple[Spot, Node, list[str]]
"""Where a part of a path is named, what stands there, and the rest of the path."""


def _spot(root: Node, finding: RuleFinding) -> Spot:
    """Return the place of a value, of what is around one that is missing, or of an unknown key."""
    key: Spot = root
    node, rest = root, finding.path.split(".")
    while found := next(_steps(node, rest), None):
        key, node, rest = found
    correction = finding.correction
    return key if correction is not None and correction.is_removed else node


def _steps(node: Node, path: list[str]) -> Iterator[_Step]:
    """Yield the ways on into a node; a key may hold dots itself."""
    if isinstance(node, ListNode):
        for number, item in enumerate(node.items):
            if path[:1] == [str(number)]:
                yield item, item, path[1:]
    elif isinstance(node, MapNode):
        for count in range(1, len(path) + 1):
            entry = node.entries.get(".".join(path[:count]))
            if entry is not None:
                yield entry.key, entry.value, path[count:]
