"""What the monitor owes, asked for and claimed: analyses, and plans to be made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import Message
from heartrule.domain.events import ActionResultRecorded, SessionEvent
from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.domain.position import ExecutionPosition
from session_store.codec import load
from session_store.records import MonitorTicket, MonitorWork, PlanningWork, StepCommit
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.schema import blank
from session_store.sql.database.statements import Found, copied, insert_new, owned
from session_store.sql.database.tables_beside import IS_OPEN, IS_OWED, monitor_requests
from session_store.sql.monitor.analysis_work import work_of
from session_store.sql.monitor.requests import IT, named
from session_store.sql.sessions import sessions
from session_store.sql.sessions.rows import key_of
from session_store.sql.sessions.sessions import FREE, Locked
from session_store.turn_rules import MAX_MONITOR_ATTEMPTS, judged_position

_NOTHING = blank(monitor_requests)
_INSERT = Prepared(insert_new(monitor_requests))
_INSERT_NEW = Prepared(insert_new(monitor_requests).returning(monitor_requests.c.round))


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A step whose result is to be analysed."""

    locked: Locked
    """The session before the step."""
    left: Found
    """The session's row after it."""
    turn_no: int
    commit: StepCommit
    events: Sequence[SessionEvent]
    """What the step emitted."""
    messages: Sequence[Message]


def ask(db: sa.Connection, judged: JudgedStep) -> MonitorWork | None:
    """Ask for the analysis of a step's result; asked before, the request stays as it is.

    Returns the work where the step claims it; None where it was asked for before.
    """
    request = _request_of(judged)
    if not judged.commit.monitor_owner:
        _INSERT.run(db, request)
    elif _INSERT_NEW.row(db, request) is not None:
        row = SimpleNamespace(**request)
        return work_of(db, judged.locked.key, judged.left, row, attempt=1)
    return None


def _request_of(judged: JudgedStep) -> dict[str, object]:
    """Return the row that asks for an analysis, claimed where the step names an owner."""
    locked, commit, messages = judged.locked, judged.commit, judged.messages
    sequence, result = next(
        (each.sequence, each.body.action_result)
        for each in judged.events
        if isinstance(each.body, ActionResultRecorded)
    )
    before = load(ExecutionPosition, locked.row.position)
    instance, owner = result.action_instance_id, commit.monitor_owner
    place = judged_position(instance, before=before, after=commit.position)
    return {
        **owned(locked.key),
        **_NOTHING,
        "action_instance_id": instance,
        "round": result.round,
        "turn_id": commit.turn_id,
        "judged_seq": sequence,
        "turn_no": judged.turn_no,
        **copied(place, ("phase_id", "topic_id", "technique_id", "max_rounds")),
        "answer_from": messages[0].sequence if messages else 0,
        "answer_to": messages[-1].sequence if messages else 0,
        "traceparent": commit.traceparent,
        "claims": 1 if owner else 0,
        "lease_owner": owner,
        "lease_until": locked.now + commit.monitor_ttl if owner else FREE,
    }


class _Queue:
    """Requests that meet a condition, each with one owner at a time."""

    def __init__(self, condition: sa.ColumnElement[bool], claims: sa.Column[int]) -> None:
        """Prepare the statements.

        Args:
            condition: One that has an index over the rows that meet it.
            claims: Counts the claims since the last attempt that failed.
        """
        self._claims = claims.name
        # A pause after a failure is a lease without an owner, so one condition covers both.
        free = (condition, monitor_requests.c.lease_until <= bindparam("at_now"))
        self._claim = Prepared(
            monitor_requests.update()
            .where(IT, *free, claims < MAX_MONITOR_ATTEMPTS)
            .values(
                {
                    claims: claims + 1,
                    "lease_owner": bindparam("to_owner"),
                    "lease_until": bindparam("to_until"),
                }
            )
            .returning(monitor_requests)
        )
        self._due = Prepared(
            select(monitor_requests)
            .where(*free)
            .order_by(monitor_requests.c.lease_until)
            .limit(bindparam("most"))
        )

    def due(self, db: sa.Connection, limit: int) -> tuple[MonitorTicket, ...]:
        """Return requests without a lease; after two claims that died in a row, as `exhausted`."""
        rows = self._due.rows(db, {"at_now": now_of(db), "most": limit})
        return tuple(
            MonitorTicket(
                key=key_of(row),
                action_instance_id=row.action_instance_id,
                round=row.round,
                exhausted=self._counted(row) >= MAX_MONITOR_ATTEMPTS,
            )
            for row in rows
        )

    def claim(
        self, db: sa.Connection, ticket: MonitorTicket, owner: str, ttl: timedelta
    ) -> tuple[Found, MonitorWork] | None:
        """Claim one and return it with its work; None where it is not free, or exhausted."""
        now = now_of(db)
        claim = {"at_now": now, "to_owner": owner, "to_until": now + ttl}
        row = self._claim.row(db, named(ticket) | claim)
        if row is None:
            return None
        session = sessions.read(db, ticket.key)
        attempt = row.failures + self._counted(row)
        return row, work_of(db, ticket.key, session, row, attempt=attempt)

    def _counted(self, row: Found) -> int:
        return int(getattr(row, self._claims))


# Requests whose analysis is to be made.
ANALYSES = _Queue(IS_OPEN, monitor_requests.c.claims)
# Requests to which a plan is owed.
PLANS = _Queue(IS_OWED, monitor_requests.c.planning_claims)


def claim_analysis(
    db: sa.Connection, ticket: MonitorTicket, *, owner: str, ttl: timedelta
) -> MonitorWork | None:
    """Claim one request; None when it is done, claimed elsewhere, pausing, or exhausted."""
    claimed = ANALYSES.claim(db, ticket, owner, ttl)
    return claimed[1] if claimed else None


def claim_plan(
    db: sa.Connection, ticket: MonitorTicket, *, owner: str, ttl: timedelta
) -> PlanningWork | None:
    """Claim a plan that is owed; None when it is not, is held, pauses, or is exhausted."""
    claimed = PLANS.claim(db, ticket, owner, ttl)
    if claimed is None:
        return None
    row, judged = claimed
    analysis = load(MonitorAnalysis, row.analysis)
    return PlanningWork(judged=judged, analysis=analysis, advice_id=row.advice_id)
