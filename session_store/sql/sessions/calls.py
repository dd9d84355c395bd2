"""The ledger: a row for every model call (RESOLUTIONS C33)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo, ModelCall, ParseDiagnosis
from session_store.codec import storable
from session_store.records import Page
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.statements import Found, at, copied, of, owned
from session_store.sql.database.tables_beside import IS_KEPT, model_calls
from session_store.sql.lists.listing import numbered
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import prompt_parts, sessions
from session_store.sql.sessions.sessions import Locked
from session_store.turn_rules import tokens_of

# Rows one transaction empties, so that no other writer waits long.
TRIM_BATCH = 500

_CALLS = RowsOf(LLMDebugInfo, model_calls, but="input")
_INSERT = Prepared(model_calls.insert())
CALLS_LISTED = numbered(select(model_calls).where(of(model_calls)), model_calls.c.number)
_ROW = sa.tuple_(model_calls.c.tenant, model_calls.c.session_id, model_calls.c.number)
_OLD = (
    select(model_calls.c.tenant, model_calls.c.session_id, model_calls.c.number)
    .where(IS_KEPT, model_calls.c.create_time < bindparam("before"))
    .limit(TRIM_BATCH)
)
# The newest call that is too old: numbers rise with time, so no call before it is read.
_OLDER = (
    select(model_calls.c.number)
    .where(of(model_calls), model_calls.c.create_time < bindparam("since"))
    .order_by(model_calls.c.number.desc())
    .limit(1)
)
_TOKENS = select(
    sa.func.coalesce(sa.func.sum(model_calls.c.prompt_tokens + model_calls.c.completion_tokens), 0)
).where(of(model_calls), model_calls.c.number > sa.func.coalesce(_OLDER.scalar_subquery(), -1))
_TRIM = model_calls.update().where(_ROW.in_(_OLD)).values(input="", output="", kept="")


def append(
    db: sa.Connection,
    locked: Locked,
    turn_id: str,
    made: Sequence[LLMDebugInfo],
    *,
    run_id: str = "",
    thread_id: str = "",
) -> dict[str, object]:
    """Append calls with contiguous numbers; return what the session's row counts of them.

    Calls of a run are no turn's: `turn_id` is empty then. `thread_id` is that of an agent's thread.
    """
    first: int = locked.row.next_call
    prompts = [(storable(each.input), each.create_time or locked.now) for each in made]
    named = prompt_parts.store(db, locked.key, prompts)
    rows = [
        _row(locked, turn_id, number, each)
        | {"input": names, "run_id": run_id, "thread_id": thread_id}
        for number, (each, names) in enumerate(zip(made, named, strict=True), start=first)
    ]
    _INSERT.run_each(db, rows)
    return {"next_call": first + len(made)}


def append_monitor_calls(
    db: sa.Connection, locked: Locked, turn_id: str, made: Sequence[LLMDebugInfo]
) -> dict[str, object]:
    """Append a monitor's calls; the session's row counts their tokens as well."""
    spent = locked.row.monitor_tokens + tokens_of(made)
    return append(db, locked, turn_id, made) | {"monitor_tokens": spent}


def tokens_since(db: sa.Connection, key: SessionKey, age: timedelta) -> int:
    """Return the tokens of the session's model calls that are no older than `age`."""
    return int(db.execute(_TOKENS, at(key) | {"since": now_of(db) - age}).scalar_one())


def list_calls(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[LLMDebugInfo], str]:
    """Return the ledger, oldest first, and the next page's token."""
    found, token = list_ledger(db, key, page)
    return [each.call for each in found], token


def list_ledger(
    db: sa.Connection, key: SessionKey, page: Page, *, turn_id: str = ""
) -> tuple[list[ModelCall], str]:
    """Return the ledger, or what one turn has in it, oldest first, and the next page's token."""
    sessions.read(db, key)
    of_turn = (model_calls.c.turn_id == turn_id,) if turn_id else ()
    rows, token = CALLS_LISTED.page(db, at(key), page, *of_turn)
    prompts = prompt_parts.texts_of(db, key, [(row.input, row.create_time) for row in rows])
    calls = zip(rows, prompts, strict=True)
    found = [
        ModelCall(call=_call(row, prompt), **copied(row, ("turn_id", "run_id", "thread_id")))
        for row, prompt in calls
    ]
    return found, token


def trim_ledger(db: sa.Connection, older_than: timedelta) -> int:
    """Empty the prompts and replies of a batch of old calls; return how many it was."""
    return db.execute(_TRIM, {"before": now_of(db) - older_than}).rowcount


def trim_prompts(db: sa.Connection, older_than: timedelta) -> int:
    """Delete a batch of parts of prompts whose hour is older; return how many it was."""
    return prompt_parts.delete_before(db, now_of(db) - older_than)


def _row(locked: Locked, turn_id: str, number: int, call: LLMDebugInfo) -> dict[str, object]:
    # The reply is kept once, as the output, and trimmed there.
    kept = replace(
        call,
        output=storable(call.output),
        error=storable(call.error),
        parse=_quoting(call.parse, ""),
        create_time=call.create_time or locked.now,
    )
    return owned(locked.key) | _CALLS.columns(kept, number=number, turn_id=turn_id, kept="full")


def _call(row: Found, prompt: str) -> LLMDebugInfo:
    call = _CALLS.value(row, input=prompt)
    return replace(call, parse=_quoting(call.parse, row.output))


def _quoting(parse: ParseDiagnosis | None, reply: str) -> ParseDiagnosis | None:
    """Return the diagnosis with this reply."""
    if parse is None or parse.parse_error is None:
        return parse
    return replace(parse, parse_error=replace(parse.parse_error, raw_response=reply))
