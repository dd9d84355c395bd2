"""Values and files of runs that lie apart from the rows of their nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import NotFound
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from session_store.records.kept_runs import KeptArtifact
from session_store.records.runs import NewArtifact
from session_store.runs.run_sizes import WrittenValue, read_value, require_files, require_room
from session_store.sql.database.prepared import Prepared, copy_rows
from session_store.sql.database.statements import Found, at, insert_new, of, owned, upsert
from session_store.sql.database.tables_of_runs import run_artifacts, run_values, runs
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import sessions

OF_RUN: sa.BindParameter[str] = bindparam("at_run")
_NEW_VALUE = Prepared(insert_new(run_values).returning(run_values.c.sha256))
_NAMED = select(run_values.c.sha256, run_values.c.value).where(
    of(run_values),
    run_values.c.run_id == OF_RUN,
    run_values.c.sha256.in_(bindparam("names", expanding=True)),
)
_FILE = Prepared(upsert(run_artifacts))
_LISTED = Prepared(
    select(*(each for each in run_artifacts.c if each.name != "content"))
    .where(of(run_artifacts), run_artifacts.c.run_id == OF_RUN)
    .order_by(run_artifacts.c.path, run_artifacts.c.name)
)
_ONE = Prepared(
    select(run_artifacts).where(
        of(run_artifacts),
        run_artifacts.c.run_id == OF_RUN,
        run_artifacts.c.path == bindparam("at_path"),
        run_artifacts.c.name == bindparam("at_name"),
    )
)
_OF_NODES = select(run_artifacts).where(
    of(run_artifacts),
    run_artifacts.c.run_id == OF_RUN,
    run_artifacts.c.path.in_(bindparam("names", expanding=True)),
)
_GROW = Prepared(
    runs.update()
    .where(of(runs), runs.c.run_id == OF_RUN)
    .values(stored_bytes=runs.c.stored_bytes + bindparam("added"))
    .returning(runs.c.stored_bytes)
)
_FILES = RowsOf(KeptArtifact, run_artifacts, but="content")


@dataclass(frozen=True, slots=True)
class OfRun:
    """A run of a session."""

    key: SessionKey
    run_id: str

    @property
    def at(self) -> dict[str, object]:
        """Return the parameters of statements about it."""
        return at(self.key) | {"at_run": self.run_id}

    @property
    def owned(self) -> dict[str, object]:
        """Return the first columns of its rows."""
        return owned(self.key) | {"run_id": self.run_id}


def store(db: sa.Connection, run: OfRun, values: Iterable[WrittenValue]) -> None:
    """Write what lies apart and is not there yet.

    Errors:
        QuotaSpent: the run has no room for it; reason RUN_VALUES_SPENT.
    """
    apart = [each for each in values if each.apart]
    added = sum(
        each.size
        for each in apart
        if _NEW_VALUE.row(db, run.owned | {"sha256": each.sha256, "value": each.apart}) is not None
    )
    _grow(db, run, added)


def store_files(
    db: sa.Connection, run: OfRun, path: str, files: Sequence[NewArtifact], now: datetime
) -> None:
    """Write the files of a node, in the place of those of the same names that it wrote before.

    Errors:
        QuotaSpent: they are too many or too large, reason RUN_VALUE_TOO_LARGE; or the run has no
            room for them, reason RUN_VALUES_SPENT.
    """
    sizes = [len(each.content) for each in files]
    require_files(sizes)
    for each, size in zip(files, sizes, strict=True):
        row = {
            "path": path,
            "name": each.name,
            "mime_type": each.mime_type,
            "size": size,
            "sha256": sha256(each.content).hexdigest(),
            "content": each.content,
            "create_time": now,
        }
        _FILE.run(db, run.owned | row)
    _grow(db, run, sum(sizes))


def keep_files(db: sa.Connection, run: OfRun, earlier: str, paths: Iterable[str]) -> None:
    """Take over the files that nodes wrote in an earlier run."""
    wanted = sorted(paths)
    rows = db.execute(_OF_NODES, OfRun(run.key, earlier).at | {"names": wanted}).all()
    copy_rows(db, run_artifacts, rows, run.owned)
    _grow(db, run, sum(row.size for row in rows))


def _grow(db: sa.Connection, run: OfRun, added: int) -> None:
    """Count bytes of a run; nothing added costs nothing."""
    if added:
        require_room(_GROW.scalar(db, run.at | {"added": added}))


def texts_of(db: sa.Connection, run: OfRun, names: Iterable[str]) -> dict[str, str]:
    """Return texts that lie apart by their hashes; no hash, no query."""
    wanted = sorted(set(filter(None, names)))
    rows = db.execute(_NAMED, run.at | {"names": wanted}).all() if wanted else ()
    return {row.sha256: row.value for row in rows}


def get_run_value(db: sa.Connection, key: SessionKey, run_id: str, sha256: str) -> JsonValue:
    """Return a value that lies apart; NotFound where there is none, or it was emptied by age."""
    sessions.read(db, key)
    found = texts_of(db, OfRun(key, run_id), [sha256])
    if sha256 not in found:
        raise NotFound("run_value", sha256)
    return read_value(found[sha256])


def files_of(db: sa.Connection, run: OfRun) -> tuple[KeptArtifact, ...]:
    """Return the files of a run without their content."""
    return tuple(_kept(row) for row in _LISTED.rows(db, run.at))


def get_run_artifact(
    db: sa.Connection, key: SessionKey, run_id: str, path: str, name: str
) -> KeptArtifact:
    """Return a file with its content; NotFound where there is none, or it was deleted by age."""
    sessions.read(db, key)
    wanted = OfRun(key, run_id).at | {"at_path": path, "at_name": name}
    row = _ONE.row(db, wanted)
    if row is None:
        raise NotFound("run_artifact", f"{run_id}/{path}/{name}")
    return _kept(row, bytes(row.content))


def _kept(row: Found, content: bytes = b"") -> KeptArtifact:
    return _FILES.value(row, content=content)
