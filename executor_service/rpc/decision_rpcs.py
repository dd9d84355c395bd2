"""The rpcs of DecisionService: decisions of operators, and what agents decided and drafted."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from executor_service.operator_decisions import OperatorDecisions
from executor_service.rpc.requests import (
    Context,
    chosen,
    hidden_of,
    listed,
    page_of,
    refused,
    session_of,
)
from executor_service.rpc.run_messages import fill_time
from executor_service.run_following import pass_on
from executor_service.streams.session_deps import SessionDeps
from executor_service.workflows.plan_models import written_plan
from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    judged_event,
    made_event,
    workflow_event,
)
from heartrule.domain.decisions import Decision, DecisionAuthor, DecisionState, DecisionType
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.sensitive import SensitiveVariables, without_texts
from heartrule.v1 import decision_pb2, decision_request_pb2, workflow_pb2
from heartrule.wire.enums import members, numbers
from heartrule.wire.inbound import Reading, check_name
from heartrule.wire.json_values import fill_struct, read_struct
from heartrule.wire.message_mapping import fill_message, refuse
from heartrule.wire.request_parsing import allow, require
from session_store.records import DecisionFilter, KeptDecision, KeptWorkflow

# Each may have a payload of a megabyte, and a corrected one beside it: so many are read at once.
# They are made into messages in a thread, as a hundred thousand values take a second.
MOST_DECISIONS = 50
LARGEST_PAGE = 16_777_216
_OPEN = SensitiveVariables()


class DecisionRpcs:
    """Takes decisions between turns; lists decisions and workflows."""

    def __init__(self, deps: SessionDeps, decisions: OperatorDecisions) -> None:
        """`deps` have who is told what `decisions` wrote: watchers, and what works on runs."""
        self._deps = deps
        self._store, self._scripts = deps.store, deps.scripts
        self._decisions = decisions

    async def SubmitDecision(  # noqa: N802  the contract's name
        self, request: decision_request_pb2.SubmitDecisionRequest, _context: Context
    ) -> decision_request_pb2.SubmitDecisionResponse:
        """Judge a decision and make its effect; its own texts are its caller's: none is masked."""
        key, decision = session_of(request), await to_thread(_submitted, request)
        response = decision_request_pb2.SubmitDecisionResponse()
        if request.dry_run:
            verdict = await self._decisions.judged(key, decision)
            judged = KeptDecision(decision=decision, state=DecisionState.DONE, verdict=verdict)
            await to_thread(_fill_decision, judged, response.decision)
            response.decision.ClearField("state")  # it has none: nothing was written
            return response
        outcome = await self._decisions.submit(key, decision)
        self._deps.hub.publish(key, outcome.events)
        await pass_on(key, outcome.events, self._deps.runs)
        await to_thread(_fill_decision, outcome.kept, response.decision)
        if made := await self._decisions.revision(key, outcome.kept):
            # It may be an agent's draft, of which the caller knows nothing but the list.
            _fill_workflow(made, response.workflow, await self._hidden(key, reveal=False))
        return response

    async def ListDecisions(  # noqa: N802
        self, request: decision_request_pb2.ListDecisionsRequest, _context: Context
    ) -> decision_request_pb2.ListDecisionsResponse:
        """Return decisions in the order in which they were made; fewer where they are large."""
        key, wanted, page = session_of(request), _filter(request), page_of(request)
        hidden = await self._hidden(key, reveal=request.reveal)
        fill = partial(_fill_decision, hidden=hidden)
        size = min(page.size, MOST_DECISIONS)
        while True:
            found = await self._store.list_decisions(key, replace(page, size=size), wanted)
            kind = decision_request_pb2.ListDecisionsResponse
            response = await to_thread(listed, kind, found, fill)
            if size == 1 or response.ByteSize() <= LARGEST_PAGE:
                return response
            size //= 2

    async def ListWorkflows(  # noqa: N802
        self, request: workflow_pb2.ListWorkflowsRequest, _context: Context
    ) -> workflow_pb2.ListWorkflowsResponse:
        """Return the newest revision of each, without its definition."""
        key = session_of(request)
        hidden = await self._hidden(key, reveal=request.reveal)
        found = await self._store.list_workflows(key, page_of(request))
        fill = partial(_fill_workflow, hidden=hidden)
        return listed(workflow_pb2.ListWorkflowsResponse, found, fill)

    async def GetWorkflow(  # noqa: N802
        self, request: workflow_pb2.GetWorkflowRequest, _context: Context
    ) -> workflow_pb2.GetWorkflowResponse:
        """Return a revision with its definition."""
        require(session_id=request.session_id, workflow_id=request.workflow_id)
        if request.revision < 0:
            raise refused("revision", "must be 0 or more")
        key = session_of(request)
        hidden = await self._hidden(key, reveal=request.reveal)
        kept = await self._store.get_workflow(key, request.workflow_id, request.revision)
        response = workflow_pb2.GetWorkflowResponse()
        _fill_workflow(kept, response.workflow, hidden)
        definition: JsonValue = written_plan(kept.workflow)
        if hidden != _OPEN:
            definition = without_texts(definition)
        assert isinstance(definition, Mapping)
        fill_struct(definition, response.workflow.definition)
        return response

    async def _hidden(self, key: SessionKey, *, reveal: bool) -> SensitiveVariables:
        return await hidden_of(self._store, self._scripts, key, reveal=reveal)


