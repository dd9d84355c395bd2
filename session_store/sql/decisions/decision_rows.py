"""Rows of decisions: written with the step that makes or moves them, read, copied, taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.decision_events import DecisionMade
from heartrule.domain.decisions import Decision, DecisionState, Verdict
from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.codec import dump, load, load_tuple
from session_store.decisions.decision_rules import (
    Standing,
    Standings,
    after,
    bare,
    kept_change,
    payload_text,
    up_to,
    whole,
)
from session_store.records import Page
from session_store.records.decisions import DecisionChange, DecisionFilter, KeptDecision
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, copied, of, owned
from session_store.sql.database.tables_of_decisions import IS_UNDONE, decisions
from session_store.sql.lists.list_fields import DECISION_FIELDS
from session_store.sql.lists.listing import Listing, meeting
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import sessions
from session_store.sql.sessions.event_texts import Payloads

_INSERT = Prepared(decisions.insert())
_UPDATE = Prepared(
    decisions.update().where(of(decisions), decisions.c.decision_id == bindparam("at_decision"))
)
_OF_NAMES = select(decisions).where(
    of(decisions), decisions.c.decision_id.in_(bindparam("names", expanding=True))
)
_LISTED = Prepared(
    select(decisions).where(of(decisions), decisions.c.listed).order_by(decisions.c.sequence)
)
DECISIONS_LISTED = Listing(
    rows=select(decisions).where(of(decisions), decisions.c.listed),
    name=decisions.c.sequence,
    fields=DECISION_FIELDS,
    orders={"create_time": decisions.c.sequence},
    order_by="create_time",
)
_OPEN = Prepared(select(decisions).where(of(decisions), IS_UNDONE).order_by(decisions.c.sequence))
_DECISIONS = RowsOf(Decision, decisions, but="payload confidence")
_KEPT = RowsOf(KeptDecision, decisions, but="verdict")
# In the column `effective`: the payload takes effect as it was proposed.
_AS_PROPOSED = "="


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeBy:
    """Where rows come from."""

    turn_id: str = ""
    step: int = 0
    now: datetime
    events: Sequence[SessionEvent]
    """What the transaction emits."""

    @property
    def since(self) -> int:
        """The number of the first event."""
        return self.events[0].sequence


@dataclass(frozen=True, slots=True)
class Settled:
    """Changes as they are told and written, and the rows of what is known."""

    changes: tuple[DecisionChange, ...]
    known: Mapping[str, Found]


def settled(db: sa.Connection, key: SessionKey, changes: Sequence[DecisionChange]) -> Settled:
    """Return changes with what does not change taken from their rows; NotFound without one.

    That is the decision itself, and the payload that takes effect, once one does. Where nothing is
    known nothing is read.
    """
    known = named(db, key, (each.decision.decision_id for each in changes if not each.is_made))
    plain = map(kept_change, changes)
    return Settled(tuple(e if e.is_made else _as_known(e, known) for e in plain), known)


def store(db: sa.Connection, key: SessionKey, decided: Settled, made_by: MadeBy) -> None:
    """Insert what is made, and write what is known in its new state."""
    numbers = {
        each.body.decision_id: each.sequence
        for each in made_by.events
        if isinstance(each.body, DecisionMade)
    }
    made = [each for each in decided.changes if each.is_made]
    rows = [_new_row(each, made_by, numbers[each.decision.decision_id]) for each in made]
    _INSERT.run_each(db, [owned(key) | row for row in rows])
    for change in decided.changes:
        if not change.is_made:
            name = change.decision.decision_id
            columns = _changed(decided.known[name], change, made_by.since)
            _UPDATE.run(db, at(key) | {"at_decision": name} | columns)


def named(db: sa.Connection, key: SessionKey, names: Iterable[str]) -> dict[str, Found]:
    """Return rows by id, those of turns that were taken back too; no id, no query."""
    wanted = sorted(set(names))
    rows = db.execute(_OF_NAMES, at(key) | {"names": wanted}).all() if wanted else ()
    return {row.decision_id: row for row in rows}


def payloads_of(db: sa.Connection, key: SessionKey, names: Iterable[str]) -> dict[str, Payloads]:
    """Return by id what events of decisions leave out; no id, no query."""
    return {name: _payloads(row) for name, row in named(db, key, names).items()}


def kept(row: Found) -> KeptDecision:
    """Return the decision of a row."""
    payloads = _payloads(row)
    decision = _DECISIONS.value(
        row,
        payload=payloads.proposed,
        confidence=float(row.confidence) if row.confidence else None,
    )
    verdict = whole(_verdict(row), payloads.proposed, payloads.effective)
    return _KEPT.value(row, decision=decision, verdict=verdict, is_taken_back=not row.listed)


def list_decisions(
    db: sa.Connection,
    key: SessionKey,
    page: Page,
    wanted: DecisionFilter = DecisionFilter(),  # noqa: B008  frozen
) -> tuple[list[KeptDecision], str]:
    """Return decisions in the order in which they were made, and the next page's token.

    Those of turns that were taken back are left out.
    """
    sessions.read(db, key)
    rows, token = DECISIONS_LISTED.page(db, at(key), page, *meeting(decisions, wanted))
    return [kept(row) for row in rows], token


def open_decisions(db: sa.Connection, key: SessionKey) -> tuple[KeptDecision, ...]:
    """Return the decisions whose effect is to come or not done, in order."""
    sessions.read(db, key)
    return tuple(kept(row) for row in _OPEN.rows(db, at(key)))


def get_decision(db: sa.Connection, key: SessionKey, decision_id: str) -> KeptDecision:
    """Return a decision, also of a turn that was taken back; NotFound where there is none."""
    sessions.read(db, key)
    found = find_decision(db, key, decision_id)
    if found is None:
        raise NotFound("decision", decision_id)
    return found


def find_decision(db: sa.Connection, key: SessionKey, decision_id: str) -> KeptDecision | None:
    """Return a decision with what became of it; None where there is none of that id."""
    row = named(db, key, (decision_id,)).get(decision_id)
    return None if row is None else kept(row)


def take_back(db: sa.Connection, key: SessionKey, first: int) -> None:
    """Undo what was made or changed from an event on: rows stay, as events need their payloads."""
    for row in _LISTED.rows(db, at(key)):
        if row.sequence >= first:
            _UPDATE.run(db, at(key) | {"at_decision": row.decision_id, "listed": False})
        elif row.since >= first:
            standing = _standing_columns(up_to(_standings(row), first - 1))
            _UPDATE.run(db, at(key) | {"at_decision": row.decision_id} | standing)


def made_by_then(db: sa.Connection, key: SessionKey, last: int) -> list[Found]:
    """Return the rows of decisions that were made up to an event and not taken back."""
    return [row for row in _LISTED.rows(db, at(key)) if row.sequence <= last]


def in_fork(row: Found, last: int, number: Callable[[int], int]) -> dict[str, Any]:
    """Return the columns that differ in a fork after an event: numbers, and how it stood then."""
    now, earlier = up_to(_standings(row), last)
    moved = [
        Standing(since=number(each.since), state=each.state, verdict=each.verdict)
        for each in (*earlier, now)
    ]
    was_valid = any(each.verdict is not None and each.verdict.is_valid for each in moved)
    effective = row.effective if was_valid else ""
    return _standing_columns((moved[-1], tuple(moved[:-1]))) | {"effective": effective}


def _new_row(change: DecisionChange, made_by: MadeBy, sequence: int) -> dict[str, object]:
    decision = change.decision
    proposed = payload_text(decision.payload)
    first = Standing(since=made_by.since, state=change.state, verdict=bare(change.verdict))
    return {
        **_DECISIONS.columns(decision),
        "sequence": sequence,
        "confidence": "" if decision.confidence is None else repr(decision.confidence),
        **copied(change, ("place", "action_instance_id")),
        "turn_id": made_by.turn_id,
        "step": made_by.step,
        "listed": True,
        "payload": proposed,
        "effective": _effective(change.verdict, proposed),
        **_standing_columns((first, ())),
        "create_time": made_by.now,
    }


def _as_known(change: DecisionChange, known: Mapping[str, Found]) -> DecisionChange:
    name = change.decision.decision_id
    row = known.get(name)
    if row is None:
        raise NotFound("decision", name)
    verdict = change.verdict
    if verdict is not None and verdict.is_valid and row.effective:
        verdict = replace(verdict, payload=_payloads(row).effective)
    return replace(change, decision=kept(row).decision, verdict=verdict)


def _changed(row: Found, change: DecisionChange, since: int) -> dict[str, object]:
    """Return the columns that a change of a known decision writes."""
    columns = _standing_columns(after(_standings(row), change, since))
    return columns | {"effective": row.effective or _effective(change.verdict, row.payload)}


def _effective(verdict: Verdict | None, proposed: str) -> str:
    if verdict is None or not verdict.is_valid:
        return ""
    text = payload_text(verdict.payload)
    return _AS_PROPOSED if text == proposed else text


def _payloads(row: Found) -> Payloads:
    proposed = _json(row.payload)
    own = row.effective not in {"", _AS_PROPOSED}
    return Payloads(proposed=proposed, effective=_json(row.effective) if own else proposed)


def _json(text: str) -> Any:
    return load(Any, text)


def _verdict(row: Found) -> Verdict | None:
    return load(Verdict, row.verdict) if row.verdict else None


def _standings(row: Found) -> Standings:
    now = Standing(since=row.since, state=DecisionState(row.state), verdict=_verdict(row))
    return now, load_tuple(Standing, row.earlier)


def _standing_columns(standings: Standings) -> dict[str, object]:
    now, earlier = standings
    return {
        "since": now.since,
        "state": now.state.value,
        "verdict": dump(now.verdict) if now.verdict else "",
        "earlier": dump(earlier),
    }
