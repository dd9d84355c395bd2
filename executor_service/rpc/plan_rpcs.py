"""The rpcs of plans: a topic's queue, its edits, and undo."""

from __future__ import annotations

from typing import Any, TypeAlias

from grpc import aio

from executor_service.hub import SessionHub
from executor_service.orchestration.queues import queue_entries
from executor_service.orchestration.topics import actions_of, topic_named
from executor_service.ports import ScriptLibrary
from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.orchestration import PlanEdit, QueuedAction
from heartrule.v1 import plan_edit_pb2
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import allow, page_size, require
from session_store.ports import PlanStore
from session_store.records import Page, PlanView

Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class PlanRpcs:
    """Reads plans and their edits; an undo waits for the next turn."""

    def __init__(self, store: PlanStore, scripts: ScriptLibrary, hub: SessionHub) -> None:
        """Read from `store`; the events of an undo are published to `hub`."""
        self._plans = store
        self._scripts_of_plans = scripts
        self._plan_watchers = hub

    async def ListPlanEdits(  # noqa: N802  the contract's name
        self, request: plan_edit_pb2.ListPlanEditsRequest, _context: Context
    ) -> plan_edit_pb2.ListPlanEditsResponse:
        """Return edits in the order in which they were made."""
        require(session_id=request.session_id)
        page = Page(size=page_size(request.page_size), token=request.page_token)
        found, token = await self._plans.list_plan_edits(_key(request.session_id), page)
        response = plan_edit_pb2.ListPlanEditsResponse(next_page_token=token)
        for edit in found:
            fill_message(edit, response.edits.add())
        return response

    async def GetPlan(  # noqa: N802
        self, request: plan_edit_pb2.GetPlanRequest, _context: Context
    ) -> plan_edit_pb2.GetPlanResponse:
        """Return the queue of the topic the session stands in."""
        require(session_id=request.session_id)
        view = await self._plans.get_plan(_key(request.session_id))
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
        key = _key(request.session_id)
        edit, events = await self._plans.request_undo(key, undo)
        self._plan_watchers.publish(key, events)
        response = plan_edit_pb2.UndoPlanEditResponse()
        fill_message(edit, response.edit)
        return response

    async def _entries(self, view: PlanView) -> tuple[QueuedAction, ...]:
        if not view.plan:
            return ()
        script = await self._scripts_of_plans.get(
            DEFAULT_TENANT, view.script_id, view.script_version, view.replacements
        )
        topic = topic_named(script, view.position.phase_id, view.position.topic_id)
        assert topic is not None, "the session stands in it"
        return queue_entries(view.plan, actions_of(script, topic))


def _key(session_id: str) -> SessionKey:
    return SessionKey(DEFAULT_TENANT, session_id)
