"""Rules that follow their files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from heartrule.safety.reloading_rules import ReloadingRules, content_hash
from heartrule.safety.screen import ScreenContext

SHIPPED = Path(__file__).parents[3] / "_system" / "safety"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped files."""
    shutil.copytree(SHIPPED, tmp_path / "safety")
    return tmp_path / "safety"


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
    change(folder / "rules" / "zh.yaml", '"<not_live>", ', '"<not_live>", "换个活法啦啦", ')
    assert await rules.refresh()
    assert rules.screen("我想换个活法啦啦", ScreenContext()).rules


async def test_faulty_rules_are_refused(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Faulty rules leave the old ones in use and are logged once, with their places."""
    rules = ReloadingRules(folder)
    change(folder / "rules" / "en.yaml", "level: CRISIS", "level: SADNESS")
    assert not await rules.refresh()
    assert not await rules.refresh()
    assert rules.screen("I want to die", ScreenContext()).rules
    assert [each.levelname for each in caplog.records].count("ERROR") == 1
    assert "en.yaml:" in caplog.text


def test_the_hash_is_of_names_and_contents(folder: Path) -> None:
    """The hash changes with a file's content and with its name."""
    first = content_hash(folder)
    (folder / "resources" / "cn.yaml").rename(folder / "resources" / "china.yaml")
    second = content_hash(folder)
    change(folder / "resources" / "china.yaml", "12356", "12357")
    assert len({first, second, content_hash(folder)}) == 3
