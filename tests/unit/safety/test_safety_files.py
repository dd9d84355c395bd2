"""Reading the files of the crisis line: all faults of all files at once, each with its place."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from heartrule.safety.data_files import InvalidSafetyFile
from heartrule.safety.safety_files import load_screen

FEW_RULES = Path(__file__).parents[2] / "testdata" / "few_safety_rules"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the files with few rules, read in no time."""
    return shutil.copytree(FEW_RULES, tmp_path / "safety")


def test_few_rules(folder: Path) -> None:
    """Rules that agree and prove themselves are read: whatever is refused below is the change."""
    assert load_screen(folder).screen("I want to die").rules == ("en_wish_to_die",)


def change(path: Path, old: str, new: str) -> int:
    """Replace the first occurrence in a file, which must be there; return its line."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_absent_file(tmp_path: Path) -> None:
    """A folder without the files is an error that names each of them."""
    with pytest.raises(InvalidSafetyFile, match=r"zh\.yaml.*en\.yaml"):
        load_screen(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("level: CRISIS", "level: SADNESS", "must be one of NONE, CONCERN"),
        ("id: en_wish_to_die", "id: En Wish", "pattern"),
        ("negators:", "negatives:", "negat"),
        ("id: en_end_life", "id: en_wish_to_die", "two rules have the id"),
        (
            '"<end_v> ~ <own_life>"',
            '"<end_v> ~ <own_wife>"',
            "no list or earlier phrase '<own_wife>'",
        ),
        ('["<wish> ~ <dying>", ', '["<wished>", ', "no list '<wished>'"),
        ('["<wish> ~ <dying>", ', '["kill ~3  ~4 it", ', "has an empty item"),
        ("misses: [I'm not suicidal, ", "misses: [", "at least 3"),
        ("I really want to die", "What a fine day", "is not found"),
        ("I'm dying to see you", "Now I want to die", "is found"),
    ],
)
def test_a_fault_is_named_with_its_place(folder: Path, old: str, new: str, said: str) -> None:
    """Whatever could not work is refused when the file is read, with its line and column."""
    line = change(folder / "rules" / "en.yaml", old, new)
    with pytest.raises(InvalidSafetyFile) as caught:
        load_screen(folder)
    assert re.search(said, str(caught.value))
    assert any(
        re.match(rf"rules/en\.yaml:({line}|{line + 1}|1):\d+: ", one.field) or "scope" in one.field
        for one in caught.value.violations
    )


def test_all_faults_of_all_files_come_at_once(folder: Path) -> None:
    """One reading names everything that is wrong, in every file."""
    for language in ("zh", "en"):
        change(folder / "rules" / f"{language}.yaml", "level: CRISIS", "level: SADNESS")
        change(folder / "rules" / f"{language}.yaml", "[denied]", "[denial]")
    with pytest.raises(InvalidSafetyFile) as caught:
        load_screen(folder)
    files = [one.field.split(":")[0] for one in caught.value.violations]
    assert files == [f"rules/{each}.yaml" for each in ("zh", "zh", "en", "en")]
