"""The ledger keeps prompts and replies for a time, its figures for ever (RESOLUTIONS C33)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import ParseDiagnosis, ParseError
from session_store.records import Page
from session_store.sql.sessions.calls import TRIM_BATCH
from session_store.sql.store import SqlStore
from tests.support.store_builders import accept, begun, call, last_step, opened
from tests.support.stores import postgres_store, sqlite_store

MONTH = timedelta(days=30)


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SqlStore]:
    """Give a store on each database."""
    kind = sqlite_store(tmp_path) if request.param == "sqlite" else postgres_store()
    async with kind as made:
        yield made


async def with_calls(
    store: SqlStore, *ages: timedelta, parse: ParseDiagnosis | None = None
) -> list[tuple[str, str, int]]:
    """Store calls of these ages, trim, and return what their rows still say."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    plain = call(input="prompt", output="reply", prompt_tokens=7, parse=parse)
    now = datetime.now(UTC)
    calls = tuple(
        replace(plain, call_id=f"c{n}", create_time=now - age) for n, age in enumerate(ages)
    )
    await store.commit_step(snapshot.lease, last_step(snapshot, calls=calls))
    assert await store.trim_ledger(MONTH) == sum(age > MONTH for age in ages)
    kept, _ = await store.list_calls(key, Page(size=5000))
    return [(each.input, each.output, each.prompt_tokens) for each in kept]


async def test_old_prompts_and_replies_go(store: SqlStore) -> None:
    """What is older than asked for loses its texts and nothing else."""
    kept = await with_calls(store, timedelta(days=31), timedelta(days=29), timedelta())
    assert kept == [("", "", 7), ("prompt", "reply", 7), ("prompt", "reply", 7)]


async def test_trimming_again_finds_nothing(store: SqlStore) -> None:
    """A row is emptied once."""
    await with_calls(store, timedelta(days=31))
    assert await store.trim_ledger(MONTH) == 0


async def test_many_go_in_batches(store: SqlStore) -> None:
    """More than one transaction may empty are all emptied."""
    kept = await with_calls(store, *[timedelta(days=31)] * (TRIM_BATCH + 1))
    assert set(kept) == {("", "", 7)}


async def test_a_diagnosis_quotes_no_reply_that_is_gone(store: SqlStore) -> None:
    """The reply that could not be read is kept once: emptied, the diagnosis has it no more."""
    error = ParseError(retry_count=3, strategies=(), final_error="e", raw_response="reply")
    parse = ParseDiagnosis(retry_count=3, parse_error=error)
    await with_calls(store, timedelta(days=31), timedelta(), parse=parse)
    kept, _ = await store.list_calls(SessionKey("t", "s1"), Page())
    told = [each.parse.parse_error for each in kept if each.parse]
    assert told == [replace(error, raw_response=""), error]
