"""The ledger keeps prompts and replies for a time, its figures for ever (RESOLUTIONS C33)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import ParseDiagnosis, ParseError
from session_store.records import Page
from session_store.sql.database.tables_beside import prompt_parts
from session_store.sql.sessions.calls import TRIM_BATCH
from session_store.sql.store import SqlStore
from tests.support.store_builders import accept, begun, call, judged_turn, last_step, opened
from tests.support.stores import postgres_store, sqlite_store

MONTH = timedelta(days=30)
LONG = "a long line of a template, the same in every turn"
LINES = f'[{{"s":"system"}},{{"u":"1\\n{LONG}\\n2\\n\\n3\\n"}}]'


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


@pytest.mark.parametrize(
    "prompt",
    [
        '[{"a":"好"},{"a":"好"}]',
        "[]",
        "no JSON",
        "[1, 2]",
        '[{"a":1}',
        "",
        "[1]x",
        "[",
        '[{"a":",{"},{"b":[{},{"c":1}]}]',
        LINES,
    ],
)
async def test_a_prompt_is_read_back_as_it_was_sent(store: SqlStore, prompt: str) -> None:
    """An array of messages is put together again from its parts; any other text is one part."""
    key = await opened(store)
    await judged_turn(store, key, calls=(call(input=prompt),))
    ((found,), _) = await store.list_calls(key, Page())
    assert found.input == prompt


async def test_a_message_that_prompts_share_is_stored_once(store: SqlStore) -> None:
    """A second prompt adds its own message alone."""
    key = await opened(store)
    now = datetime.now(UTC)
    prompts = ('[{"s":"system"},{"u":"1"}]', '[{"s":"system"},{"u":"1"},{"u":"2"}]')
    made = tuple(call(f"c{n}", input=text, create_time=now) for n, text in enumerate(prompts))
    await judged_turn(store, key, calls=made)
    assert await part_texts(store) == ['{"s":"system"}', '{"u":"1"}', '{"u":"2"}']


async def test_a_long_line_of_the_last_message_is_stored_once(store: SqlStore) -> None:
    """A template's lines are shared, whatever stands between them."""
    key = await opened(store)
    now = datetime.now(UTC)
    made = [call(f"c{n}", input=LINES.replace("1", str(n)), create_time=now) for n in (1, 4)]
    await judged_turn(store, key, calls=tuple(made))
    texts = await part_texts(store)
    assert [text for text in texts if LONG in text] == [LONG + "\\n"]


async def test_parts_of_old_prompts_go_and_those_of_younger_stay(store: SqlStore) -> None:
    """A message that is older than the retention stays only where a younger prompt has it, too."""
    key = await opened(store)
    now = datetime.now(UTC)
    old = call("c0", input='[{"u":"old"},{"u":"shared"}]', create_time=now - timedelta(days=31))
    young = call("c1", input='[{"u":"shared"},{"u":"young"}]', create_time=now)
    await judged_turn(store, key, calls=(old, young))
    await store.trim_ledger(MONTH)
    assert await part_texts(store) == ['{"u":"shared"}', '{"u":"young"}']


async def part_texts(store: SqlStore) -> list[str]:
    """Return the texts of all parts."""
    statement = sa.select(prompt_parts.c.text).order_by(prompt_parts.c.text)
    return await store._engine.read(lambda db: list(db.execute(statement).scalars()))
