"""Ending sessions in memory in which nobody says anything any more (RESOLUTIONS C31)."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionStatus
from session_store.ending_rules import idle_end
from session_store.memory.begin import is_held
from session_store.memory.edits import settle
from session_store.memory.events import tell
from session_store.memory.histories import keep_snapshots
from session_store.memory.rows import SessionRow, Tables
from session_store.memory.sessions import write_variables
from session_store.records import TurnState
from session_store.step_events import StepContext, state_of, step_drafts

_RESTING = (ExecutionStatus.WAITING_INPUT, ExecutionStatus.ERROR)


class MemoryEnding:
    """The end of idle sessions over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def find_idle(self, idle: timedelta, limit: int) -> tuple[SessionKey, ...]:
        """Return opened sessions that wait for a client since longer than `idle`."""
        rows = self._tables.sessions.items()
        found = [
            key for key, row in rows if row is not None and _looks_idle(self._tables, row, idle)
        ]
        return tuple(found[:limit])

    async def end_idle(self, key: SessionKey, idle: timedelta) -> tuple[SessionEvent, ...]:
        """End the session where it is idle still; else nothing is written and nothing returned."""
        tables, row = self._tables, self._tables.sessions.get(key)
        if row is None or not _rests(tables, row, idle):
            return ()
        values = (*row.variables.values(), *row.archive.values())
        step = idle_end(values, row.position)
        row.status = ExecutionStatus.COMPLETED
        row.end_reason = EndReason.IDLE_TIMEOUT
        row.error = None
        left = {(each.scope, each.scope_id) for each in step.scopes_left}
        kept = row.variables.items()
        row.variables = {name: value for name, value in kept if name[:2] not in left}
        write_variables(tables, row, step.variables)
        newest = row.newest_turn()
        edits = settle(row, (), newest.turn_no if newest else 0)
        context = StepContext(state=state_of(row.record()), edits=edits)
        events = tell(tables, row, step_drafts(step, context))
        keep_snapshots(row, step.scopes_left, events)
        return events


def _looks_idle(tables: Tables, row: SessionRow, idle: timedelta) -> bool:
    resting = row.opened and row.status in _RESTING and not row.waiting()
    return resting and row.update_time <= tables.now() - idle


def _rests(tables: Tables, row: SessionRow, idle: timedelta) -> bool:
    turn = row.newest_turn()
    running = turn is not None and (turn.state is TurnState.RUNNING or turn.retry)
    return _looks_idle(tables, row, idle) and not running and not is_held(tables, row)
