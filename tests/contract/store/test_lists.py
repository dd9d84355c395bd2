"""Lists that are filtered and ordered: pages hold, and what is asked for is data."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.labels import LabelChange
from session_store.ports import Store
from session_store.records import Page, SafetyFilter, ScriptRecord
from tests.support.store_builders import (
    accept,
    advised,
    begun,
    created,
    ended,
    failure,
    judged_turn,
    last_step,
    opened,
)
from tests.support.store_decisions import made, revision
from tests.support.store_runs import new_run
from tests.support.store_safety import raised
from tests.support.store_threads import opening, placeholder

HOSTILE = (
    "'; DROP TABLE sessions; --",
    "%",
    "_",
    '"quoted" \\',
    "好\u202e🦊",
    "' OR '1'='1",
    "x" * 250,
)


async def named(store: Store, text: str = "", order_by: str = "", size: int = 50) -> list[str]:
    """Return the ids of the sessions on all pages."""
    found, token = [], ""
    while True:
        page = Page(size=size, token=token, filter=text, order_by=order_by)
        rows, token = await store.list_sessions("t", page)
        found += [row.key.session_id for row in rows]
        if not token:
            return found


def quoted(text: str) -> str:
    """Return the text as a filter has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


async def test_sessions_are_filtered_by_what_they_are(store: Store) -> None:
    """Every comparison has to hold."""
    await created(store, "s1", user_id="u1", script_id="a")
    await created(store, "s2", user_id="u1", script_id="b")
    await created(store, "s3", user_id="u2", script_id="b")
    assert await named(store, "user_id = u1 AND script_id = b") == ["s2"]
    assert await named(store, "user_id != u1") == ["s3"]
    assert await named(store, 'create_time > "2001-01-01T00:00:00+08:00"') == ["s3", "s2", "s1"]
    assert await named(store, 'create_time < "2001-01-01T00:00:00Z"') == []


async def test_a_session_is_running_while_a_turn_runs(store: Store) -> None:
    """Its status in a filter is the one that is shown."""
    await opened(store, "waits")
    key = await opened(store, "runs")
    await accept(store, key)
    await begun(store, key)
    assert await named(store, "status = RUNNING") == ["runs"]
    assert await named(store, "status = waiting_input") == ["waits"]


async def test_sessions_are_found_by_their_labels(store: Store) -> None:
    """By a value, by another value, by a label of any; as it is now."""
    first = await created(store, "s1", labels={"study": "autumn"})
    await created(store, "s2", labels={"study": "spring", "seen": ""})
    await created(store, "s3")
    assert await named(store, "labels.study = autumn") == ["s1"]
    assert await named(store, "labels.study != autumn") == ["s2"]
    assert await named(store, "labels:study") == ["s2", "s1"]
    assert await named(store, 'labels:seen AND labels.seen = ""') == ["s2"]
    await store.update_labels(first, LabelChange(removed=frozenset({"study"})))
    assert await named(store, "labels.study = autumn") == []


async def test_sessions_are_found_by_advice_and_by_failures(store: Store) -> None:
    """Also where the turn that failed went well afterwards; `false` finds the others."""
    helped = await opened(store)
    await judged_turn(store, helped)
    await advised(store)
    broken = await opened(store, "broken")
    await accept(store, broken)
    first = await begun(store, broken)
    await store.fail_turn(first.lease, failure(first))
    await accept(store, broken)
    await ended(store, await begun(store, broken))
    assert await named(store, "had_advice = true") == [helped.session_id]
    assert await named(store, "had_failure = TRUE") == ["broken"]
    assert await named(store, "had_failure != true AND had_advice = false") == []
    assert await named(store, "had_failure = false") == [helped.session_id]


@pytest.mark.parametrize("text", HOSTILE)
async def test_what_is_compared_is_data(store: Store, text: str) -> None:
    """A value finds itself, and nothing else comes or goes."""
    await created(store, "s1", user_id=text, labels={"l": text})
    await created(store, "s2", user_id="else", labels={"l": "else"})
    assert await named(store, f"user_id = {quoted(text)}") == ["s1"]
    assert await named(store, f"labels.l = {quoted(text)}") == ["s1"]
    assert await named(store) == ["s2", "s1"]


