"""Routes of decisions and of the workflows that came of them, with their queries and bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, PlainSerializer

from gateway_service.bodies import Body, JsonObject, Name, PageQuery, QueryParameters
from gateway_service.list_queries import ListQuery
from gateway_service.paths import API
from gateway_service.routes.call_router import CallRouter
from heartrule.domain.json_value import is_deeper
from heartrule.wire.json_values import DEEPEST


def _not_too_deep(payload: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Pass a payload that the contract can carry: what lies deeper would become text."""
    if is_deeper(payload, DEEPEST):
        raise ValueError(f"must be nested at most {DEEPEST} levels deep")
    return payload


DecisionWord = Annotated[
    Literal[
        "respond", "create_node", "create_workflow_plan", "execute_workflow",
        "request_clarification", "continue", "modify_node", "error_recovery", "replan_workflow",
        "spawn_subagent",
    ],
    PlainSerializer(lambda word: f"DECISION_TYPE_{word.upper()}", return_type=str),
]  # fmt: skip
StateWord = Annotated[
    Literal["queued", "held", "running", "interrupted", "done", "rejected", "superseded"],
    PlainSerializer(lambda word: f"DECISION_STATE_{word.upper()}", return_type=str),
]


class SubmitDecisionBody(Body, title="SubmitDecision"):
    """A decision of an operator or of another program."""

    decision_id: Name = ""
    """Its id and the idempotency key: a repeat is answered with what became of the first; required
    unless `dryRun` is true."""
    decision_type: DecisionWord
    """Its type."""
    payload: Annotated[JsonObject, AfterValidator(_not_too_deep)]
    """Its payload, by the names that the published schema has."""
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    """How sure its author is."""
    correlation_id: Name = ""
    """That of the rejected decision it replaces; empty: its own id."""
    causation_id: Name = ""
    """The message, event or decision that it answers."""
    dry_run: bool = False
    """True: a decision of any type is judged, and nothing is written."""


class DecisionsQuery(ListQuery):
    """Which decisions; at most 50 on a page, fewer where their payloads are large."""

    turn_id: Name = ""
    """Only those that this turn made."""
    decision_type: DecisionWord | None = None
    """Only those of this type."""
    state: StateWord | None = None
    """Only those in this state."""
    reveal: bool = False
    """True: with texts and numbers where the script has sensitive variables; `•••` otherwise."""


class WorkflowsQuery(PageQuery):
    """Which workflows."""

    reveal: bool = False
    """True: with names where the script has sensitive variables; they are `•••` otherwise."""


class RevisionQuery(QueryParameters):
    """Which revision of a workflow."""

    revision: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    """The revision; 0: the newest."""
    reveal: bool = False
    """True: with texts and numbers where the script has sensitive variables; `•••` otherwise."""


_SESSION = f"{API}/sessions/{{sessionId}}"
_NODE: dict[str, JsonValue] = {
    "action_type": "create_node",
    "node_type": "LLM",
    "node_name": "summary",
    "config": {"model": "gpt-4o", "prompt": "Sum up: ${input.text}"},
}
_SUBMITTED: dict[str, Any] = {
    "a node": {"value": {"decisionId": "op-1", "decisionType": "create_node", "payload": _NODE}},
    "a dry run": {"value": {"decisionType": "create_node", "payload": _NODE, "dryRun": True}},
}

router = CallRouter(tags=["decisions"])
router.add_call(
    f"POST {_SESSION}/decisions",
    "SubmitDecision",
    summary="Submit a decision between turns; a rejected one is an answer; safe to repeat",
    body=SubmitDecisionBody,
    body_examples=_SUBMITTED,
    failures=(404, 409),
    success="What became of it, with its verdict.",
)
router.add_call(
    f"GET {_SESSION}/decisions",
    "ListDecisions",
    summary="List the decisions of agents and operators, with their verdicts",
    query=DecisionsQuery,
)
router.add_call(
    f"GET {_SESSION}/workflows",
    "ListWorkflows",
    summary="List the newest revision of each workflow",
    query=WorkflowsQuery,
)
router.add_call(
    f"GET {_SESSION}/workflows/{{workflowId}}",
    "GetWorkflow",
    summary="Read a revision of a workflow with its definition, the newest by default",
    inner="workflow",
    query=RevisionQuery,
)
