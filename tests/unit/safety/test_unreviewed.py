"""Which files of the crisis path nobody has read."""

from __future__ import annotations

from pathlib import Path

from heartrule.safety.unreviewed import unreviewed


def test_files_without_a_reader_are_named(tmp_path: Path) -> None:
    """A file whose `reviewed` is a day is not; one in a folder is named with it."""
    (tmp_path / "messages").mkdir()
    (tmp_path / "messages" / "en.yaml").write_text("version: 1\nreviewed: needs a reader\n")
    (tmp_path / "path.yaml").write_text("reviewed: 2026-11-23\nnote: needs a reader\n")
    assert unreviewed(tmp_path) == ("messages/en.yaml",)
