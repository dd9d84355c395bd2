"""The work on a claimed request: the judged round names the rows it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.events import ActionResultRecorded
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ClientReply, RoundMetrics
from session_store.codec import load
from session_store.event_drafts import kind_of
from session_store.records import MonitorTicket, MonitorWork
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, of, of_one_session
from session_store.sql.database.tables import HAS_SUBJECT, IS_INPUT, attempts, events
from session_store.sql.database.tables import messages as messages_table
from session_store.sql.database.tables_beside import monitor_requests
from session_store.sql.monitor.requests import named
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import messages, variables
from session_store.sql.sessions.rows import lines_of, plain_text_of
from session_store.sql.turns import plans
from session_store.sql.turns.attempts import AttemptState
from session_store.turn_rules import DEFAULT_TTL_TURNS, MAX_REPLIES, MAX_TREND

_OF_REQUEST = RowsOf(MonitorWork, monitor_requests)
_RESULT = Prepared(
    select(events.c.body).where(of(events), events.c.sequence == bindparam("at_sequence"))
)
# The instance's results before one; those of turns that were taken back have no subject.
_BEFORE = sa.and_(
    of(events),
    events.c.subject == bindparam("at_instance"),
    HAS_SUBJECT,
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
    select(events.c.tenant, events.c.session_id, events.c.turn_id, events.c.sequence, events.c.body)
    .where(_BEFORE, events.c.listed)
    .order_by(events.c.sequence.desc())
    .limit(2 * MAX_REPLIES)
    .subquery("results")
)
_JUDGED_IN = sa.and_(
    of_one_session(attempts, _RESULTS),
    attempts.c.turn_id == _RESULTS.c.turn_id,
    attempts.c.state == AttemptState.COMPLETED.value,
)
_SAID_IN = sa.and_(
    of_one_session(messages_table, attempts),
    messages_table.c.turn_no == attempts.c.turn_no,
    IS_INPUT,
    # A resumed turn has later ones, unjudged. A difference, since SQLite would search by sequence
    # otherwise, and read every message of the session for each result.
    _RESULTS.c.sequence - messages_table.c.sequence > 0,
)
_REPLIES = Prepared(
    select(_RESULTS.c.body, messages_table.c.parts)
    .select_from(_RESULTS.join(attempts, _JUDGED_IN).join(messages_table, _SAID_IN))
    .order_by(_RESULTS.c.sequence.desc(), messages_table.c.sequence.desc())
    .limit(MAX_REPLIES)
)


def work_of(
    db: sa.Connection, key: SessionKey, session: Found, row: Found, *, attempt: int
) -> MonitorWork:
    """Return the work on a claimed request with the rows it names; `session` is the session's."""
    ticket = MonitorTicket(key=key, action_instance_id=row.action_instance_id, round=row.round)
    judged = named(ticket) | {"at_sequence": row.judged_seq}
    result, earlier = _RESULT.ask(db, judged), _EARLIER.ask(db, judged)
    replies = _REPLIES.ask(db, judged) if row.round > 1 else None
    before = messages.ask_before(db, key, row.turn_no)
    of_turn = messages.ask_turn(db, key, row.turn_no)
    gathered = variables.ask_visible(db, variables.VariableOwner(key, session.user_id))
    found = result_in(result.rows()[0].body)
    said = [each for each in of_turn.rows() if not each.replaces]
    asked, question = _question(before.rows())
    return _OF_REQUEST.value(
        row,
        ticket=ticket,
        attempt=attempt,
        script_id=session.script_id,
        script_version=session.script_version,
        definition=plans.definition_of(db, ticket.key, row) if session.plan_revision else {},
        result=found,
        trend=_trend([result_in(each.body) for each in earlier.rows()]),
        dialogue_before=lines_of(asked),
        dialogue=lines_of([*question, *_of_turn(row, messages.standing(db, key, said))]),
        gathered=tuple(each for each in gathered() if each.support is not None),
        earlier_replies=_replies(replies.rows()) if replies else (),
        stale=session.next_turn - 1 - row.turn_no > DEFAULT_TTL_TURNS,
        usable=attempt == 1 or plans.is_usable(db, session, row, found),
        replacements=variables.replacements(db, ticket.key) if session.replaced else (),
        tokens_spent=session.monitor_tokens,
        language=session.language or session.locale,
    )


def result_in(body: str) -> ActionResult:
    """Return the result that the body of its event holds."""
    return load(ActionResultRecorded, body).action_result


def _trend(results: Sequence[ActionResult]) -> tuple[RoundMetrics, ...]:
    """Return the metrics of the instance's rounds before the judged one, oldest first."""
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
    """Return the client's replies in the instance's judged rounds before, oldest first."""
    return tuple(
        ClientReply(round=result_in(row.body).round, text=plain_text_of(row))
        for row in newest_first[::-1]
    )


def _question(newest_first: Sequence[Found]) -> tuple[Sequence[Found], Sequence[Found]]:
    """Return what was said before the assistant's last message, and that message, if any."""
    said = newest_first[::-1]
    asked = [i for i, row in enumerate(said) if row.role == Role.ASSISTANT]
    return (said[: asked[-1]], said[asked[-1] : asked[-1] + 1]) if asked else ((), ())


def _of_turn(request: Found, of_turn: Sequence[Found]) -> Iterator[Found]:
    """Yield the client's messages that were judged, and the answer."""
    for row in of_turn:
        answer = request.answer_from <= row.sequence <= request.answer_to
        judged = row.client_message_id and row.sequence < request.judged_seq
        if judged or (answer and row.role == Role.ASSISTANT):
            yield row
