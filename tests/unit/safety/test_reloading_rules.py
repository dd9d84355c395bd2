"""Rules that follow their files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from heartrule.safety.crisis_rules import CrisisRules, load_crisis_rules
from heartrule.safety.reloading_rules import ReloadingRules, content_hash
from heartrule.safety.screen import ScreenContext
from tests.support.shipped_files import SAFETY_FILES

FEW_RULES = Path(__file__).parents[2] / "testdata" / "few_safety_rules"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped files with few rules, read in no time."""
    shutil.copytree(SAFETY_FILES, tmp_path / "safety")
    return shutil.copytree(FEW_RULES, tmp_path / "safety", dirs_exist_ok=True)


def change(path: Path, old: str, new: str) -> None:
    """Replace a text in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


async def test_changed_rules_are_used(folder: Path) -> None:
    """New rules take the place of the old ones; unchanged files are not read again."""
    rules = ReloadingRules(folder)
    assert not await rules.refresh()
    assert not rules.screen("我想换个活法啦啦", ScreenContext()).rules
    change(folder / "rules" / "zh.yaml", '"遗书"', '"遗书", "换个活法啦啦"')
    assert await rules.refresh()
    assert rules.screen("我想换个活法啦啦", ScreenContext()).rules


async def test_faulty_rules_are_refused(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Faulty rules leave the old ones in use and are logged once, with their places."""
    rules = ReloadingRules(folder)
    change(folder / "rules" / "en.yaml", "level: CRISIS", "level: SADNESS")
    assert not await rules.refresh()
    assert not await rules.refresh()
    assert rules.screen("I want to die", ScreenContext()).rules
    (faulty,) = [each for each in caplog.records if each.levelname == "ERROR"]
    assert "en.yaml:" in vars(faulty)["why"]


async def test_files_that_cannot_be_read_leave_the_rules_in_use(folder: Path) -> None:
    """A file that is being replaced costs nobody a card; its content counts once it is there."""
    rules = ReloadingRules(folder)
    messages = folder / "messages" / "en.yaml"
    content = messages.read_text(encoding="utf-8")
    messages.unlink()
    messages.symlink_to("nowhere")
    assert not await rules.refresh()
    assert rules.screen("I want to die", ScreenContext()).rules
    messages.unlink()
    messages.write_text(f"{content}# another\n", encoding="utf-8")
    assert await rules.refresh()


async def test_a_file_that_was_away_for_a_moment_is_read_again(folder: Path) -> None:
    """It may have been replaced after the files were hashed: no further change is waited for."""
    away = [False, True]

    def load(at: Path) -> CrisisRules:
        if away and away.pop(0):
            raise FileNotFoundError
        return load_crisis_rules(at)

    rules = ReloadingRules(folder, load)
    change(folder / "rules" / "zh.yaml", '"遗书"', '"遗书", "换个活法啦啦"')
    assert [await rules.refresh() for _ in range(3)] == [False, True, False]
    assert rules.screen("我想换个活法啦啦", ScreenContext()).rules


def test_the_hash_is_of_names_and_contents(folder: Path) -> None:
    """The hash changes with a file's content and with its name."""
    first = content_hash(folder)
    (folder / "resources" / "cn.yaml").rename(folder / "resources" / "china.yaml")
    second = content_hash(folder)
    change(folder / "resources" / "china.yaml", "12356", "12357")
    assert len({first, second, content_hash(folder)}) == 3
