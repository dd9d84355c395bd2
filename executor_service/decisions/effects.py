"""What a valid decision does: the executors of this release (document 002, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from types import MappingProxyType
from typing import TypeAlias

from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.drafting import drafted
from executor_service.decisions.payloads.running import SpawnSubagentPayload
from executor_service.decisions.payloads.talking import ClarificationPayload, RespondPayload
from executor_service.scripts.model.fields import MAX_OPTIONS
from heartrule.domain.decisions import DecisionType
from heartrule.domain.json_value import JsonValue
from heartrule.domain.thread_changes import NewThread
from heartrule.domain.workflows import Workflow
from session_store.records.runs import NewRun, RunEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class Spawned:
    """A sub-agent that a decision asks for; who made the decision adds what it may know."""

    agent: str
    """Its type."""
    first_phase: str = ""
    request: Mapping[str, JsonValue]
    """Its task, whole (RESOLUTIONS T18)."""
    priority: int
    timeout: timedelta
    told: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the decision says of the talk: the model's words, and never a fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What comes of one decision; the engine commits it with the decision and its verdict."""

    text: str = ""
    """Said to the client; empty: the agent goes on without a word."""
    options: tuple[str, ...] = ()
    """Answers to choose from."""
    ends: bool = False
    """True where the agent is done with it."""
    workflow: Workflow | None = None
    """The revision it makes; a new workflow has no id before `identified`."""
    runs: tuple[NewRun, ...] = ()
    """Runs that it begins."""
    run_effects: tuple[RunEffect, ...] = ()
    """What it changes of runs."""
    waits_for: str = ""
    """The run whose end the agent waits for; empty: it waits for none."""
    spawned: Spawned | None = None
    """The sub-agent that it asks for."""
    threads: tuple[NewThread, ...] = ()
    """Threads that it opens; `runs` has what works on them."""

    @property
    def leaves_a_run(self) -> bool:
        """Whether a run begins that the agent does not wait for: its action is over."""
        return bool(self.runs) and not self.waits_for


LONGEST_SUBAGENT_S = 3_600.0
"""Seconds that a sub-agent may take, whatever a decision says."""

Execute: TypeAlias = Callable[[DecisionCase], Effect]


def identified(effect: Effect, new_id: Callable[[str], str]) -> Effect:
    """Return the effect; a new workflow of it has an id."""
    made = effect.workflow
    if made is None or made.workflow_id:
        return effect
    return replace(effect, workflow=replace(made, workflow_id=new_id("wf")))


def _respond(case: DecisionCase) -> Effect:
    payload = case.read(RespondPayload)
    return Effect(text=payload.response, ends=not payload.requires_followup)


def _ask_back(case: DecisionCase) -> Effect:
    payload = case.read(ClarificationPayload)
    return Effect(text=payload.question, options=shown(payload.options or ()))


def _think_on(_case: DecisionCase) -> Effect:
    return Effect()


def _draft(case: DecisionCase) -> Effect:
    return Effect(workflow=drafted(case))


def _spawn(case: DecisionCase) -> Effect:
    payload = case.read(SpawnSubagentPayload)
    registered = case.ground.subagent_types[payload.subagent_type]
    names_priority = case.payload.get("priority") is not None
    timeout = registered.timeout
    if payload.timeout is not None:
        timeout = timedelta(seconds=min(payload.timeout, LONGEST_SUBAGENT_S))
    return Effect(
        spawned=Spawned(
            agent=payload.subagent_type,
            first_phase=registered.first_phase,
            request=payload.task_payload,
            priority=payload.priority if names_priority else registered.priority,
            timeout=timeout,
            told=payload.context_snapshot or {},
        )
    )


EXECUTORS: Mapping[DecisionType, Execute] = MappingProxyType(
    {
        DecisionType.RESPOND: _respond,
        DecisionType.REQUEST_CLARIFICATION: _ask_back,
        DecisionType.CONTINUE: _think_on,
        DecisionType.CREATE_NODE: _draft,
        DecisionType.CREATE_WORKFLOW_PLAN: _draft,
        DecisionType.MODIFY_NODE: _draft,
        DecisionType.SPAWN_SUBAGENT: _spawn,
    }
)
"""What needs no more than the ground; runs have `RunDecisions`, which reads what is stored."""

OF_RUNS = frozenset(
    {DecisionType.EXECUTE_WORKFLOW, DecisionType.ERROR_RECOVERY, DecisionType.REPLAN_WORKFLOW}
)
"""The decisions that begin runs, or change those that wait."""

SAID_BY: Mapping[DecisionType, str] = MappingProxyType(
    {DecisionType.RESPOND: "response", DecisionType.REQUEST_CLARIFICATION: "question"}
)
"""The field of a payload that the client reads."""


def shown(options: Iterable[str]) -> tuple[str, ...]:
    """Return the answers of a question that a client is given to choose from."""
    return tuple(dict.fromkeys(options))[:MAX_OPTIONS]
