"""Migrations and tables say the same; code meets schemas N and N + 1."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from heartrule.domain.errors import NotReady
from session_store.open import open_store
from session_store.sql.database import tables, tables_beside
from session_store.sql.database.migrate import HEAD, MIGRATIONS, migrate
from session_store.sql.database.schema import metadata
from tests.support.postgres import PostgresServer, shared_server
from tests.support.stores import FILE, migrated_file, sqlite_store

assert tables.sessions.metadata is tables_beside.advice.metadata


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Connection]:
    """Give a connection to an empty database."""
    if request.param == "sqlite":
        engine = sa.create_engine(f"sqlite:///{tmp_path / 'empty.db'}", poolclass=sa.NullPool)
        with engine.begin() as db:
            yield db
        return
    server = shared_server()
    name = server.create("template0")
    url = server.url(name).replace("postgresql://", "postgresql+psycopg://")
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as db:
        yield db
    server.drop(name)


def script_directory() -> ScriptDirectory:
    """Return the migrations as Alembic sees them."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return ScriptDirectory.from_config(config)


def test_migrations_make_the_tables(database: sa.Connection) -> None:
    """Alembic finds no difference between a migrated database and the tables in code."""
    migrate(database)
    context = MigrationContext.configure(database, opts={"compare_type": True})
    assert compare_metadata(context, metadata) == []


def test_migrations_make_every_detail(database: sa.Connection) -> None:
    """Keys, defaults, conditions of indexes and storage settings are equal too."""
    migrate(database)
    migrated = details(database)
    database.exec_driver_sql("DROP TABLE alembic_version")
    metadata.drop_all(database)
    metadata.create_all(database)
    assert migrated == details(database)


def details(db: sa.Connection) -> set[tuple[str, str]]:
    """Return each table and index with its definition, as the database keeps it."""
    if db.dialect.name == "sqlite":
        query = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    else:
        query = """
            SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL
            SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
                FROM pg_constraint WHERE connamespace = 'public'::regnamespace UNION ALL
            SELECT table_name || '.' || column_name, data_type || is_nullable || ordinal_position
                FROM information_schema.columns WHERE table_schema = 'public' UNION ALL
            SELECT relname, reloptions::text FROM pg_class WHERE reloptions IS NOT NULL
        """
    rows = db.exec_driver_sql(query)
    found = {(str(name), " ".join(str(text).split())) for name, text in rows}
    return {row for row in found if "alembic_version" not in row[0]}


def test_migrating_again_changes_nothing(database: sa.Connection) -> None:
    """A database at the newest schema stays as it is."""
    migrate(database)
    before = details(database)
    migrate(database)
    assert details(database) == before


def test_migrations_are_named_by_their_number() -> None:
    """File 0001_some_words.py holds revision 0001, and each follows the one before it."""
    names = sorted(path.name for path in (MIGRATIONS / "versions").glob("[!_]*.py"))
    assert [name for name in names if not re.fullmatch(r"\d{4}(_[a-z]+)+\.py", name)] == []
    chain = [each.revision for each in script_directory().walk_revisions()]
    assert chain == sorted((name[:4] for name in names), reverse=True)
    assert [int(each) for each in reversed(chain)] == list(range(1, len(chain) + 1))


def test_the_first_migration_is_written_out_before_a_second_follows() -> None:
    """While it makes the tables as the code has them, no later migration can start from it."""
    first, *later = sorted((MIGRATIONS / "versions").glob("[!_]*.py"))
    assert "metadata.create_all" not in first.read_text() or not later


def test_the_newest_migration_is_known_by_name() -> None:
    """What a start compares with, before it imports Alembic, is the newest migration."""
    assert script_directory().get_current_head() == HEAD


def test_a_start_with_nothing_to_do_spares_alembic(tmp_path: Path) -> None:
    """Alembic is not imported where the database is up to date."""
    (tmp_path / FILE).write_bytes(migrated_file())
    program = (
        "import asyncio, sys; from session_store.open import open_store; "
        f"asyncio.run(open_store({str(tmp_path / FILE)!r}).start()); "
        "print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"


@pytest.mark.parametrize("stored", [f"{int(HEAD) + 1:04}", f"{int(HEAD) + 2:04}"])
async def test_a_later_schema_is_met_once(stored: str, tmp_path: Path) -> None:
    """The next release's schema is served, the one after it refused with NotReady."""
    (tmp_path / FILE).write_bytes(migrated_file())
    with sa.create_engine(f"sqlite:///{tmp_path / FILE}", poolclass=sa.NullPool).begin() as db:
        db.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{stored}'")
    if int(stored) == int(HEAD) + 1:
        async with sqlite_store(tmp_path) as store:
            await store.ping()
        return
    with pytest.raises(NotReady) as refused:
        async with sqlite_store(tmp_path):
            pass
    assert refused.value.reason == "SCHEMA_TOO_NEW"


def test_a_database_that_lacks_a_column_is_refused(database: sa.Connection) -> None:
    """It was made before its schema was released; the first thing missing is named."""
    migrate(database)
    database.exec_driver_sql("ALTER TABLE assets DROP COLUMN mime_type")
    with pytest.raises(NotReady, match=r"assets\.mime_type") as refused:
        migrate(database)
    assert refused.value.reason == "SCHEMA_DIFFERS"


async def test_two_processes_may_start_at_once(server: PostgresServer) -> None:
    """Two that find an empty database wait for each other; both then serve it."""
    name = server.create("template0")
    stores = [open_store(server.url(name)) for _ in range(2)]
    await asyncio.gather(*(store.start() for store in stores))
    for store in stores:
        await store.ping()
        await store.aclose()
    server.drop(name)
