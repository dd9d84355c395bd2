"""Monitor requests: the judged round names the rows they are made of (ARCHITECTURE 4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.conversation import Message, Role
from heartrule.domain.events import ActionResultRecorded
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ClientReply, DialogueLine, RoundMetrics
from heartrule.domain.position import ExecutionPosition
from session_store.codec import load
from session_store.event_drafts import kind_of
from session_store.records import MonitorTicket, MonitorWork, StepCommit
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant, database_now
from session_store.sql.database.statements import Found, Values, at, insert_new, of
from session_store.sql.database.tables import IS_INPUT, attempts, events
from session_store.sql.database.tables import messages as messages_table
from session_store.sql.database.tables_beside import IS_OPEN, monitor_requests
from session_store.sql.sessions import messages, sessions, variables
from session_store.sql.sessions.rows import key_of, message_of, spoken_of
from session_store.sql.sessions.sessions import FREE
from session_store.sql.turns import plans
from session_store.sql.turns.attempts import AttemptState
from session_store.turn_rules import (
    DEFAULT_TTL_TURNS,
    MAX_MONITOR_ATTEMPTS,
    MAX_REPLIES,
    MAX_TREND,
    judged_position,
)

_NOW = Prepared(select(database_now()))
_INSERT = Prepared(insert_new(monitor_requests))
_INSERT_NEW = Prepared(insert_new(monitor_requests).returning(monitor_requests.c.round))
# The request that `named` names.
IT = sa.and_(
    of(monitor_requests),
    monitor_requests.c.action_instance_id == bindparam("at_instance"),
    monitor_requests.c.round == bindparam("at_round"),
)
_OPEN = Prepared(select(monitor_requests).where(IT, IS_OPEN))
_UPDATE = Prepared(monitor_requests.update().where(IT))
_OF_TURN = bindparam("of_turn", type_=sa.Text)
# It, while it is open and judges the turn `of_turn`; empty: whichever.
ASKED = sa.and_(
    IT, IS_OPEN, sa.or_(constant("") == _OF_TURN, monitor_requests.c.turn_id == _OF_TURN)
)
_END = Prepared(monitor_requests.update().where(ASKED).returning(monitor_requests))
_CLAIM = Prepared(
    monitor_requests.update()
    .where(
        IT,
        IS_OPEN,
        monitor_requests.c.claims < MAX_MONITOR_ATTEMPTS,
        monitor_requests.c.lease_until <= bindparam("at_now"),
    )
    .values(
        claims=monitor_requests.c.claims + 1,
        lease_owner=bindparam("to_owner"),
        lease_until=bindparam("to_until"),
    )
    .returning(monitor_requests)
)
_DUE = Prepared(
    select(monitor_requests)
    .where(IS_OPEN, monitor_requests.c.lease_until <= bindparam("at_now"))
    .order_by(monitor_requests.c.lease_until)
    .limit(bindparam("most"))
)
_RESULT = Prepared(
    select(events.c.body).where(of(events), events.c.sequence == bindparam("at_sequence"))
)
# The instance's results before one; those of turns that were taken back have no subject.
_BEFORE = sa.and_(
    of(events),
    events.c.subject == bindparam("at_instance"),
    events.c.subject != constant(""),  # so that the partial index is found
    events.c.sequence < bindparam("at_sequence"),
    events.c.kind == kind_of(ActionResultRecorded),
)
_EARLIER = Prepared(
    select(events.c.body)
    .where(_BEFORE)
    .order_by(events.c.sequence.desc())
    .limit(MAX_TREND + 2)  # one without metrics may be among them
)
# A result whose turn failed has no reply in it; more of them than these would be a long outage.
_RESULTS = (
    select(events)
    .where(_BEFORE, events.c.listed)
    .order_by(events.c.sequence.desc())
    .limit(2 * MAX_REPLIES)
    .subquery("results")
)
_JUDGED_IN = sa.and_(
    attempts.c.tenant == _RESULTS.c.tenant,
    attempts.c.session_id == _RESULTS.c.session_id,
    attempts.c.turn_id == _RESULTS.c.turn_id,
    attempts.c.state == AttemptState.COMPLETED.value,
)
_SAID_IN = sa.and_(
    messages_table.c.tenant == attempts.c.tenant,
    messages_table.c.session_id == attempts.c.session_id,
    messages_table.c.turn_no == attempts.c.turn_no,
    IS_INPUT,
    messages_table.c.sequence < _RESULTS.c.sequence,  # a resumed turn has later ones, unjudged
)
_REPLIES = Prepared(
    select(_RESULTS.c.body, messages_table.c.parts)
    .select_from(_RESULTS.join(attempts, _JUDGED_IN).join(messages_table, _SAID_IN))
    .order_by(_RESULTS.c.sequence.desc(), messages_table.c.sequence.desc())
    .limit(MAX_REPLIES)
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A round that was judged, as its step leaves it."""

    step: StepCommit
    result: ActionResult
    before: ExecutionPosition
    turn_no: int
    said: tuple[Message, ...]


