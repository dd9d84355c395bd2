"""What erasure and `heartrule scrub` leave of a planted marker on PostgreSQL: nothing (ADR 20)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from session_store.ports import Store
from session_store.vacuum import (
    VacuumedTable,
    VacuumLimits,
    VacuumOutcome,
    content_tables,
    vacuum_database,
)
from tests.support.command import Place, environment
from tests.support.marked_talks import MARKER, OTHER, files_with, talk, talks
from tests.support.postgres import PostgresServer
from tests.support.store_builders import opened
from tests.support.stores import postgres_store

AT_ONCE = VacuumLimits(keep_trying=0)
LONG = pytest.mark.long(
    short="tests/integration/store/test_scrub.py::test_no_byte_stays_after_the_documented_command"
)
ALL = dict.fromkeys(content_tables(), VacuumOutcome.WRITTEN)


@pytest.fixture
def name(server: PostgresServer) -> Iterator[str]:
    """Give a database of its own."""
    made = server.create()
    yield made
    server.drop(made)


@pytest.fixture
def beside(server: PostgresServer, name: str) -> Iterator[psycopg.Connection]:
    """Give a connection that is not the store's."""
    with server.connect(name) as connection:
        yield connection


def files_of(server: PostgresServer, beside: psycopg.Connection) -> Path:
    """Return the folder of the database's files, all it has written in them."""
    beside.execute("CHECKPOINT")
    query = "SELECT oid FROM pg_database WHERE datname = current_database()"
    (oid,) = beside.execute(query).fetchone() or (None,)
    return server.data / "base" / str(oid)


def dump_of(server: PostgresServer, database: str) -> str:
    """Return all rows as pg_dump writes them."""
    return server.run("pg_dump", "--data-only", "--inserts", server.url(database))


def scrub(address: str, limits: VacuumLimits = AT_ONCE) -> dict[str, VacuumOutcome]:
    """Scrub and return what became of each table."""
    return {each.table: each.outcome for each in vacuum_database(address, limits)}


async def erased(store: Store, seed: int = 1) -> None:
    """Hold conversations that share pages and erase the marked one."""
    await store.delete_session(await talks(store, seed, user_id=f"user-{MARKER}"))


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=LONG) for n in (2, 3))])
async def test_no_byte_stays_after_the_documented_command(
    server: PostgresServer, beside: psycopg.Connection, name: str, tmp_path: Path, seed: int
) -> None:
    """No row or dump has it after DeleteSession, and no file at all after `heartrule scrub`."""
    place = Place(tmp_path, environ=environment(HEARTRULE_DATABASE_URL=server.url(name)))
    async with postgres_store(server.url(name)) as store:
        marked = await talks(store, seed, user_id=f"user-{MARKER}")
        assert MARKER in dump_of(server, name)
        beside.execute("ANALYZE")  # statistics would repeat texts, if they were let
        await store.delete_session(marked)
        assert MARKER not in dump_of(server, name)
        assert files_with(MARKER, files_of(server, beside)) != set()
        ran = place.heartrule("scrub")
        assert (ran.returncode, ran.stderr) == (0, "")
        assert files_with(MARKER, server.data / "base") == set()
        assert files_with(MARKER, files_of(server, beside)) == set()
        assert OTHER in dump_of(server, name)
        await talk(store, await opened(store, "later"), OTHER, random.Random(seed))
    assert place.heartrule("scrub").stdout.startswith("nothing to do")


async def test_vacuum_alone_leaves_bytes(
    server: PostgresServer, beside: psycopg.Connection, name: str
) -> None:
    """Why there is a command: VACUUM frees the room of deleted rows and does not overwrite it."""
    async with postgres_store(server.url(name)) as store:
        await erased(store)
    beside.execute("VACUUM")
    assert files_with(MARKER, files_of(server, beside)) != set()


async def test_conversations_go_on_during_a_scrub(server: PostgresServer, name: str) -> None:
    """Turns wait for a table that is written anew; none fails."""
    async with postgres_store(server.url(name)) as store:
        await erased(store)
        keys = [await opened(store, f"live{number}") for number in range(3)]
        talking = [talk(store, key, OTHER, random.Random(7)) for key in keys]
        patient = VacuumLimits(pause=0)
        done, *_ = await asyncio.gather(
            asyncio.to_thread(scrub, server.url(name), patient), *talking
        )
    assert done == ALL


