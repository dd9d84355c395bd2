"""A published script becomes files."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule_cli.commands.pull import write_files
from heartrule_cli.failure import Failure


def test_files_are_written_below_the_folder(tmp_path: Path) -> None:
    """Folders are made; what is the same already is not written and not named."""
    files = {"a.yaml": b"a", "assets/b.png": b"b"}
    assert write_files(tmp_path, files, is_forced=False) == [
        tmp_path / "a.yaml",
        tmp_path / "assets/b.png",
    ]
    assert write_files(tmp_path, files, is_forced=False) == []


def test_a_file_that_differs_is_replaced_only_by_force(tmp_path: Path) -> None:
    """Before that nothing is written, not even what would not have been in the way."""
    (tmp_path / "a.yaml").write_bytes(b"mine")
    files = {"a.yaml": b"a", "b.yaml": b"b"}
    with pytest.raises(Failure, match=r"a\.yaml differs"):
        write_files(tmp_path, files, is_forced=False)
    assert not (tmp_path / "b.yaml").exists()
    write_files(tmp_path, files, is_forced=True)
    assert (tmp_path / "a.yaml").read_bytes() == b"a"
