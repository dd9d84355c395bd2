"""Where the files that ship with HeartRule are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import heartrule
from heartrule.chassis.system_files import system_dir


def test_a_checkout_has_its_own_folder() -> None:
    """Without a setting, the folder beside the package is the one."""
    assert system_dir() == Path(heartrule.__file__).resolve().parent.parent / "_system"


def test_an_override_wins(tmp_path: Path) -> None:
    """The setting replaces the folder altogether."""
    assert system_dir(tmp_path) == tmp_path.resolve()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error says where was looked."""
    with pytest.raises(FileNotFoundError, match="missing"):
        system_dir(tmp_path / "missing")
