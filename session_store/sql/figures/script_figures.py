"""How the sessions of one version of a script went: counted by the database, without any text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import sqlalchemy as sa

from heartrule.domain.exits import ExitReason
from heartrule.domain.figures import (
    ActionFigures,
    AdviceCount,
    ExitCount,
    ModelFigures,
    ScriptFigures,
    StrategyFigures,
)
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.position import EndReason, ExecutionPosition
from session_store.codec import load
from session_store.records import InstanceState
from session_store.sql.database.statements import Found, Values, copied
from session_store.sql.figures import figure_statements as statements
from session_store.sql.figures.strategy_uses import JudgedRound, UsedStrategy, strategy_figures
from session_store.sql.sessions.scripts import load_script

# What a round and a strategy that was used in it have in common.
_OF_ROUND = ("session_id", "action_instance_id", "turn_id", "sequence")


def script_figures(
    db: sa.Connection, tenant: str, script_id: str, version: str = ""
) -> ScriptFigures:
    """Return how the sessions of a version, or of the newest, went; NotFound otherwise."""
    script = load_script(db, tenant, script_id, version)
    name = {"at_tenant": tenant, "at_script": script_id, "at_version": script.version}
    found = db.execute(statements.NEWEST, name).all()
    counted = found[: statements.MOST_SESSIONS]
    values = {"at_tenant": tenant, "ids": [row.session_id for row in counted]}
    ends = Counter(row.end_reason for row in counted)
    return ScriptFigures(
        script_id=script_id,
        script_version=script.version,
        sessions=len(counted),
        has_more=len(found) > len(counted),
        started=sum(bool(row.opened) for row in counted),
        finished=ends[EndReason.SCRIPT_END],
        idle=ends[EndReason.IDLE_TIMEOUT],
        failed=db.execute(statements.FAILED, values).scalar_one() if counted else 0,
        actions=_actions(db, values, counted) if counted else (),
        strategies=_strategies(db, values) if counted else (),
        models=_models(db, values) if counted else (),
    )


_Place: TypeAlias = "tuple[str, str, str, str]"


@dataclass(slots=True)
class _Told:
    """What is counted of one action."""

    action_type: str = ""
    sessions: int = 0
    rounds: int = 0
    stopped: int = 0
    states: Counter[str] = field(default_factory=Counter)
    exits: Counter[str] = field(default_factory=Counter)
    advice: Counter[str] = field(default_factory=Counter)


def _actions(
    db: sa.Connection, values: Values, counted: Sequence[Found]
) -> tuple[ActionFigures, ...]:
    told: Mapping[_Place, _Told] = defaultdict(_Told)
    for row in db.execute(statements.INSTANCES, values):
        figures = told[_place(row)]
        figures.action_type = row.action_type
        figures.states[row.state] += row.number
    for row in db.execute(statements.REACHED, values):
        told[_place(row)].sessions = row.sessions
    for row in db.execute(statements.ROUNDS, values):
        figures = told[_place(row)]
        figures.rounds += row.number
        if row.reason and str(row.ends) in {"1", "true"}:
            figures.exits[row.reason] += row.number
    for row in db.execute(statements.ADVICE, values):
        told[_place(row)].advice[row.state] += row.number
    for row in counted:
        position = load(ExecutionPosition, row.position)
        if row.end_reason != EndReason.SCRIPT_END and position.action_id:
            told[_place(position)].stopped += 1
    return tuple(_figures(place, told[place]) for place in sorted(told))


def _place(row: Found) -> _Place:
    return row.phase_id, row.topic_id, row.action_id, row.technique_id


def _figures(place: _Place, told: _Told) -> ActionFigures:
    phase_id, topic_id, action_id, technique_id = place
    completed = told.states[InstanceState.COMPLETED]
    return ActionFigures(
        phase_id=phase_id,
        topic_id=topic_id,
        action_id=action_id,
        technique_id=technique_id,
        action_type=told.action_type,
        sessions=told.sessions,
        begun=completed + told.states[InstanceState.RUNNING],
        completed=completed,
        skipped=told.states[InstanceState.SKIPPED],
        rounds=told.rounds,
        exits=tuple(
            ExitCount(exit_reason=each, count=told.exits[each])
            for each in ExitReason
            if told.exits[each]
        ),
        stopped=told.stopped,
        advice=tuple(
            AdviceCount(state=each, count=told.advice[each])
            for each in AdviceState
            if told.advice[each]
        ),
    )


def _strategies(db: sa.Connection, values: Values) -> tuple[StrategyFigures, ...]:
    used = [
        *(
            _used(row, suggestion=row.suggestion or "")
            for row in db.execute(statements.CONSUMED, values)
        ),
        *(_used(row, recommended=True) for row in db.execute(statements.RECOMMENDED, values)),
    ]
    if not used:
        return ()
    with_one = {**values, "ids": sorted({each.session_id for each in used})}
    rounds = (
        JudgedRound(progress=row.progress or "", **copied(row, _OF_ROUND))
        for row in db.execute(statements.JUDGED, with_one)
    )
    return strategy_figures(rounds, used)


def _used(row: Found, *, suggestion: str = "", recommended: bool = False) -> UsedStrategy:
    return UsedStrategy(suggestion=suggestion, recommended=recommended, **copied(row, _OF_ROUND))


def _models(db: sa.Connection, values: Values) -> tuple[ModelFigures, ...]:
    return tuple(
        ModelFigures(
            purpose=row.purpose,
            provider=row.provider,
            model=row.model,
            calls=row.calls,
            failed=int(row.failed),
            prompt_tokens=int(row.prompt_tokens),
            completion_tokens=int(row.completion_tokens),
        )
        for row in db.execute(statements.MODELS, values)
    )
