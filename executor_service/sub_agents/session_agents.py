"""The agents of sessions: those in the bundle of a session's script, and the installation's."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import timedelta

from executor_service.decisions.ground import KnownSubagents, SubagentType
from executor_service.ports import ScriptLibrary
from executor_service.scripts.loading.bundle import agent_files
from executor_service.scripts.model.agent_file import AgentKind
from executor_service.threads.agent_registry import AgentRegistry, RegisteredAgent
from executor_service.threads.ports import ThreadModel
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import SubThreadWork
from heartrule.chassis.latest import Latest
from heartrule.domain.errors import HeartRuleError, NotFound
from heartrule.domain.keys import SessionKey
from session_store.ports import Store

LOG = logging.getLogger(__name__)
# Versions of scripts whose agents are in memory, and sessions whose version is.
_VERSIONS, _SESSIONS = 64, 1_024
_TIMEOUT = SubagentType().timeout


class SessionAgents:
    """Knows and makes the agents of any session; it is an `AgentMaker`, and `of` is `Subagents`."""

    def __init__(
        self, store: Store, scripts: ScriptLibrary, installed: Callable[[], AgentRegistry]
    ) -> None:
        """Read nothing yet; `installed` reads the agents of the installation, once."""
        self._store, self._scripts, self._installed = store, scripts, installed
        self._own: AgentRegistry | None = None
        self._reading = asyncio.Lock()
        self._of_versions = Latest[tuple[str, str, str], AgentRegistry](_VERSIONS)
        self._of_sessions = Latest[SessionKey, tuple[str, str]](_SESSIONS)

    async def of(self, key: SessionKey) -> KnownSubagents:
        """Return the agents that a decision in a session may ask for."""
        agents = (await self._registry(key)).agents
        types = {
            name: _type_of(each)
            for name, each in agents.items()
            if each.kind is AgentKind.SUB_THREAD
        }
        if not types:
            return KnownSubagents()
        return KnownSubagents(types=types, waiting=await self._store.threads_waiting(key))

    async def make(
        self, key: SessionKey, name: str, model: ThreadModel, work: SubThreadWork | None = None
    ) -> ThreadAgent:
        """Return an agent of its own for one thread; errors as in `AgentMaker`."""
        registry = await self._registry(key)
        script = await self._scripts.get(key.tenant, *await self._version(key))
        return await registry.make(name, model, work, scheme=script.template_scheme)

    async def labels(self, key: SessionKey, name: str) -> Mapping[str, str]:
        """Return what the client is told of an agent's phases; nothing where there is none."""
        try:
            return (await self._registry(key)).get(name).labels
        except NotFound:
            return {}

    async def _registry(self, key: SessionKey) -> AgentRegistry:
        version = (key.tenant, *await self._version(key))
        known = self._of_versions.get(version)
        if known is None:
            async with self._reading:
                known = await self._read(version)
        self._of_versions[version] = known
        return known

    async def _read(self, version: tuple[str, str, str]) -> AgentRegistry:
        if version in self._of_versions:
            return self._of_versions[version]
        if self._own is None:
            self._own = await asyncio.to_thread(self._of_installation)
        record = await self._store.load_script(*version)
        files = agent_files(record.files, record.main)
        return await asyncio.to_thread(self._own.with_bundle, files)

    def _of_installation(self) -> AgentRegistry:
        """Return the installation's agents; a mistake in one of them must stop no conversation."""
        try:
            return self._installed()
        except HeartRuleError as error:
            LOG.error(  # noqa: TRY400
                "the agents of the installation cannot be read", extra={"why": str(error)}
            )
            return AgentRegistry()

    async def _version(self, key: SessionKey) -> tuple[str, str]:
        """Return the script and its version, to which a session is pinned."""
        known = self._of_sessions.get(key)
        if known is None:
            session = await self._store.get_session(key)
            known = session.script_id, session.script_version
        self._of_sessions[key] = known
        return known


def _type_of(agent: RegisteredAgent) -> SubagentType:
    return SubagentType(
        takes=agent.input_schema,
        purpose=agent.description,
        first_phase=agent.first_phase,
        priority=agent.priority,
        timeout=timedelta(seconds=agent.timeout) if agent.timeout else _TIMEOUT,
    )
