"""The dependencies of the engine, as typed arguments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from executor_service.actions.action_context import ActionRunner
from executor_service.actions.outgoing.outgoing_texts import OutgoingTable
from executor_service.actions.reply_streamer import DraftSink
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.session_runs import SessionRuns
from executor_service.decisions.turn_reading import SessionReader
from executor_service.engine.step_hook import HookFactory
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.script import MAX_SILENT_ACTIONS
from executor_service.sub_agents.agent_maker import AgentMaker
from heartrule.domain.conversation import Media
from heartrule.domain.variables import VariableScope
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore
from session_store.records import CommittedStep, StepCommit

#: Returns the picture at a path of a tenant's script version; NotFound where there is none.
Pictures: TypeAlias = Callable[[str, str, str, str], Awaitable[Media]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineDeps:
    """Shared by all turns of a process."""

    model: ChatModel
    templates: TemplateStore
    actions: Mapping[ActionType, ActionRunner]
    clock: Callable[[], datetime]
    """The present, with a time zone."""
    new_id: Callable[[str], str]
    judging: JudgingBeside
    """Judges the decisions of agents."""
    outgoing_texts: OutgoingTable
    """The engine's own words about texts that may not leave, by language."""
    pictures: Pictures
    """Finds the pictures of scripts."""
    runs: SessionRuns
    """Runs of workflows, whoever works on them."""
    threads: AgentMaker
    """Makes the agents of threads."""
    read_session: SessionReader
    """Reads what an agent knows of its session; called in turns that have one alone."""
    keyword_scope: Callable[[str], VariableScope | None]
    """The scope an undeclared name implies by its words."""
    max_actions: int = MAX_SILENT_ACTIONS
    hooks: Sequence[HookFactory]
    """The rules that cut across actions; each point of a turn calls them in this order."""
    without_script: Sequence[HookFactory]
    """Those that act before a turn also where its script cannot be read."""


class Sink(DraftSink, Protocol):
    """The receiver of one attempt's drafts and steps; a commit moves its calls into the ledger."""

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Make a step durable; LeaseLost when another holder has the session."""
