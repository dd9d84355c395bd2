"""The statements that count how the sessions of one version of a script went.

The newest sessions are counted, so that a statement's work has a limit however many there are. All
but the first take the `ids` of the sessions that it found.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, func, select

from heartrule.domain.events import ActionResultRecorded, AdviceChanged, StrategyDecided
from heartrule.domain.monitoring import AdviceState
from session_store.event_drafts import kind_of
from session_store.records import InstanceState
from session_store.sql.database.schema import constant, json_at
from session_store.sql.database.statements import of_one_session
from session_store.sql.database.tables import HAS_FAILED, attempts, events, sessions
from session_store.sql.database.tables_beside import action_instances, advice, model_calls

MOST_SESSIONS = 500
_MOST_ROWS = 20_000

NEWEST = (
    select(
        sessions.c.session_id, sessions.c.status, sessions.c.end_reason, sessions.c.opened,
        sessions.c.position,
    )
    .where(
        sessions.c.tenant == bindparam("at_tenant"),
        sessions.c.script_id == bindparam("at_script"),
        sessions.c.script_version == bindparam("at_version"),
        sessions.c.forked_from_session_id == constant(""),
        sessions.c.deleted.is_(False),
    )
    .order_by(sessions.c.create_time.desc(), sessions.c.session_id.desc())
    .limit(MOST_SESSIONS + 1)
)  # fmt: skip


def _of(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(
        table.c.tenant == bindparam("at_tenant"),
        table.c.session_id.in_(bindparam("ids", expanding=True)),
    )


FAILED = select(func.count(sa.distinct(attempts.c.session_id))).where(_of(attempts), HAS_FAILED)
_PLACE = (
    action_instances.c.phase_id,
    action_instances.c.topic_id,
    action_instances.c.action_id,
    action_instances.c.technique_id,
)
INSTANCES = (
    select(
        *_PLACE,
        func.max(action_instances.c.action_type).label("action_type"),
        action_instances.c.state,
        func.count().label("number"),
        func.count(sa.distinct(action_instances.c.session_id)).label("sessions"),
    )
    .where(_of(action_instances), action_instances.c.state != constant(InstanceState.PENDING))
    .group_by(*_PLACE, action_instances.c.state)
)
REACHED = (
    select(*_PLACE, func.count(sa.distinct(action_instances.c.session_id)).label("sessions"))
    .where(
        _of(action_instances),
        action_instances.c.state.in_(
            [constant(InstanceState.RUNNING), constant(InstanceState.COMPLETED)]
        ),
    )
    .group_by(*_PLACE)
)
_IS_RESULT = sa.and_(
    _of(events), events.c.kind == constant(kind_of(ActionResultRecorded)), events.c.listed
)
_REASON = json_at(events.c.body, constant("action_result.exit_reason")).label("reason")
_ENDS = json_at(events.c.body, constant("action_result.completed")).label("ends")
ROUNDS = (
    select(*_PLACE, _REASON, _ENDS, func.count().label("number"))
    .select_from(
        events.join(
            action_instances,
            sa.and_(
                of_one_session(action_instances, events),
                action_instances.c.action_instance_id == events.c.subject,
            ),
        )
    )
    .where(_IS_RESULT)
    .group_by(*_PLACE, sa.text("reason"), sa.text("ends"))
)
ADVICE = (
    select(*_PLACE, advice.c.state, func.count().label("number"))
    .select_from(
        advice.join(
            action_instances,
            sa.and_(
                of_one_session(action_instances, advice),
                action_instances.c.action_instance_id == advice.c.action_instance_id,
            ),
        )
    )
    .where(_of(advice))
    .group_by(*_PLACE, advice.c.state)
)
CONSUMED = (
    select(
        events.c.session_id,
        events.c.turn_id,
        events.c.sequence,
        advice.c.action_instance_id,
        json_at(advice.c.advice, constant("analysis.strategy_suggestion")).label("suggestion"),
    )
    .select_from(
        events.join(
            advice,
            sa.and_(
                of_one_session(advice, events),
                advice.c.advice_id == json_at(events.c.body, constant("advice_id")),
            ),
        )
    )
    .where(
        _of(events),
        events.c.kind == constant(kind_of(AdviceChanged)),
        json_at(events.c.body, constant("state")) == constant(AdviceState.CONSUMED),
    )
    .limit(_MOST_ROWS)
)
RECOMMENDED = (
    select(
        events.c.session_id,
        events.c.turn_id,
        events.c.sequence,
        json_at(events.c.body, constant("strategy_decision.action_instance_id")).label(
            "action_instance_id"
        ),
    )
    .where(_of(events), events.c.kind == constant(kind_of(StrategyDecided)), events.c.listed)
    .limit(_MOST_ROWS)
)
JUDGED = (
    select(
        events.c.session_id,
        events.c.turn_id,
        events.c.sequence,
        events.c.subject.label("action_instance_id"),
        json_at(events.c.body, constant("action_result.progress_suggestion")).label("progress"),
    )
    .where(_IS_RESULT)
    .order_by(events.c.session_id, events.c.sequence)
    .limit(_MOST_ROWS)
)
_MODEL = (model_calls.c.purpose, model_calls.c.provider, model_calls.c.model)
MODELS = (
    select(
        *_MODEL,
        func.count().label("calls"),
        func.sum(sa.case((model_calls.c.error != constant(""), 1), else_=0)).label("failed"),
        func.sum(model_calls.c.prompt_tokens).label("prompt_tokens"),
        func.sum(model_calls.c.completion_tokens).label("completion_tokens"),
    )
    .where(_of(model_calls))
    .group_by(*_MODEL)
    .order_by(*_MODEL)
)
