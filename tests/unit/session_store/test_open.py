"""How a store's address is read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from heartrule.domain.errors import InvalidRequest
from session_store.open import open_store


def path_of(address: str | Path) -> Path:
    """Return the file that an address means; nothing is opened."""
    engine: Any = open_store(address)._engine
    return Path(engine._path)


def options_of(address: str) -> Mapping[str, object]:
    """Return what the driver is given; nothing is opened."""
    engine: Any = open_store(address)._engine
    options: Mapping[str, object] = engine._connections.options
    return options


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("sqlite:///.heartrule/heartrule.db", ".heartrule/heartrule.db"),
        ("sqlite:////var/lib/heartrule.db", "/var/lib/heartrule.db"),
        ("heartrule.db", "heartrule.db"),
        (Path("/tmp/x y.db"), "/tmp/x y.db"),
    ],
)
def test_a_file_is_named_by_url_or_path(address: str | Path, path: str) -> None:
    """Three slashes are relative, four absolute, as SQLAlchemy has it; a bare path will do."""
    assert path_of(address) == Path(path)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_server_is_named_by_url(scheme: str) -> None:
    """The usual spellings all mean PostgreSQL; user, host and options are kept."""
    options = options_of(f"{scheme}://me:pw@db.example:6432/heartrule?sslmode=require")
    place = (options["user"], options["password"], options["host"], options["port"])
    assert place == ("me", "pw", "db.example", "6432")
    assert (options["dbname"], options["sslmode"]) == ("heartrule", "require")


def test_several_hosts_are_named_as_libpq_does() -> None:
    """Each is tried in turn, until one is what `target_session_attrs` asks for."""
    options = options_of("postgresql://me@one:5432,two:5433/db?target_session_attrs=read-write")
    assert (options["host"], options["port"]) == ("one,two", "5432,5433")
    assert options["target_session_attrs"] == "read-write"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:secret@host:port/db",
        "postgresql://me:secret@[host/db",
        "postgresql://h?x=1",
    ],
)
def test_an_address_that_is_no_uri_is_refused(address: str) -> None:
    """A slip in it is found before anything is opened, and its password is not repeated."""
    with pytest.raises(InvalidRequest) as refused:
        open_store(address)
    assert refused.value.reason == "DATABASE_URL_INVALID"
    assert "secret" not in refused.value.message


@pytest.mark.parametrize("address", ["mysql://host/db", "sqlite:///", "sqlite:///:memory:", ""])
def test_other_addresses_are_refused(address: str) -> None:
    """What is no database of ours is refused before anything is opened."""
    with pytest.raises(InvalidRequest) as refused:
        open_store(address)
    assert refused.value.reason == "DATABASE_URL_INVALID"


def test_an_error_hides_the_password() -> None:
    """A refused address is not repeated: it may bear a password."""
    with pytest.raises(InvalidRequest) as refused:
        open_store("mysql://me:secret@host/db")
    assert "secret" not in refused.value.message
