"""Summaries: rows beside the turns they cover."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.summary import NO_SUMMARY
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder, SummaryRecord, SummaryWork
from session_store.sql.sessions import summaries
from tests.support.store_builders import accept, begun, call, ended, opened, said

MOST = 6_000


async def talked(store: Store, *turns: int, size: int = 5) -> SessionKey:
    """Return a session in which these turns were taken."""
    key = SessionKey("t", "s1")
    if 1 in turns:
        key = await opened(store)
    for number in turns:
        await accept(store, key, f"m{number}", "长" * size)
        await ended(store, await begun(store, key), said(f"re {number}"))
    return key


async def due(store: Store, key: SessionKey) -> SummaryWork:
    """Return the work that is due."""
    work = await store.summary_work(key, most=MOST)
    assert work is not None
    return work


async def summarized(store: Store, key: SessionKey, text: str) -> SummaryWork:
    """Write the revision that is due."""
    work = await due(store, key)
    assert await store.write_summary(SummaryRecord(work=work, text=text, calls=(call(),)))
    return work


async def test_the_newest_turns_stay(store: Store) -> None:
    """A summary takes in all turns but the newest four, once four have come."""
    key = await talked(store, 1, 2, 3)
    assert await store.summary_work(key, most=MOST) is None
    await talked(store, *range(4, 8))
    work = await due(store, key)
    assert (work.first_turn, work.earlier) == (4, NO_SUMMARY)
    assert [line.text for line in work.lines][-2:] == ["长" * 5, "re 3"]


async def test_the_next_turn_begins_behind_its_summary(store: Store) -> None:
    """The window holds no turn that the summary covers, and the snapshot has the summary."""
    key = await talked(store, *range(1, 8))
    await summarized(store, key, "他睡不好")
    await accept(store, key, "m8", "今天")
    snapshot = await begun(store, key)
    assert (snapshot.summary.first_turn, snapshot.summary.text) == (4, "他睡不好")
    assert [line.text for line in snapshot.window][1::2] == ["re 4", "re 5", "re 6", "re 7"]


async def test_a_revision_takes_in_what_came_since(store: Store) -> None:
    """The next revision has the summary it revises and only the turns since."""
    key = await talked(store, *range(1, 8))
    await summarized(store, key, "一")
    assert await store.summary_work(key, most=MOST) is None
    await talked(store, *range(8, 12))
    work = await due(store, key)
    assert (work.earlier.text, work.first_turn) == ("一", 8)
    assert [line.text for line in work.lines][1::2] == ["re 4", "re 5", "re 6", "re 7"]


async def test_long_turns_come_a_few_at_a_time(store: Store) -> None:
    """One revision takes in as many turns as its characters allow, and one at least."""
    key = await talked(store, *range(1, 13), size=4_000)
    assert (await due(store, key)).first_turn == 2
    await summarized(store, key, "一")
    assert (await due(store, key)).first_turn == 3


async def test_short_turns_come_so_many_at_a_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long session without a summary is not read whole for each revision."""
    monkeypatch.setattr(summaries, "MOST_TURNS_SUMMARIZED", 5)
    key = await talked(store, *range(1, 11))
    work = await summarized(store, key, "一")
    assert (work.first_turn, work.lines[-1].text) == (5, "re 4")
    assert await store.summary_work(key, most=MOST) is None


async def test_its_calls_are_in_the_ledger(store: Store) -> None:
    """The calls that made a summary are kept, whether it was written or not."""
    key = await talked(store, *range(1, 8))
    work = await summarized(store, key, "一")
    again = SummaryRecord(work=work, text="二", calls=(call(),))
    assert not await store.write_summary(again)
    assert not await store.write_summary(SummaryRecord(work=work, calls=(call(),)))
    assert len((await store.list_calls(key, Page()))[0]) == 3


async def test_a_retry_keeps_the_summary(store: Store) -> None:
    """The turn taken back is covered by no summary; the turn in its place begins with it."""
    key = await talked(store, *range(1, 8))
    work = await due(store, key)
    await store.retry_turn(RetryOrder(key=key, text="改口"))
    assert await store.write_summary(SummaryRecord(work=work, text="一"))
    assert (await begun(store, key)).summary.text == "一"


async def test_a_fork_has_the_summary_of_its_past(store: Store) -> None:
    """A fork begins with the newest summary that covers no turn after its last."""
    key = await talked(store, *range(1, 8))
    await summarized(store, key, "一")
    await talked(store, *range(8, 12))
    await summarized(store, key, "二")
    turn_id = (await store.list_messages(key, Page()))[0][10].turn_id
    await store.fork_session(ForkOrder(source=key, session_id="f1", from_turn_id=turn_id))
    fork = SessionKey("t", "f1")
    await accept(store, fork, "f", "今天")
    assert (await begun(store, fork)).summary.text == "一"


async def test_an_erased_session_has_none(store: Store) -> None:
    """Of an erased session nothing is left to summarize, and nothing is written."""
    key = await talked(store, *range(1, 8))
    work = await due(store, key)
    await store.delete_session(key)
    assert not await store.write_summary(SummaryRecord(work=work, text="一"))
    with pytest.raises(NotFound):
        await store.summary_work(key, most=MOST)
