"""The ledger of model calls (RESOLUTIONS C33)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from heartrule.domain.model_call import ParseDiagnosis, ParseError, Purpose
from session_store.ports import Store
from session_store.records import Page
from tests.support.store_builders import (
    accept,
    analysed,
    begun,
    call,
    claimed,
    failure,
    judged_turn,
    last_step,
    opened,
    step,
    ticket,
)


async def test_a_call_is_kept_whole(store: Store) -> None:
    """Every field of a call is read back, prompt, reply and diagnosis too; it gets a time."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    parse_error = ParseError(
        retry_count=3, strategies=("direct_parse",), final_error="e", raw_response="你好"
    )
    made = call(
        "c1",
        input='[{"role":"system"}]',
        output="你好",
        config={"temperature": 0.5, "nested": {"a": [1, None]}},
        template_hash="h",
        prompt_tokens=10,
        completion_tokens=5,
        latency_ms=120,
        first_token_ms=30,
        reasoning_chars=40,
        reasoning_tokens=20,
        finish_reason="stop",
        error="TIMEOUT",
        parse=ParseDiagnosis(
            strategy="", retry_count=3, repairs=("r",), warnings=("w",), parse_error=parse_error
        ),
    )
    await store.commit_step(snapshot.lease, last_step(snapshot, calls=(made,)))
    ((found,), _) = await store.list_calls(key, Page())
    assert (replace(found, create_time=None), found.create_time is not None) == (made, True)


async def test_old_calls_lose_their_words_alone(store: Store) -> None:
    """Trimming empties prompt and reply of calls older than asked for, once, and no figure."""
    key = await opened(store)
    now = datetime.now(UTC)
    old, young = (
        call(f"c{days}", output="reply", prompt_tokens=7, create_time=now - timedelta(days=days))
        for days in (31, 29)
    )
    await judged_turn(store, key, calls=(old, young))
    trimmed = [await store.trim_ledger(timedelta(days=30)) for _ in range(2)]
    assert trimmed == [1, 0]
    kept, _ = await store.list_calls(key, Page())
    assert kept == [replace(old, input="", output=""), young]


async def test_every_source_of_calls_is_in_order(store: Store) -> None:
    """Calls of steps, of failed attempts and of analyses are listed oldest first, in pages."""
    key = await opened(store)
    await judged_turn(store, key, calls=(call("c1"), call("c2", error="HTTP_500")))
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, step(snapshot, calls=(call("c3"),)))
    await claimed(store)
    monitor = call("c4", purpose=Purpose.MONITOR)
    await store.finish_analysis(analysed(ticket(), calls=(monitor,)))
    await store.fail_turn(snapshot.lease, failure(snapshot, calls=(call("c5"),)))
    first, token = await store.list_calls(key, Page(size=3))
    rest, last = await store.list_calls(key, Page(size=3, token=token))
    assert ([each.call_id for each in first + rest], last) == (["c1", "c2", "c3", "c4", "c5"], "")
    assert rest[0].purpose is Purpose.MONITOR


async def test_the_calls_of_one_turn_are_listed_alone(store: Store) -> None:
    """Calls bear the turn that made them; an analysis's that of the turn it judged."""
    key = await opened(store)
    await judged_turn(store, key, calls=(call("c1"),))
    await claimed(store)
    await store.finish_analysis(analysed(ticket(), calls=(call("c2", purpose=Purpose.MONITOR),)))
    (first, judging), _ = await store.list_ledger(key, Page())
    assert (first.call.call_id, judging.call.call_id) == ("c1", "c2")
    assert judging.turn_id == first.turn_id != ""
    assert await store.list_ledger(key, Page(), turn_id=first.turn_id) == ([first, judging], "")
    assert await store.list_ledger(key, Page(), turn_id="another") == ([], "")


async def test_the_tokens_of_recent_calls_are_counted(store: Store) -> None:
    """Of one session, of every purpose, and of no call older than was asked for."""
    now = datetime.now(UTC)
    old, new = now - timedelta(hours=25), now - timedelta(hours=1)
    made = (
        call("c1", prompt_tokens=1_000, completion_tokens=1, create_time=old),
        call("c2", prompt_tokens=100, completion_tokens=10, create_time=new),
        call("c3", prompt_tokens=20, completion_tokens=2, create_time=new),
    )
    for key in (await opened(store, "s2"), await opened(store)):
        await accept(store, key)
        snapshot = await begun(store, key)
        await store.commit_step(snapshot.lease, last_step(snapshot, calls=made))
    assert await store.tokens_since(key, timedelta(days=1)) == 132
    assert await store.tokens_since(key, timedelta(minutes=1)) == 0