async def test_a_row_an_old_transaction_may_see_is_told(
    server: PostgresServer, beside: psycopg.Connection, name: str
) -> None:
    """VACUUM (FULL) takes such rows along: the scrub says so, and the next one is not idle."""
    async with postgres_store(server.url(name)) as store:
        with beside.transaction():
            beside.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            beside.execute("SELECT 1")
            await erased(store)
            assert scrub(server.url(name))["messages"] is VacuumOutcome.SEEN
        assert scrub(server.url(name)) == ALL
        assert files_with(MARKER, files_of(server, beside)) == set()


async def test_a_table_in_use_is_left_out(
    server: PostgresServer, beside: psycopg.Connection, name: str
) -> None:
    """Nobody waits behind a scrub that cannot have a table; the others are written."""
    async with postgres_store(server.url(name)) as store:
        await erased(store)
        with beside.transaction():
            beside.execute("LOCK TABLE messages IN ACCESS SHARE MODE")
            limits = VacuumLimits(lock_wait=0.005, keep_trying=0)
            assert scrub(server.url(name), limits) == ALL | {"messages": VacuumOutcome.BUSY}
        assert scrub(server.url(name)) == ALL


SLOW = """
    CREATE FUNCTION slow(text) RETURNS text IMMUTABLE LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_sleep(0.01); RETURN $1; END $$
"""
"""Makes an index take its time: ten milliseconds a row."""


async def test_a_table_that_takes_too_long_stays_as_it_is(
    server: PostgresServer, beside: psycopg.Connection, name: str
) -> None:
    """Its lock ends at the limit, and conversations go on; the next scrub is not idle."""
    brief = replace(AT_ONCE, lock_wait=0.05, longest=0.05)
    async with postgres_store(server.url(name)) as store:
        await erased(store)
        beside.execute(SLOW)
        beside.execute("CREATE INDEX slow_idx ON messages (slow(role))")
        assert scrub(server.url(name), brief)["messages"] is VacuumOutcome.TOO_LONG
        beside.execute("DROP INDEX slow_idx")
        await talk(store, await opened(store, "later"), OTHER, random.Random(1))
        assert scrub(server.url(name)) == ALL


async def test_a_stranger_is_refused(
    server: PostgresServer, beside: psycopg.Connection, name: str, tmp_path: Path
) -> None:
    """PostgreSQL only warns whoever may not write a table anew; the command fails and says why."""
    async with postgres_store(server.url(name)) as store:
        await erased(store)
    beside.execute("DROP ROLE IF EXISTS stranger")
    beside.execute("CREATE ROLE stranger LOGIN")
    beside.execute("GRANT SELECT ON erasures TO stranger")
    address = server.url(name).replace("postgres@", "stranger@")
    ran = Place(tmp_path, environ=environment(HEARTRULE_DATABASE_URL=address)).heartrule("scrub")
    beside.execute("DROP OWNED BY stranger; DROP ROLE stranger")
    assert ran.returncode == 1
    assert "messages: the user of HEARTRULE_DATABASE_URL does not own it" in ran.stderr


async def test_nothing_is_locked_where_nothing_was_erased(
    server: PostgresServer, name: str
) -> None:
    """A scrub that has nothing to do does nothing, unless it is told to do it anyway."""
    async with postgres_store(server.url(name)) as store:
        await talks(store, 1)
        assert scrub(server.url(name)) == {}
        done: list[VacuumedTable] = list(vacuum_database(server.url(name), AT_ONCE, anyway=True))
    assert {each.table: each.outcome for each in done} == ALL
    assert max(each.rows for each in done) > 0


def test_statistics_repeat_no_text(beside: psycopg.Connection) -> None:
    """ANALYZE samples no text column but these: a sample would outlive the row."""
    query = """
        SELECT DISTINCT attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            AND atttypid = 'text'::regtype AND attstattarget <> 0
    """
    sampled = {str(column) for (column,) in beside.execute(query)}
    assert sampled == {"tenant", "session_id", "outcome", "kept"}


def test_a_server_that_is_away_is_told(tmp_path: Path) -> None:
    """The command ends with one sentence and the driver's own words below it."""
    address = f"postgresql://postgres@/x?host={tmp_path}"
    ran = Place(tmp_path, environ=environment(HEARTRULE_DATABASE_URL=address)).heartrule("scrub")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("heartrule: the database does not answer\n  ")


def test_a_sqlite_file_is_not_touched(tmp_path: Path) -> None:
    """Its executor may hold it, and erasures there leave nothing."""
    ran = Place(tmp_path, environ=environment(HEARTRULE_DATABASE_URL="x.db")).heartrule("scrub")
    assert (ran.returncode, ran.stdout[:13]) == (0, "nothing to do")
    assert list(tmp_path.iterdir()) == []
