"""Histories in memory: variable operations, scope snapshots, exit decisions, definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from heartrule.domain.events import (
    ActionResultRecorded,
    AnalysisEnded,
    ScopeLeft,
    SessionEvent,
    StrategyDecided,
    VariableChanged,
)
from heartrule.domain.exits import ExitHistoryEntry
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ActionMetricsEntry, MonitorFeedbackEntry
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import ScopeSnapshot, VariableDefinition, VariableOperation
from session_store.history_rules import exit_entry, metrics_entry
from session_store.memory.paging import page_of
from session_store.memory.rows import SessionRow, Tables
from session_store.records import Page


class MemoryHistories:
    """HistoryStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def list_definitions(self, key: SessionKey) -> tuple[VariableDefinition, ...]:
        """Return what the session's script declares and what was registered since."""
        known = self._tables.session(key).definitions
        return tuple(known[name] for name in sorted(known))

    async def list_operations(
        self, key: SessionKey, page: Page
    ) -> tuple[list[VariableOperation], str]:
        """Return variable operations, oldest first, and the next page's token."""
        return page_of(dict(_operations(self._tables.session(key))), page)

    async def latest_operations(
        self, key: SessionKey, names: Sequence[str], *, most: int
    ) -> tuple[VariableOperation, ...]:
        """Return the latest operations on each of the names, `most` of each, newest first."""
        found: dict[str, list[VariableOperation]] = {name: [] for name in names}
        newest_first = list(_operations(self._tables.session(key)))[::-1]
        return tuple(
            each
            for _, each in newest_first
            if each.variable_name in found and _room(found[each.variable_name], each, most)
        )

    async def list_snapshots(self, key: SessionKey, page: Page) -> tuple[list[ScopeSnapshot], str]:
        """Return scope snapshots, oldest first, and the next page's token."""
        row = self._tables.session(key)
        kept = {
            str(sequence): each
            for sequence, each in row.snapshots.items()
            if _stands(row, each.turn_id, sequence)
        }
        return page_of(kept, page)

    async def list_exits(self, key: SessionKey, page: Page) -> tuple[list[ExitHistoryEntry], str]:
        """Return exit decisions, oldest first, and the next page's token."""
        return page_of(dict(_exits(self._tables.session(key))), page)

    async def list_metrics(
        self, key: SessionKey, page: Page
    ) -> tuple[list[ActionMetricsEntry], str]:
        """Return what judged rounds said, oldest first, and the next page's token."""
        judged = {
            str(event.sequence): replace(
                metrics_entry(event.body.action_result), timestamp=event.create_time
            )
            for event in _standing(self._tables.session(key))
            if isinstance(event.body, ActionResultRecorded)
            and event.body.action_result.exit_decision is not None
        }
        return page_of(judged, page)

    async def list_feedback(
        self, key: SessionKey, page: Page
    ) -> tuple[list[MonitorFeedbackEntry], str]:
        """Return analyses in the order in which they ended, and the next page's token."""
        return page_of(dict(_feedback(self._tables.session(key))), page)

    async def list_strategies(
        self, key: SessionKey, page: Page
    ) -> tuple[list[StrategyDecision], str]:
        """Return what the strategy engine recommended, oldest first, and the next page's token."""
        decided = {
            str(event.sequence): event.body.strategy_decision
            for event in _standing(self._tables.session(key))
            if isinstance(event.body, StrategyDecided)
        }
        return page_of(decided, page)

    async def last_exit(self, key: SessionKey) -> ExitHistoryEntry | None:
        """Return the newest decision of a turn that was not taken back; None before the first."""
        row = self._tables.session(key)
        kept = {(each.action_instance_id, each.round) for each in row.results}
        found = [each for _, each in _exits(row)]
        return next((e for e in reversed(found) if (e.action_instance_id, e.round) in kept), None)


def keep_snapshots(
    row: SessionRow, left: Sequence[ScopeSnapshot], events: Iterable[SessionEvent]
) -> None:
    """Keep what the scopes held that these events tell of."""
    told = [event for event in events if isinstance(event.body, ScopeLeft)]
    for event, snapshot in zip(told, left, strict=True):
        row.snapshots[event.sequence] = replace(
            snapshot, turn_id=event.turn_id, create_time=event.create_time
        )


def _room(taken: list[VariableOperation], each: VariableOperation, most: int) -> bool:
    """Count the operation; False once there are enough of its name."""
    taken.append(each)
    return len(taken) <= most


def _standing(row: SessionRow) -> Iterator[SessionEvent]:
    """Yield the events but for those of turns that were taken back."""
    return (each for each in row.events if _stands(row, each.turn_id, each.sequence))


def _stands(row: SessionRow, turn_id: str, sequence: int) -> bool:
    """Return whether what a turn told still counts; outside a turn, an end that was not undone."""
    if turn_id:
        return turn_id not in row.taken_back
    return sequence > row.last_rewound


def _operations(row: SessionRow) -> Iterator[tuple[str, VariableOperation]]:
    for event in _standing(row):
        if isinstance(event.body, VariableChanged):
            yield str(event.sequence), event.body.variable_operation


def _exits(row: SessionRow) -> Iterator[tuple[str, ExitHistoryEntry]]:
    for event in _standing(row):
        if isinstance(event.body, ActionResultRecorded):
            result = event.body.action_result
            if result.exit_decision is not None:
                entry = replace(exit_entry(result), timestamp=event.create_time)
                yield str(event.sequence), entry


def _feedback(row: SessionRow) -> Iterator[tuple[str, MonitorFeedbackEntry]]:
    """Yield analyses that ended; those of a turn that was taken back have no request."""
    for event in row.events:
        if not isinstance(event.body, AnalysisEnded):
            continue
        request = row.requests.get((event.body.action_instance_id, event.body.about_round))
        if request is None or request.ended is None:
            continue
        if request.turn.turn_id == event.body.judged_turn_id:
            given = row.advice.get(request.advice_id)
            yield (
                str(event.sequence),
                MonitorFeedbackEntry(
                    action_id=request.result.action_id,
                    action_instance_id=request.result.action_instance_id,
                    action_type=request.result.action_type,
                    round=request.result.round,
                    judged_turn_id=request.turn.turn_id,
                    result=request.ended.outcome,
                    reason=request.ended.reason,
                    analysis=request.ended.analysis,
                    advice=given.advice if given else None,
                    planning=request.planning,
                    planning_reason=request.planning_reason,
                    timestamp=event.create_time,
                ),
            )
