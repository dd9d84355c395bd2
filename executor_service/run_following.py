"""What a transaction told of runs is passed on to what works on them."""

from __future__ import annotations

from collections.abc import Iterable

from executor_service.ports import RunStarter
from executor_service.workflows.engine.run_telemetry import count_ends
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.run_events import RunChanged
from heartrule.domain.runs import RunState


async def pass_on(key: SessionKey, events: Iterable[SessionEvent], runs: RunStarter) -> None:
    """Have what was queued begin, what waits no more go on, and what was cancelled stop.

    What ended is counted. Not for events of a worker's own transactions: it knows what it wrote.
    """
    events = tuple(events)
    count_ends(events)
    states = {
        each.body.run_id: each.body.state for each in events if isinstance(each.body, RunChanged)
    }
    if RunState.QUEUED in states.values():
        await runs.admit(key)
    if waits_no_more := [name for name, state in states.items() if state is RunState.RUNNING]:
        await runs.resume(waits_no_more)
    for name, state in states.items():
        if state is RunState.CANCELLED:
            await runs.cancel(name)