def _fill_decision(
    kept: KeptDecision, target: decision_request_pb2.Decision, hidden: SensitiveVariables = _OPEN
) -> None:
    """Fill the message as the events of the decision tell it, masked alike."""
    decision, states = kept.decision, decision_request_pb2.DecisionState.DESCRIPTOR
    fill_message(hidden.in_body(made_event(decision, kept.action_instance_id)), target)
    target.state = numbers(DecisionState, states)[kept.state]  # type: ignore[assignment]  # a number
    target.place, target.step = kept.place, kept.step
    target.turn_id, target.sequence = kept.turn_id, kept.sequence
    fill_time(kept.create_time, target, "create_time")
    if kept.verdict is not None:
        shown = hidden.in_body(made_event(replace(decision, payload=kept.verdict.payload)))
        judged = hidden.in_body(judged_event(decision, kept.verdict))
        assert isinstance(shown, DecisionMade)
        verdict = replace(kept.verdict, payload=shown.payload)
        if isinstance(judged, DecisionValidated):
            verdict = replace(verdict, corrections=judged.corrections)
        if isinstance(judged, DecisionRejected):
            verdict = replace(verdict, errors=judged.errors)
        fill_message(verdict, target.verdict)


def _fill_workflow(
    kept: KeptWorkflow, target: workflow_pb2.Workflow, hidden: SensitiveVariables
) -> None:
    """Fill the message but for the definition."""
    fill_message(hidden.in_body(workflow_event(kept.workflow, kept.decision_id)), target)
    target.turn_id, target.sequence = kept.turn_id, kept.sequence
    fill_time(kept.create_time, target, "create_time")


def _submitted(request: decision_request_pb2.SubmitDecisionRequest) -> Decision:
    """Return the decision; a number that names no type is one that the gate does not know."""
    reading = Reading()
    for name in ("decision_id", "correlation_id", "causation_id"):
        written = getattr(request, name)
        if written or (name == "decision_id" and not request.dry_run):
            check_name(written, name, reading)
    if not request.decision_type:
        reading.wrong("decision_type", "is required")
    if not request.HasField("payload"):
        reading.wrong("payload", "is required")
    if request.HasField("confidence") and not 0 <= request.confidence <= 1:
        reading.wrong("confidence", "must be from 0 to 1")
    refuse(reading)
    kinds = members(DecisionType, decision_pb2.DecisionType.DESCRIPTOR)
    kind = kinds.get(request.decision_type)
    return Decision(
        decision_id=request.decision_id,
        correlation_id=request.correlation_id or request.decision_id,
        decision_type=kind.value if kind else str(request.decision_type),
        payload=read_struct(request.payload),
        confidence=request.confidence if request.HasField("confidence") else None,
        author=DecisionAuthor.OPERATOR,
        causation_id=request.causation_id,
    )


def _filter(request: decision_request_pb2.ListDecisionsRequest) -> DecisionFilter:
    allow(turn_id=request.turn_id)
    reading = Reading()
    kinds, states = (
        decision_pb2.DecisionType.DESCRIPTOR,
        decision_request_pb2.DecisionState.DESCRIPTOR,
    )
    kind = chosen(request.decision_type, DecisionType, kinds, at="decision_type", reading=reading)
    state = chosen(request.state, DecisionState, states, at="state", reading=reading)
    refuse(reading)
    return DecisionFilter(
        turn_id=request.turn_id, decision_type=kind.value if kind else "", state=state
    )