def request_of(name: Values, judged: Judged, *, now: datetime) -> Values:
    """Return the row that asks for the analysis of a round, claimed where the step says by whom."""
    instance = judged.result.action_instance_id
    place = judged_position(instance, before=judged.before, after=judged.step.position)
    owner = judged.step.monitor_owner
    return dict(name) | {
        "action_instance_id": instance,
        "round": judged.result.round,
        "turn_no": judged.turn_no,
        "phase_id": place.phase_id,
        "topic_id": place.topic_id,
        "technique_id": place.technique_id,
        "max_rounds": place.max_rounds,
        "answer_from": judged.said[0].sequence if judged.said else 0,
        "answer_to": judged.said[-1].sequence if judged.said else 0,
        "traceparent": judged.step.traceparent,
        "failures": 0,
        "claims": 1 if owner else 0,
        "lease_owner": owner,
        "lease_until": now + judged.step.monitor_ttl if owner else FREE,
        "outcome": "",
        "reason": "",
        "advice_id": "",
        "analysis": None,
        "planning": "",
        "planning_reason": "",
        "planning_claims": 0,
    }


def store_request(db: sa.Connection, request: Values) -> None:
    """Ask for an analysis; asked before, it stays as it is."""
    _INSERT.run(db, request)


def store_new_request(db: sa.Connection, request: Values) -> bool:
    """Ask for an analysis; False where it was asked for before."""
    return _INSERT_NEW.row(db, request) is not None


def open_request(db: sa.Connection, ticket: MonitorTicket) -> Found | None:
    """Return the request's row unless it is done."""
    return _OPEN.row(db, named(ticket))


def update(db: sa.Connection, ticket: MonitorTicket, values: Values) -> None:
    """Write columns of a request."""
    _UPDATE.run(db, named(ticket) | dict(values))


def ticket_of(request: Found) -> MonitorTicket:
    """Return the ticket that names a request."""
    return MonitorTicket(
        key=key_of(request), action_instance_id=request.action_instance_id, round=request.round
    )


def end(db: sa.Connection, ticket: MonitorTicket, values: Values, *, of_turn: str) -> Found | None:
    """Write columns of a request that is open, and return its row; None where it is done.

    None, too, where another turn than `of_turn` was judged; empty: whichever it was.
    """
    return _END.row(db, named(ticket) | dict(values) | {"of_turn": of_turn})


def claim_monitor_request(
    db: sa.Connection, ticket: MonitorTicket, *, owner: str, ttl: timedelta
) -> MonitorWork | None:
    """Claim one request; None when it is done, claimed elsewhere, pausing, or exhausted."""
    now = _NOW.scalar(db, {})
    claim = {"at_now": now, "to_owner": owner, "to_until": now + ttl}
    row = _CLAIM.row(db, named(ticket) | claim)
    if row is None:
        return None
    session = sessions.read(db, ticket.key)
    return work_of(db, ticket.key, session, row, attempt=row.failures + row.claims)


