"""The ledger: a row for every model call (RESOLUTIONS C33)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo, ModelCall, ParseDiagnosis, Purpose
from session_store.codec import dump, load, storable
from session_store.records import Page
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import (
    Found,
    PagedSelect,
    at,
    number_of,
    of,
    owned,
    page_of,
)
from session_store.sql.database.tables_beside import IS_KEPT, model_calls

# Rows one transaction empties, so that no other writer waits long.
TRIM_BATCH = 500

_INSERT = Prepared(model_calls.insert())
_ALL = select(model_calls).where(of(model_calls)).order_by(model_calls.c.number)
_FROM = model_calls.c.number >= bindparam("from_number")
_OF_TURN = model_calls.c.turn_id == bindparam("of_turn")
_NOW = select(database_now())
_ROW = sa.tuple_(model_calls.c.tenant, model_calls.c.session_id, model_calls.c.number)
_OLD = (
    select(model_calls.c.tenant, model_calls.c.session_id, model_calls.c.number)
    .where(IS_KEPT, model_calls.c.create_time < bindparam("before"))
    .limit(TRIM_BATCH)
)
_TRIM = model_calls.update().where(_ROW.in_(_OLD)).values(input="", output="", kept="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where calls come from."""

    key: SessionKey
    turn_id: str
    first: int
    """The number of the first."""
    now: datetime


def store(db: sa.Connection, origin: Origin, made: Sequence[LLMDebugInfo]) -> None:
    """Append calls with contiguous numbers."""
    rows = [_row(origin, number, each) for number, each in enumerate(made, start=origin.first)]
    _INSERT.run_each(db, rows)


def page(
    db: sa.Connection, key: SessionKey, wanted: Page, *, turn_id: str = ""
) -> tuple[list[ModelCall], str]:
    """Return the ledger, or what one turn has in it, oldest first, and the next page's token."""
    listed = PagedSelect(_ALL, at(key))
    if turn_id:
        listed = listed.starting(_OF_TURN, of_turn=turn_id)
    if wanted.token:
        listed = listed.starting(_FROM, from_number=number_of(wanted.token))
    rows, token = page_of(db, listed, wanted, name=lambda row: str(row.number))
    return [ModelCall(turn_id=row.turn_id, call=_call(row)) for row in rows], token


def trim_ledger(db: sa.Connection, older_than: timedelta) -> int:
    """Empty the prompts and replies of a batch of old calls; return how many it was."""
    before = db.execute(_NOW).scalar_one() - older_than
    return db.execute(_TRIM, {"before": before}).rowcount


def _row(origin: Origin, number: int, call: LLMDebugInfo) -> dict[str, object]:
    return owned(origin.key) | {
        "number": number,
        "turn_id": origin.turn_id,
        "call_id": call.call_id,
        "purpose": call.purpose.value,
        "prompt_type": call.prompt_type,
        "provider": call.provider,
        "model": call.model,
        "input": storable(call.input),
        "output": storable(call.output),
        "kept": "full",
        "config": dump(call.config),
        "template_hash": call.template_hash,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "latency_ms": call.latency_ms,
        "first_token_ms": call.first_token_ms,
        "finish_reason": call.finish_reason,
        "error": storable(call.error),
        "parse": dump(_quoting(call.parse, "")) if call.parse else None,
        "create_time": call.create_time or origin.now,
    }


def _call(row: Found) -> LLMDebugInfo:
    return LLMDebugInfo(
        call_id=row.call_id,
        purpose=Purpose(row.purpose),
        prompt_type=row.prompt_type,
        provider=row.provider,
        model=row.model,
        input=row.input,
        output=row.output,
        config=load(dict, row.config),
        template_hash=row.template_hash,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        latency_ms=row.latency_ms,
        first_token_ms=row.first_token_ms,
        finish_reason=row.finish_reason,
        error=row.error,
        parse=_quoting(load(ParseDiagnosis, row.parse), row.output) if row.parse else None,
        create_time=row.create_time,
    )


def _quoting(parse: ParseDiagnosis, reply: str) -> ParseDiagnosis:
    """Return the diagnosis with this reply: it is kept once, as the output, and trimmed there."""
    if parse.parse_error is None:
        return parse
    return replace(parse, parse_error=replace(parse.parse_error, raw_response=reply))
