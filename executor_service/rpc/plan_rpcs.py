"""The rpcs of plans: a topic's queue, its edits, and undo."""

from __future__ import annotations

from executor_service.orchestration.queues import queue_entries
from executor_service.orchestration.topics import actions_of, topic_named
from executor_service.rpc.requests import Context, listed, page_of, session_of
from executor_service.rpc.session_rpcs import SessionServicerBase
from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.orchestration import PlanEdit, QueuedAction
from heartrule.v1 import plan_edit_pb2
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import allow, require
from session_store.records import PlanView


class PlanRpcs(SessionServicerBase):
    """Reads plans and their edits; an undo waits for the next turn."""

    async def ListPlanEdits(  # noqa: N802  the contract's name
        self, request: plan_edit_pb2.ListPlanEditsRequest, _context: Context
    ) -> plan_edit_pb2.ListPlanEditsResponse:
        """Return edits in the order in which they were made."""
        found = await self._deps.store.list_plan_edits(session_of(request), page_of(request))
        return listed(plan_edit_pb2.ListPlanEditsResponse, found)

    async def GetPlan(  # noqa: N802
        self, request: plan_edit_pb2.GetPlanRequest, _context: Context
    ) -> plan_edit_pb2.GetPlanResponse:
        """Return the queue of the session's current topic."""
        view = await self._deps.store.get_plan(session_of(request))
        response = plan_edit_pb2.GetPlanResponse(
            phase_id=view.position.phase_id,
            topic_id=view.position.topic_id,
            plan_revision=view.plan_revision,
        )
        for entry in await self._entries(view):
            fill_message(entry, response.actions.add())
        return response

    async def UndoPlanEdit(  # noqa: N802
        self, request: plan_edit_pb2.UndoPlanEditRequest, _context: Context
    ) -> plan_edit_pb2.UndoPlanEditResponse:
        """Keep an undo of the latest applied edit for the next turn."""
        require(session_id=request.session_id, edit_id=request.edit_id)
        allow(request_id=request.request_id)
        undo = PlanEdit(
            edit_id=new_id("edit"),
            session_id=request.session_id,
            cause_id=request.request_id,
            undoes=request.edit_id,
        )
        key = session_of(request)
        edit, events = await self._deps.store.request_undo(key, undo)
        self._deps.hub.publish(key, events)
        response = plan_edit_pb2.UndoPlanEditResponse()
        fill_message(edit, response.edit)
        return response

    async def _entries(self, view: PlanView) -> tuple[QueuedAction, ...]:
        if not view.plan:
            return ()
        script = await self._deps.scripts.get(
            DEFAULT_TENANT, view.script_id, view.script_version, view.replacements
        )
        topic = topic_named(script, view.position.phase_id, view.position.topic_id)
        assert topic is not None, "it is the current topic"
        return queue_entries(view.plan, actions_of(script, topic))
