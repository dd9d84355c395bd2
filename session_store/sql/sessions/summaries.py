"""Summaries: a row for each revision, so that a fork begins with the one of its own past.

The session's row says how many turns the newest covers, so a session without one reads nothing. A
retry takes the last turn back, which no summary covers.
"""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.sensitive import all_values
from heartrule.domain.summary import NO_SUMMARY, Summary
from session_store.codec import storable
from session_store.records import SummaryRecord, SummaryWork
from session_store.sql.database.prepared import Prepared, copy_rows
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables_beside import summaries
from session_store.sql.sessions import calls, messages, sessions, variables
from session_store.sql.sessions.rows import lines_of, plain_text_of
from session_store.turn_rules import MOST_TURNS_SUMMARIZED, first_unsummarized

_AT = Prepared(
    select(summaries).where(of(summaries), summaries.c.first_turn == bindparam("at_turn"))
)
_ALL = Prepared(select(summaries).where(of(summaries)).order_by(summaries.c.first_turn))
_INSERT = Prepared(summaries.insert())


def current(db: sa.Connection, session: Found) -> Summary:
    """Return the newest summary of the session of this row; nothing is read where it has none."""
    if not session.summarized:
        return NO_SUMMARY
    key = SessionKey(session.tenant, session.session_id)
    row = _AT.row(db, at(key) | {"at_turn": session.summarized})
    return Summary(first_turn=row.first_turn, text=row.text)


def summary_work(db: sa.Connection, key: SessionKey, *, most: int) -> SummaryWork | None:
    """Return what the next revision is made of; None where too few turns came to it.

    It has turns of at most `most` characters, and one turn at least. The newest turns are never
    among them, so no retry takes a revision back. NotFound for a deleted session.
    """
    row = sessions.read(db, key)
    # No more than one revision takes in, or each of a long session without a summary reads it all.
    numbers = range(row.summarized, row.next_turn)[:MOST_TURNS_SUMMARIZED]
    found = messages.ask_window(db, key, numbers.start, numbers.stop - 1).rows()
    sizes = Counter[int]()
    for each in found:
        sizes[each.turn_no] += len(plain_text_of(each))
    first = first_unsummarized(
        [sizes[number] for number in numbers],
        covered=row.summarized,
        next_turn=row.next_turn,
        most=most,
    )
    lines = lines_of([each for each in found if each.turn_no < first])
    if not lines:
        return None
    visible = variables.visible(db, variables.VariableOwner(key, row.user_id))
    return SummaryWork(
        key=key,
        earlier=current(db, row),
        lines=lines,
        first_turn=first,
        last_turn_id=_turn_id(db, key, first - 1),
        script_id=row.script_id,
        script_version=row.script_version,
        replacements=variables.replacements(db, key) if row.replaced else (),
        values=all_values(visible),
        tokens_spent=row.monitor_tokens,
        language=row.language or row.locale,
    )


def write_summary(db: sa.Connection, record: SummaryRecord) -> bool:
    """Write a revision with the calls that made it, in one transaction, and return True.

    Where the session is gone nothing is written. Where it has another revision by now, or a
    turn of it was taken back, the calls alone are, and False is returned.
    """
    work = record.work
    locked = sessions.try_lock(db, work.key)
    if locked is None:
        return False
    changed = calls.append_monitor_calls(db, locked, work.last_turn_id, record.calls)
    fits = (
        bool(record.text)
        and locked.row.summarized == work.earlier.first_turn
        and _turn_id(db, work.key, work.first_turn - 1) == work.last_turn_id
    )
    if fits:
        row = {
            "first_turn": work.first_turn,
            "text": storable(record.text),
            "create_time": locked.now,
        }
        _INSERT.run(db, owned(work.key) | row)
        changed["summarized"] = work.first_turn
    sessions.update(db, work.key, changed)
    return fits


def copy(
    db: sa.Connection, source: SessionKey, target: SessionKey, *, last_turn: int
) -> dict[str, object]:
    """Write the rows that cover turns up to `last_turn` for a fork; return columns of its row."""
    kept = [row for row in _ALL.rows(db, at(source)) if row.first_turn <= last_turn]
    copy_rows(db, summaries, kept, owned(target))
    return {"summarized": kept[-1].first_turn if kept else 0}


def _turn_id(db: sa.Connection, key: SessionKey, turn_no: int) -> str:
    """Return the id of the turn that has this number; empty where none has messages."""
    return next((row.turn_id for row in messages.of_turn(db, key, turn_no)), "")
