"""Histories: variable operations, scope snapshots, exit decisions; paged by events.

An event's number orders them, names the page, and gives the time; the rows themselves have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Table, bindparam, cast, func, select

from heartrule.domain.action_result import ActionResult
from heartrule.domain.events import SessionEvent, StrategyDecided, VariableChanged
from heartrule.domain.exits import ExitHistoryEntry
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ActionMetricsEntry
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import ScopeSnapshot, VariableOperation, VariableScope
from session_store.codec import dump, load
from session_store.event_drafts import EventKind
from session_store.history_rules import exit_entry, metrics_entry
from session_store.records import Page
from session_store.sql import sessions
from session_store.sql.paging import Wanted, number_of, page_of
from session_store.sql.prepared import Prepared
from session_store.sql.schema import constant
from session_store.sql.statements import Found, at, of
from session_store.sql.tables import (
    action_results,
    events,
    scope_snapshots,
    skipped_steps,
    variable_operations,
)
from session_store.sql.tables_going_back import rewindings
from session_store.sql.tables_mind import strategy_decisions

_INSERT_OPERATIONS = Prepared(variable_operations.insert())
_INSERT_DECISION = Prepared(strategy_decisions.insert())
_INSERT_SKIPS = Prepared(skipped_steps.insert())
_INSERT_SNAPSHOTS = Prepared(scope_snapshots.insert())


def _told(kind: EventKind, table: Table, *, placed: bool) -> sa.Select[Any]:
    """Return the select of a kind's events with the rows they name, oldest first.

    What a turn told that was taken back is no part of it.
    """
    row = table.c.turn_id + "/" + cast(table.c.step_no, sa.Text)
    name = row + "/" + cast(table.c.place, sa.Text) if placed else row
    same = sa.and_(
        table.c.tenant == events.c.tenant,
        table.c.session_id == events.c.session_id,
        table.c.turn_id == events.c.turn_id,
        name == events.c.reference,
    )
    gone = select(rewindings.c.turn_id).where(
        rewindings.c.tenant == events.c.tenant,
        rewindings.c.session_id == events.c.session_id,
        sa.or_(
            rewindings.c.turn_id == events.c.turn_id,
            # Outside a turn a session was ended by time; a turn taken back later undid it.
            sa.and_(events.c.turn_id == constant(""), rewindings.c.sequence > events.c.sequence),
        ),
    )
    columns = [each for each in table.columns if each.name not in events.c]
    return (
        select(events.c.sequence, events.c.turn_id, events.c.create_time, *columns)
        .join(table, same)
        .where(of(events), events.c.kind == kind.value, sa.not_(sa.exists(gone)))
        .order_by(events.c.sequence)
    )


_OPERATIONS = _told(EventKind.VARIABLE_CHANGED, variable_operations, placed=True)
_SNAPSHOTS = _told(EventKind.SCOPE_LEFT, scope_snapshots, placed=True)
_EXITS = _told(EventKind.ACTION_RESULT_RECORDED, action_results, placed=False).where(
    action_results.c.decided
)
_STRATEGIES = _told(EventKind.STRATEGY_DECIDED, strategy_decisions, placed=False)
# A turn that was taken back leaves its results without an instance (ADR 25).
_LAST_EXIT = (
    _EXITS.where(action_results.c.action_instance_id != "")
    .order_by(None)
    .order_by(events.c.sequence.desc())
    .limit(1)
)
_FROM = events.c.sequence >= bindparam("from_sequence")
_OF_NAMES = _OPERATIONS.where(variable_operations.c.name.in_(bindparam("names", expanding=True)))
_BACK = func.row_number().over(
    partition_by=variable_operations.c.name, order_by=events.c.sequence.desc()
)
_NEWEST = _OF_NAMES.add_columns(_BACK.label("back")).order_by(None).subquery()
_NEWEST_OF_NAMES = (
    select(_NEWEST.c.operation)
    .where(_NEWEST.c.back <= bindparam("most"))
    .order_by(_NEWEST.c.sequence.desc())
)


def store_operations(
    db: sa.Connection, name: dict[str, object], told: Iterable[SessionEvent]
) -> None:
    """Write the operations a step told; `name` has the first columns of its rows."""
    written = [each.body for each in told if isinstance(each.body, VariableChanged)]
    rows = [
        name
        | {
            "place": place,
            "name": body.variable_operation.variable_name,
            "operation": dump(body.variable_operation),
        }
        for place, body in enumerate(written)
    ]
    _INSERT_OPERATIONS.run_each(db, rows)


def store_strategy(
    db: sa.Connection, name: dict[str, object], told: Iterable[SessionEvent]
) -> None:
    """Write the recommendation a step told."""
    for each in told:
        if isinstance(each.body, StrategyDecided):
            _INSERT_DECISION.run(db, name | {"decision": dump(each.body.strategy_decision)})


def store_skips(db: sa.Connection, name: dict[str, object], skipped: Sequence[StepSkipped]) -> None:
    """Write what conditions passed over in a step."""
    rows = [name | {"place": at, "skipped": dump(each)} for at, each in enumerate(skipped)]
    _INSERT_SKIPS.run_each(db, rows)


def store_snapshots(
    db: sa.Connection, name: dict[str, object], left: Sequence[ScopeSnapshot]
) -> None:
    """Write what the scopes a step left held."""
    rows = [
        name
        | {
            "place": place,
            "scope": each.scope.value,
            "scope_id": each.scope_id,
            "variables": dump(each.variables),
        }
        for place, each in enumerate(left)
    ]
    _INSERT_SNAPSHOTS.run_each(db, rows)


def operations(
    db: sa.Connection, key: SessionKey, page: Page
) -> tuple[list[VariableOperation], str]:
    """Return variable operations, oldest first, and the next page's token."""
    rows, token = _page(db, _OPERATIONS, key, page)
    return [load(VariableOperation, row.operation) for row in rows], token


