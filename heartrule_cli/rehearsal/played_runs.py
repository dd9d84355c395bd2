"""Runs in a rehearsal: they end before the next turn, and reach nothing outside."""

from __future__ import annotations

from collections.abc import Iterable

from executor_service.decisions.policy_access import TenantAccess
from executor_service.hub import SessionHub
from executor_service.monitoring.pacing import something_new
from executor_service.workflows.nodes.node_access import NodeAccess
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.run_events import RunChanged
from heartrule.domain.runs import ENDED_RUNS, RunState
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from session_store.ports import Store
from session_store.records import Page

NOTHING_OPEN = TenantAccess(default=NodeAccess(domains=()))
"""No host, no database and no secret: what is rehearsed may be repeated by anybody."""
_GOES_ON = frozenset({RunState.QUEUED, RunState.RUNNING})
_ALL = Page(size=500)


async def runs_over(store: Store, hub: SessionHub, key: SessionKey) -> None:
    """Return once no run of a session goes on; one that waits for a decision does not."""
    watcher = hub.subscribe(key)
    try:
        while any(each.state in _GOES_ON for each in (await store.list_runs(key, _ALL))[0]):
            await something_new(watcher)
    finally:
        watcher.close()


def seen_of_runs(events: Iterable[SessionEvent]) -> list[dict[str, object]]:
    """Return the runs that ended, in order."""
    bodies = (event.body for event in events)
    return [
        {"workflow": each.workflow_id, "agent": each.agent, "state": each.state, "code": each.code}
        for each in bodies
        if isinstance(each, RunChanged) and each.state in ENDED_RUNS
    ]


def seen_of_threads(events: Iterable[SessionEvent]) -> list[dict[str, object]]:
    """Return the threads that something was told of, in the order in which each was told first.

    Their phases are those they were in, their messages what was said in them.
    """
    seen: dict[str, dict[str, object]] = {}
    phases: dict[str, list[str]] = {}
    messages: dict[str, list[str]] = {}
    for body in (event.body for event in events):
        if isinstance(body, ThreadChanged):
            told = phases.setdefault(body.thread_id, [])
            if body.phase and told[-1:] != [body.phase]:
                told.append(body.phase)
            seen[body.thread_id] = {
                "agent": body.agent,
                "depth": body.depth,
                "state": body.state,
            }
        elif isinstance(body, ThreadMessageAdded):
            messages.setdefault(body.thread_id, []).append(body.text)
    return [
        {**each, "phases": phases[name], "messages": messages.get(name, [])}
        for name, each in seen.items()
    ]
