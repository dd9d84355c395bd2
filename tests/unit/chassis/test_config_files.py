"""Data files of `_system/config`."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heartrule.chassis.config_files import InvalidConfigFile, read_config

SHAPE: TypeAdapter[dict[str, int]] = TypeAdapter(dict[str, int])


def test_a_file_gives_what_it_says(tmp_path: Path) -> None:
    """Its values come in the types of the shape."""
    (tmp_path / "a.yaml").write_text("x: 1\n", encoding="utf-8")
    assert read_config(tmp_path / "a.yaml", SHAPE, absent={}) == {"x": 1}


def test_an_absent_file_is_no_error(tmp_path: Path) -> None:
    """An installation may leave a data file out."""
    assert read_config(tmp_path / "a.yaml", SHAPE, absent={"y": 2}) == {"y": 2}


def test_all_that_is_wrong_is_named(tmp_path: Path) -> None:
    """Every violation bears the file, line and column, and the path in it."""
    (tmp_path / "a.yaml").write_text("x: one\ny: two\n", encoding="utf-8")
    with pytest.raises(InvalidConfigFile) as refused:
        read_config(tmp_path / "a.yaml", SHAPE, absent={})
    assert [each.field for each in refused.value.violations] == ["a.yaml:1:4: x", "a.yaml:2:4: y"]
    assert refused.value.reason == "INVALID_CONFIG_FILE"


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """A file that is not UTF-8 is an error with its name."""
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidConfigFile):
        read_config(tmp_path / "a.yaml", SHAPE, absent={})
