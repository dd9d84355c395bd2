"""Files of a run on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule_cli.failure import Failure
from heartrule_cli.runs.artifact_files import file_names, write_file
from session_store.records.kept_runs import KeptArtifact


def file(path: str, name: str) -> KeptArtifact:
    return KeptArtifact(path=path, name=name, mime_type="image/png", size=1, sha256="")


def test_a_file_has_its_own_name() -> None:
    """Where several nodes wrote one, the node's path makes the difference."""
    files = [file("a", "x.png"), file("loop/0/b", "y.png"), file("loop/1/b", "y.png")]
    assert list(file_names(files).values()) == ["x.png", "loop-0-b-y.png", "loop-1-b-y.png"]


def test_a_name_leads_nowhere_else(tmp_path: Path) -> None:
    """Code of strangers chose it."""
    written = write_file(str(tmp_path / "new"), "../../../x.png", b"1")
    assert written == str(tmp_path / "new" / "x.png")
    assert Path(written).read_bytes() == b"1"


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """The command ends with it."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(Failure, match="cannot be written"):
        write_file(str(tmp_path / "taken"), "x.png", b"1")