@pytest.mark.parametrize(
    ("order_by", "expected"),
    [
        ("create_time", ["s0", "s1", "s2", "s3", "s4"]),
        ("create_time desc", ["s4", "s3", "s2", "s1", "s0"]),
        ("update_time desc", ["s1", "s4", "s3", "s2", "s0"]),
        ("", ["s4", "s3", "s2", "s1", "s0"]),
        (" ", ["s4", "s3", "s2", "s1", "s0"]),
    ],
)
async def test_pages_hold_in_every_order(store: Store, order_by: str, expected: list[str]) -> None:
    """Each row once, filtered or not."""
    keys = [await created(store, f"s{number}", user_id="u") for number in range(5)]
    await accept(store, keys[1])
    for size in (2, 5):
        assert await named(store, "user_id = u", order_by, size) == expected


async def test_a_token_outlives_that_its_row_met_the_filter(store: Store) -> None:
    """The next page begins behind that row, whatever became of it."""
    keys = [await created(store, f"s{n}", labels={"l": ""}) for n in range(3)]
    page = Page(size=1, filter="labels:l")
    (row,), token = await store.list_sessions("t", page)
    await store.update_labels(row.key, LabelChange(replaces_all=True))
    rest = Page(filter="labels:l", token=token)
    (second, third), _ = await store.list_sessions("t", rest)
    assert [row.key, second.key, third.key] == keys[::-1]


async def test_lists_of_a_session_are_filtered_and_ordered(store: Store) -> None:
    """Decisions, runs and threads, the newest first where that is asked for."""
    key = await opened(store)
    await accept(store, key)
    snapshot, announced = await begun(store, key), placeholder()
    begins = opening(announced, 2)
    begins["runs"] = (*begins["runs"], new_run())
    step = last_step(snapshot, announced, decisions=(made(),), workflows=(revision(),), **begins)
    await store.commit_step(snapshot.lease, step)
    runs, token = await store.list_runs(key, Page(size=1, order_by="create_time desc"))
    more, _ = await store.list_runs(key, Page(token=token, order_by="create_time desc"))
    assert [each.run_id for each in (*runs, *more)] == ["run_1", "run_2"]
    (run,), _ = await store.list_runs(key, Page(filter='state = queued AND thread_id != ""'))
    assert run.run_id == "run_2"
    wanted = f"turn_id = {quoted(snapshot.turn_id)}"
    assert len((await store.list_decisions(key, Page(filter=wanted)))[0]) == 1
    assert len((await store.list_threads(key, Page(filter=f"{wanted} AND depth = 1")))[0]) == 1
    assert (await store.list_threads(key, Page(filter="state = failed")))[0] == []


async def test_safety_events_are_filtered_and_ordered(store: Store) -> None:
    """Levels have an order; the oldest first where that is asked for."""
    key = await opened(store)
    for name in ("one", "two"):
        await store.record_refused(key, name, raised())
    old, _ = await store.list_safety_events("t", Page(order_by="create_time"), SafetyFilter())
    new, _ = await store.list_safety_events("t", Page(filter="level >= concern"), SafetyFilter())
    assert [each.safety_event_id for each in old] == [each.safety_event_id for each in new[::-1]]
    none, _ = await store.list_safety_events("t", Page(filter="level = none"), SafetyFilter())
    assert (len(old), none) == (2, [])


async def test_scripts_are_filtered_and_ordered(store: Store) -> None:
    """By their newest versions; on pages too."""
    for name, version in (("b", "v1"), ("a", "v1"), ("b", "v2")):
        files = {"main.yaml": version.encode()}
        record = ScriptRecord(
            tenant="t", script_id=name, version=version, main="main.yaml", files=files
        )
        await store.save_script(record)
    first, token = await store.list_scripts("t", Page(size=1, order_by="create_time desc"))
    rest, _ = await store.list_scripts("t", Page(token=token, order_by="create_time desc"))
    assert [each.script_id for each in first + rest] == ["b", "a"]
    (second,), _ = await store.list_scripts("t", Page(filter="number > 1"))
    assert (second.script_id, second.version) == ("b", "v2")


@pytest.mark.parametrize("page", [Page(filter="(user_id = a)"), Page(order_by="user_id")])
async def test_a_malformed_question_is_refused(store: Store, page: Page) -> None:
    """Before anything is read."""
    with pytest.raises(InvalidRequest) as refused:
        await store.list_sessions("t", page)
    assert refused.value.violations
