"""Reading the crisis line's files: all errors of a file at once, by place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from executor_service.safety.crisis_rules import InvalidSafetyFile, load_crisis_rules

SHIPPED = Path(__file__).parents[4] / "_system" / "safety"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped files."""
    for name in ("rules.yaml", "resources.yaml"):
        shutil.copy(SHIPPED / name, tmp_path / name)
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence in a file, which must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_absent_file(tmp_path: Path) -> None:
    """A folder without the files is an error that names the file."""
    with pytest.raises(InvalidSafetyFile, match=r"rules\.yaml"):
        load_crisis_rules(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("category: suicide", "category: sadness", "category"),
        ("id: zh_suicide", "id: Zh Suicide", "id"),
        ("- kill myself", "- Kill  Myself", "'kill myself'"),
        ("- 想死\n", "- 想死\n      - 很想死\n", "already matched by '想死'"),
        ("- 自杀式", "- 式样", "contains no phrase"),
        ("id: zh_self_harm", "id: zh_suicide", "same id"),
        ("negators:", "negatives:", "negators"),
        ('"《》", "〈〉"]', '"《》》"]', "pairs"),
    ],
)
def test_broken_rules(folder: Path, old: str, new: str, said: str) -> None:
    """Whatever could not work is refused when the file is read, by name."""
    change(folder / "rules.yaml", old, new)
    with pytest.raises(InvalidSafetyFile, match=said):
        load_crisis_rules(folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("default: zh-CN", "default: zh-XX", "zh-XX"),
        ("en: generic", "en: nowhere", "nowhere"),
        ("  generic: |", "  other: |", "generic"),
        ("version:", "edition:", "version"),
    ],
)
def test_broken_resources(folder: Path, old: str, new: str, said: str) -> None:
    """A message that could not be found is missed when the file is read."""
    change(folder / "resources.yaml", old, new)
    with pytest.raises(InvalidSafetyFile, match=said):
        load_crisis_rules(folder)


def test_all_errors_at_once(folder: Path) -> None:
    """One reading tells everything that is wrong with a file."""
    change(folder / "rules.yaml", "category: suicide", "category: sadness")
    change(folder / "rules.yaml", "category: self_harm", "category: sorrow")
    with pytest.raises(InvalidSafetyFile) as caught:
        load_crisis_rules(folder)
    assert len(caught.value.violations) == 2
