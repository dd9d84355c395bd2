"""Loading the fixed texts: every fault of every file, with its place, in one error."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from heartrule.safety.data_files import InvalidSafetyFile
from heartrule.safety.safety_texts import load_safety_texts, outdated

SHIPPED = Path(__file__).parents[3] / "_system" / "safety"
ENGLISH, CHINA = "messages/en.yaml", "resources/cn.yaml"
LINE = "The same line."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the files we ship."""
    return shutil.copytree(SHIPPED, tmp_path / "safety")


@pytest.fixture
def spoil(folder: Path) -> Callable[[str, str, str], None]:
    """Replace a piece of a file, which must be there."""

    def replaced(name: str, old: str, new: str) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), "utf-8")

    return replaced


Spoil = Callable[[str, str, str], None]


def faults(folder: Path) -> list[str]:
    """Return the faults of a folder as `place: message`."""
    with pytest.raises(InvalidSafetyFile) as caught:
        load_safety_texts(folder)
    return [f"{one.field}: {one.description}" for one in caught.value.violations]


def test_all_faults_in_one_error(folder: Path, spoil: Spoil) -> None:
    """Faults of several files come together, each with file, line and column."""
    spoil(ENGLISH, 'joint: "; "', "joined: yes")
    spoil(CHINA, 'verified_at: "2026-11-21"', "")
    found = faults(folder)
    assert any(each.startswith("messages/en.yaml:4:1: joint: ") for each in found)
    assert any(each.startswith("messages/en.yaml:10:9: joined: ") for each in found)
    assert any(
        each.startswith("resources/cn.yaml:7:5: ") and "verified_at" in each for each in found
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (ENGLISH, "        {resources}\n", "", "no slot {resources}"),
        (ENGLISH, "short: Whom could", "short: '{resources} Whom could'\n      more: Whom", "more"),
        (ENGLISH, "    someone:", "    nobody:", "CRISIS.someone has no texts"),
        (ENGLISH, "goodbye: I'm still here", "goodbye: Goodbye, I'm still here", "takes this line"),
        (ENGLISH, "locales: [en]", "locales: [en, zh]", "another file serves this locale"),
        (CHINA, "kind: PHONE", "kind: PIGEON", "must be one of PHONE"),
        (CHINA, ", en: ambulance", "", "no name for en"),
        ("resources/world.yaml", "[unknown]", "[xx]", "no region serves"),
        ("path.yaml", "unknown: en", "unknown: fr", "no messages serve fr"),
        ("path.yaml", "asks: gentle", "asks: sternly", "Input should be"),
        ("path.yaml", "    words: []", "    words: [x]", "the last barrier alone"),
        ("path.yaml", "  CONCERN:", "  WORRY:", "must be one of NONE"),
    ],
)
def test_faults(folder: Path, spoil: Spoil, name: str, old: str, new: str, fault: str) -> None:
    """A file that breaks a rule is refused with the rule it breaks."""
    spoil(name, old, new)
    assert [each for each in faults(folder) if fault in each] != []


def test_a_wording_twice_is_a_fault(folder: Path, spoil: Spoil) -> None:
    """The same wording may not stand twice in one step."""
    spoil(ENGLISH, "short: What makes it hard to reach them?", f"short: {LINE}")
    spoil(ENGLISH, "I'm listening. If you have not reached anyone yet, what holds you back?", LINE)
    assert any("stands here twice" in each for each in faults(folder))


@pytest.mark.parametrize("name", ["path.yaml", "guard.yaml", "messages", "resources"])
def test_absent_files(folder: Path, name: str) -> None:
    """A file or folder that is absent is a fault."""
    path = folder / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert any(name.removesuffix(".yaml") in each for each in faults(folder))


def test_a_number_without_quotes_stays_as_written(folder: Path, spoil: Spoil) -> None:
    """A data file says 0800 as it is written, where YAML would read another number."""
    spoil(CHINA, 'number: "12356"', "number: 0800")
    assert "0800" in [each.number for each in load_safety_texts(folder).all_resources()]


def test_numbers_grow_old() -> None:
    """A resource verified more than 180 days ago is named."""
    texts = load_safety_texts(SHIPPED)
    assert outdated(texts.all_resources(), date(2027, 5, 20)) == ()
    assert len(outdated(texts.all_resources(), date(2027, 5, 21))) == len(texts.all_resources())