def operations_of(
    db: sa.Connection, key: SessionKey, names: Sequence[str], most: int
) -> tuple[VariableOperation, ...]:
    """Return the latest operations on each of the names, `most` of each, newest first."""
    sessions.read(db, key)
    wanted = at(key) | {"names": list(names), "most": most}
    rows = db.execute(_NEWEST_OF_NAMES, wanted).all()
    return tuple(load(VariableOperation, row.operation) for row in rows)


def snapshots(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[ScopeSnapshot], str]:
    """Return scope snapshots, oldest first, and the next page's token."""
    rows, token = _page(db, _SNAPSHOTS, key, page)
    return [_snapshot_of(row) for row in rows], token


def strategies(
    db: sa.Connection, key: SessionKey, page: Page
) -> tuple[list[StrategyDecision], str]:
    """Return recommendations, oldest first, and the next page's token."""
    rows, token = _page(db, _STRATEGIES, key, page)
    return [load(StrategyDecision, row.decision) for row in rows], token


def exits(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[ExitHistoryEntry], str]:
    """Return exit decisions, oldest first, and the next page's token."""
    rows, token = _page(db, _EXITS, key, page)
    return [_exit_of(row) for row in rows], token


def metrics(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[ActionMetricsEntry], str]:
    """Return what judged rounds said, oldest first, and the next page's token."""
    rows, token = _page(db, _EXITS, key, page)
    entries = [metrics_entry(load(ActionResult, row.result)) for row in rows]
    timed = zip(entries, rows, strict=True)
    return [replace(entry, timestamp=row.create_time) for entry, row in timed], token


def last_exit(db: sa.Connection, key: SessionKey) -> ExitHistoryEntry | None:
    """Return the newest decision of a turn that was not taken back; None before the first."""
    sessions.read(db, key)
    row = db.execute(_LAST_EXIT, at(key)).first()
    return None if row is None else _exit_of(row)


def _page(
    db: sa.Connection, statement: sa.Select[Any], key: SessionKey, page: Page
) -> tuple[Sequence[Found], str]:
    sessions.read(db, key)
    wanted = Wanted(statement, at(key))
    if page.token:
        wanted = wanted.starting(_FROM, from_sequence=number_of(page.token))
    return page_of(db, wanted, page, name=lambda row: str(row.sequence))


def _snapshot_of(row: Found) -> ScopeSnapshot:
    return ScopeSnapshot(
        scope=VariableScope(row.scope),
        scope_id=row.scope_id,
        variables=load(dict, row.variables),
        turn_id=row.turn_id,
        create_time=row.create_time,
    )


def _exit_of(row: Found) -> ExitHistoryEntry:
    return replace(exit_entry(load(ActionResult, row.result)), timestamp=row.create_time)
