"""GetScriptOutline: a script as a tree."""

from __future__ import annotations

from typing import Any, TypeAlias

from grpc import aio

from executor_service.rpc.sessions import SessionDeps
from executor_service.scripts.model.script import Action, Phase, Script, Topic
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.v1 import outline_pb2
from heartrule.wire.json_values import fill_struct

Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class OutlineRpcs:
    """Tells phases, topics and actions of a script."""

    def __init__(self, deps: SessionDeps) -> None:
        """Read sessions and published scripts of `deps`."""
        self._outlined = deps

    async def GetScriptOutline(  # noqa: N802  the contract's name
        self, request: outline_pb2.GetScriptOutlineRequest, _context: Context
    ) -> outline_pb2.GetScriptOutlineResponse:
        """Return the tree of a version, or of a session with its own replacements.

        Raises:
            InvalidRequest: Not exactly one of script and session is named.
            NotFound: There is no such script, version or session.
        """
        if bool(request.script_id) == bool(request.session_id):
            wrong = FieldViolation(
                field="script_id", description="name either script_id or session_id"
            )
            raise InvalidRequest(wrong.description, violations=[wrong])
        response = outline_pb2.GetScriptOutlineResponse()
        outline = response.outline
        script = await self._outlined_script(request, outline)
        for phase in script.phases:
            _fill_phase(phase, outline.phases.add())
        return response

    async def _outlined_script(
        self,
        request: outline_pb2.GetScriptOutlineRequest,
        outline: outline_pb2.ScriptOutline,
    ) -> Script:
        """Return the script that is meant; `outline` then names it."""
        deps = self._outlined
        if request.session_id:
            session = await deps.store.get_session(SessionKey(DEFAULT_TENANT, request.session_id))
            outline.script_id, outline.script_version = session.script_id, session.script_version
            replacements = session.replacements
        else:
            record = await deps.store.load_script(
                DEFAULT_TENANT, request.script_id, request.script_version
            )
            outline.script_id, outline.script_version = record.script_id, record.version
            replacements = ()
        return await deps.scripts.get(
            DEFAULT_TENANT, outline.script_id, outline.script_version, replacements
        )


def _fill_phase(phase: Phase, target: outline_pb2.PhaseOutline) -> None:
    target.phase_id, target.phase_name = phase.phase_id, phase.phase_name
    if phase.entry_condition is not None:
        target.entry_condition = phase.entry_condition.source
    for topic in phase.topics:
        _fill_topic(topic, target.topics.add())


def _fill_topic(topic: Topic, target: outline_pb2.TopicOutline) -> None:
    target.topic_id, target.topic_name = topic.topic_id, topic.topic_name
    for action in topic.actions:
        _fill_action(action, target.actions.add())


def _fill_action(action: Action, target: outline_pb2.ActionOutline) -> None:
    target.action_id, target.action_type = action.action_id, action.action_type.value
    if action.condition is not None:
        target.condition = action.condition.source
    fill_struct(action.written, target.config)
