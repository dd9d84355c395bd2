"""What an agent may hold, looked at when it is built (document 003, sections 2.2 and 11.1)."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.threads.handlers import StateHandler
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import InvalidAgent
from executor_service.threads.two_step import (
    SubThreadExecutionHandler,
    SubThreadPreparationHandler,
)


def check_kind(agent: ThreadAgent, held: Mapping[str, object], kind: type) -> None:
    """Refuse an agent that holds something else than parts of that kind, or nothing.

    Raises:
        InvalidAgent: WRONG_HOLDING, with the names of the agent and of what it holds.
    """
    holder = type(agent).__name__
    wrong = {phase: part for phase, part in held.items() if not isinstance(part, kind)}
    if not held:
        problem = f"{holder} holds no {kind.__name__}"
        raise InvalidAgent("WRONG_HOLDING", problem, holder=holder, held="nothing")
    for phase, part in wrong.items():
        name = type(part).__name__
        problem = f"{holder} holds {name} in {phase}, and may hold a {kind.__name__} alone"
        raise InvalidAgent("WRONG_HOLDING", problem, holder=holder, held=name)


async def check_handlers(agent: ThreadAgent, next_phases: Mapping[str, str | None]) -> None:
    """Refuse an agent whose handlers are not its own, or prepare what nothing executes.

    The agents of its sub-threads are built and looked at as well. `next_phases` has the phase that
    follows each holder of `held_handlers`.

    Raises:
        InvalidAgent: SHARED_CLASS, PREPARE_WITHOUT_EXECUTE, AGENTS_TOO_DEEP, or what is wrong with
            an agent below it.
    """
    held = agent.held_handlers()
    for handler in held.values():
        _check_class(agent, handler)
    for name, handler in held.items():
        if isinstance(handler, SubThreadPreparationHandler):
            _check_prepared(agent, name, next_phases.get(name) or handler.next_phase)
    for handler in held.values():
        if isinstance(handler, SubThreadExecutionHandler):
            await handler.build(agent)


def _check_class(agent: ThreadAgent, handler: StateHandler) -> None:
    above = agent.metadata.classes_above.get(type(handler))
    if above is not None:
        held = type(handler).__name__
        holder = agent.metadata.name
        problem = f"{holder} and {above} above it both hold a {held}; each level has its own"
        raise InvalidAgent("SHARED_CLASS", problem, holder=holder, held=held)


def _check_prepared(agent: ThreadAgent, name: str, following: str | None) -> None:
    executes = agent.held_handlers().get(following or "")
    if not isinstance(executes, SubThreadExecutionHandler):
        holder = agent.metadata.name
        problem = f"{holder} prepares a sub-thread in {name}, and no phase behind it executes it"
        raise InvalidAgent("PREPARE_WITHOUT_EXECUTE", problem, holder=holder, held=name)
