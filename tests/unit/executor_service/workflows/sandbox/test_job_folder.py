from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.sandbox.job_folder import MOST_IN_FOLDER, JobFolder, remove_left
from executor_service.workflows.sandbox.sandbox_port import (
    MOST_FILE_BYTES,
    MOST_FILES,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode


@pytest.fixture
def folder() -> Iterator[JobFolder]:
    made = JobFolder({"given.csv": b"a,b"})
    yield made
    made.remove()


def write(folder: JobFolder, *names: str, size: int = 3) -> None:
    for name in names:
        (folder.path / name).write_bytes(b"x" * size)


def test_files_of_earlier_nodes_lie_there(folder: JobFolder) -> None:
    """Code opens them by their names."""
    assert (folder.path / "given.csv").read_bytes() == b"a,b"


def test_a_file_that_the_value_names_is_kept(folder: JobFolder) -> None:
    """At any depth of the value; a file that nobody names is not."""
    write(folder, "chart.png", "notes.txt", "other.txt")
    value: JsonValue = {"chart": "chart.png", "more": [{"text": "notes.txt"}], "other.txt": 1}
    assert folder.named_in(value) == {"chart.png": b"xxx", "notes.txt": b"xxx"}


def test_a_given_file_is_kept_where_it_was_changed(folder: JobFolder) -> None:
    """Unchanged it is an earlier node's already."""
    assert folder.named_in("given.csv") == {}
    write(folder, "given.csv")
    assert folder.named_in("given.csv") == {"given.csv": b"xxx"}


def test_a_path_names_nothing(folder: JobFolder) -> None:
    """A text is compared with names, and never opened."""
    write(folder, "chart.png")
    assert folder.named_in(["./chart.png", "/etc/passwd", str(folder.path / "chart.png")]) == {}


def test_a_link_is_not_followed(folder: JobFolder) -> None:
    """Code cannot make one; were there one, its target would not be read."""
    (folder.path / "out").symlink_to("/etc/passwd")
    with pytest.raises(OSError, match="symbolic links"):
        folder.named_in("out")


def test_files_have_limits(folder: JobFolder) -> None:
    """Eight files, of eight mebibytes together."""
    names = [f"{number}.txt" for number in range(MOST_FILES + 1)]
    write(folder, *names)
    assert len(folder.named_in(list(names[:-1]))) == MOST_FILES
    with pytest.raises(NodeFailed) as caught:
        folder.named_in(list(names))
    assert caught.value.failure.code is RunErrorCode.LIMIT
    write(folder, names[0], size=MOST_FILE_BYTES)
    with pytest.raises(NodeFailed):
        folder.named_in(list(names[:2]))


def test_a_folder_is_overfull_by_number(folder: JobFolder) -> None:
    """What was put there does not count."""
    write(folder, *(f"{number}" for number in range(MOST_IN_FOLDER)))
    assert not folder.is_overfull()
    write(folder, "one more")
    assert folder.is_overfull()


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".", "..", "/etc/x"])
def test_a_given_name_stays_in_the_folder(name: str) -> None:
    """A path is no name, and nothing is written then."""
    with pytest.raises(ValueError, match="no file's name"):
        JobFolder({name: b""})


def test_what_a_killed_process_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody holds its lock any more; a folder that is in use stays, and so does one just made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    used, left, made = JobFolder({}), tmp_path / "heartrule-node-a", tmp_path / "heartrule-node-b"
    for each in (left, made):
        each.mkdir()
        (each / "given.csv").write_text("words")
    for each in (used.path, left):
        os.utime(each, (1, 1))
    remove_left()
    assert sorted(tmp_path.iterdir()) == sorted([used.path, made])
    used.remove()
