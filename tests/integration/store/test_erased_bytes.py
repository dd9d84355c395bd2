"""What an erasure leaves of a planted marker: nothing (issue 2, what must be shown)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import VariableScope
from session_store.ports import Store
from tests.support.postgres import PostgresServer
from tests.support.store_builders import (
    LONG,
    accept,
    advice,
    analysed,
    at_round,
    begun,
    call,
    failure,
    instance,
    judged,
    last_step,
    opened,
    said,
    ticket,
    variable,
)
from tests.support.stores import postgres_store, sqlite_store

MARKER = "MARKERMARKER"
OTHER = "otherotherot"


async def talk(store: Store, key: SessionKey, word: str, dice: random.Random) -> None:
    """Hold a conversation whose every text is `word` again and again, short and long."""

    def text(*sizes: int) -> str:
        return f"{word} " * (dice.choice(sizes) // len(word))

    for number in range(1, dice.randrange(4, 10)):
        await accept(store, key, f"{word}-{number}", text(20, 300, 9000))
        snapshot = await begun(store, key)
        if dice.random() < 0.3:
            failed = failure(snapshot, calls=(call(input=text(5000)),))
            await store.fail_turn(snapshot.lease, failed)
            await accept(store, key, f"{word}-{number}-again", text(20))
            snapshot = await begun(store, key)
        plan = instance(round=number, memory={"note": text(20, 400)})
        done = last_step(
            snapshot,
            said(text(50, 400, 6000)),
            position=at_round(number + 1),
            instances=(plan,),
            variables=(
                variable("word", text(20, 5000), VariableScope.TOPIC, "t1"),
                variable("global", text(20), VariableScope.GLOBAL),
            ),
            result=judged(number, ai_message=text(200)),
            monitor_requested=True,
            calls=(call(input=text(3000, 20000), output=text(500)),),
        )
        await store.commit_step(snapshot.lease, done)
        about = ticket(number, key.session_id)
        given = advice(f"adv_{number}", number, feedback_text=text(300))
        await store.claim_monitor_request(about, owner="me", ttl=LONG)
        await store.finish_analysis(analysed(about, given))


async def talks(store: Store, seed: int, **ours: str) -> SessionKey:
    """Hold conversations at once, so that their rows share pages; return the marked one's key."""
    dice = random.Random(seed)
    marked = await opened(store, "marked", locale=MARKER, **ours)
    others = [await opened(store, f"other{n}", user_id="somebody") for n in range(4)]
    others_talk = (talk(store, other, OTHER, dice) for other in others)
    await asyncio.gather(talk(store, marked, MARKER, dice), *others_talk)
    return marked


def files_with(word: str, folder: Path) -> set[str]:
    """Return the names of the files that hold the word."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if word.encode() in path.read_bytes()}


# With secure_delete alone, these left the marker in the gaps of pages that rows had moved from.
@pytest.mark.parametrize("seed", [0, 55, 63, 84])
async def test_no_byte_stays_in_a_sqlite_file(seed: int, tmp_path: Path) -> None:
    """After DeleteSession no byte is in the database, its -wal or its -shm; others' words stay."""
    async with sqlite_store(tmp_path) as store:
        marked = await talks(store, seed)
        assert files_with(MARKER, tmp_path) != set()
        await store.delete_session(marked)
        assert files_with(MARKER, tmp_path) == set()
    assert files_with(OTHER, tmp_path) == {"heartrule.db"}


async def test_no_byte_of_a_user_stays_in_a_sqlite_file(tmp_path: Path) -> None:
    """DeleteUserData erases sessions, globals and the user's id alike."""
    async with sqlite_store(tmp_path) as store:
        await talks(store, 5, user_id=f"user-{MARKER}")
        await store.delete_user_data("t", f"user-{MARKER}")
        assert files_with(MARKER, tmp_path) == set()


async def test_erasures_at_once_leave_nothing(tmp_path: Path) -> None:
    """Several callers that erase at the same time each find nothing left when they hear of it."""
    async with sqlite_store(tmp_path) as store:
        keys = [await opened(store, f"s{number}", locale=MARKER) for number in range(4)]

        async def erase(key: SessionKey, number: int) -> set[str]:
            await talk(store, key, f"{MARKER}{number}", random.Random(number))
            await store.delete_session(key)
            return files_with(f"{MARKER}{number}", tmp_path)

        left = await asyncio.gather(*(erase(key, number) for number, key in enumerate(keys)))
    assert left == [set()] * 4


@pytest.fixture
def files_of(server: PostgresServer) -> Iterator[tuple[str, Path]]:
    """Give a database of its own and the folder of its files."""
    name = server.create()
    with server.connect(name) as connection:
        query = "SELECT oid FROM pg_database WHERE datname = current_database()"
        row = connection.execute(query).fetchone()
    assert row is not None
    yield name, server.data / "base" / str(row[0])
    server.drop(name)


async def test_no_row_stays_in_postgresql(
    server: PostgresServer, files_of: tuple[str, Path]
) -> None:
    """After DeleteSession a dump lacks the marker; after VACUUM FULL every table file does."""
    name, folder = files_of
    async with postgres_store(server.url(name)) as store:
        marked = await talks(store, 1)
        assert MARKER in dump_of(server, name)
        await store.delete_session(marked)
    assert MARKER not in dump_of(server, name)
    with server.connect(name) as connection:
        connection.execute("VACUUM FULL")
        connection.execute("CHECKPOINT")
    assert files_with(MARKER, folder) == set()
    assert files_with(OTHER, folder) != set()


def dump_of(server: PostgresServer, database: str) -> str:
    """Return all rows as pg_dump writes them."""
    return server.run("pg_dump", "--data-only", "--inserts", server.url(database))
