"""The ten types of payloads, and how one is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from pydantic import ValidationError

from executor_service.decisions.payloads.drafting import (
    CreateNodePayload,
    ModifyNodePayload,
    WorkflowPlanPayload,
)
from executor_service.decisions.payloads.payload_base import Payload
from executor_service.decisions.payloads.running import (
    ErrorRecoveryPayload,
    ExecuteWorkflowPayload,
    ReplanPayload,
    SpawnSubagentPayload,
)
from executor_service.decisions.payloads.talking import (
    ClarificationPayload,
    ContinuePayload,
    RespondPayload,
)
from executor_service.workflows.schema_findings import findings_of
from heartrule.domain.decisions import Correction, DecisionType, FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue

PAYLOAD_VERSION = 3
"""Raised with every change of the published schema; docs/reference/decisions.md says what broke."""
SCHEMA_RULE = "2 payload schema"

PAYLOADS: Mapping[DecisionType, type[Payload]] = MappingProxyType(
    {
        DecisionType.RESPOND: RespondPayload,
        DecisionType.CREATE_NODE: CreateNodePayload,
        DecisionType.CREATE_WORKFLOW_PLAN: WorkflowPlanPayload,
        DecisionType.EXECUTE_WORKFLOW: ExecuteWorkflowPayload,
        DecisionType.REQUEST_CLARIFICATION: ClarificationPayload,
        DecisionType.CONTINUE: ContinuePayload,
        DecisionType.MODIFY_NODE: ModifyNodePayload,
        DecisionType.ERROR_RECOVERY: ErrorRecoveryPayload,
        DecisionType.REPLAN_WORKFLOW: ReplanPayload,
        DecisionType.SPAWN_SUBAGENT: SpawnSubagentPayload,
    }
)
"""A payload is read by its decision's type, so that paths stay exact."""


def parse_payload(
    decision_type: DecisionType, payload: JsonValue, *, confidence: float | None = None
) -> Payload | tuple[RuleFinding, ...]:
    """Return the payload as its type's model, or everything that is wrong with its fields.

    What document 002 lets the coordinator put in bears a correction (RESOLUTIONS D1): a missing
    `action_type`, an HTTP node's method, and a RESPOND's confidence, which is the decision's.
    """
    try:
        return PAYLOADS[decision_type].model_validate(payload)
    except ValidationError as error:
        found = findings_of(error, SCHEMA_RULE)
    defaults: dict[str, JsonValue] = {"action_type": decision_type.value}
    if decision_type is DecisionType.RESPOND and confidence is not None and 0 <= confidence <= 1:
        defaults["confidence"] = confidence
    return tuple(_of_decision(each, defaults) for each in found)


def _of_decision(finding: RuleFinding, defaults: Mapping[str, JsonValue]) -> RuleFinding:
    path = finding.path
    is_missing = finding.code is FindingCode.MISSING_FIELD
    if path == "action_type" and not is_missing:
        return replace(finding, code=FindingCode.TYPE_MISMATCH)
    if is_missing and path in defaults:
        return replace(finding, correction=Correction(path=path, after=defaults[path]))
    return finding