def due_monitor_requests(db: sa.Connection, limit: int) -> tuple[MonitorTicket, ...]:
    """Return requests that are free; after two claims that died in a row, as `exhausted`."""
    due = {"at_now": _NOW.scalar(db, {}), "most": limit}
    return tuple(
        replace(ticket_of(row), exhausted=row.claims >= MAX_MONITOR_ATTEMPTS)
        for row in _DUE.rows(db, due)
    )


def named(ticket: MonitorTicket) -> dict[str, object]:
    """Return the parameters that name a request."""
    return at(ticket.key) | {"at_instance": ticket.action_instance_id, "at_round": ticket.round}


def work_of(
    db: sa.Connection, key: SessionKey, session: Found, row: Found, *, attempt: int
) -> MonitorWork:
    """Return the work on a claimed request with the rows it names; `session` is the session's."""
    ticket = MonitorTicket(key=key, action_instance_id=row.action_instance_id, round=row.round)
    judged = named(ticket) | {"at_sequence": row.judged_seq}
    result, earlier = _RESULT.ask(db, judged), _EARLIER.ask(db, judged)
    replies = _REPLIES.ask(db, judged) if row.round > 1 else None
    question = messages.ask_question(db, key, row.turn_no)
    said = messages.ask_turn(db, key, row.turn_no)
    found = result_in(result.rows()[0].body)
    return MonitorWork(
        ticket=ticket,
        attempt=attempt,
        script_id=session.script_id,
        script_version=session.script_version,
        phase_id=row.phase_id,
        topic_id=row.topic_id,
        technique_id=row.technique_id,
        definition=plans.definition_of(db, ticket.key, row) if session.plan_revision else {},
        turn_id=row.turn_id,
        max_rounds=row.max_rounds,
        result=found,
        trend=_trend(earlier.rows()),
        dialogue=tuple(_dialogue(row, question.rows(), said.rows())),
        earlier_replies=_replies(replies.rows()) if replies else (),
        traceparent=row.traceparent,
        stale=session.next_turn - 1 - row.turn_no > DEFAULT_TTL_TURNS,
        usable=attempt == 1 or plans.is_usable(db, session, row, found),
        replacements=variables.replacements(db, ticket.key) if session.replaced else (),
        tokens_spent=session.monitor_tokens,
    )


def result_in(body: str) -> ActionResult:
    """Return the result that the body of its event holds."""
    return load(ActionResultRecorded, body).action_result


def _trend(newest_first: Sequence[Found]) -> tuple[RoundMetrics, ...]:
    """Return the metrics of the instance's rounds before the judged one, oldest first."""
    results = [result_in(row.body) for row in newest_first]
    measured = [
        RoundMetrics(
            round=each.round,
            metrics=each.metrics,
            progress_suggestion=each.progress_suggestion or ProgressSuggestion.CONTINUE_NEEDED,
        )
        for each in results
        if each.metrics is not None
    ]
    return tuple(reversed(measured[:MAX_TREND]))


def _replies(newest_first: Sequence[Found]) -> tuple[ClientReply, ...]:
    """Return what the client said in the instance's judged rounds before, oldest first."""
    return tuple(
        ClientReply(round=result_in(row.body).round, text=spoken_of(row))
        for row in newest_first[::-1]
    )


def _dialogue(
    request: Found, question: Sequence[Found], said: Sequence[Found]
) -> list[DialogueLine]:
    """Return the question, the client's words that were judged, and the answer given."""
    lines = list(map(message_of, question))
    for row in said:
        answer = request.answer_from <= row.sequence <= request.answer_to
        judged = row.client_message_id and row.sequence < request.judged_seq
        if judged or (answer and row.role == Role.ASSISTANT):
            lines.append(message_of(row))
    return [DialogueLine(role=each.role, text=each.plain_text()) for each in lines]
