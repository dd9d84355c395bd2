"""The keyword table of document 001."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.variables.keywords import KeywordTable, load_keywords
from heartrule.chassis.config_files import InvalidConfigFile
from heartrule.domain.variables import VariableScope

CONFIG = Path(__file__).parents[4] / "_system" / "config"
GLOBAL, SESSION = VariableScope.GLOBAL, VariableScope.SESSION


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("全局配置", GLOBAL),
        ("用户基础信息", GLOBAL),
        ("会话次数", SESSION),
        ("累积得分", SESSION),
        ("我的累积", SESSION),
        ("全局累积", GLOBAL),
        ("用户", None),
        ("情绪", None),
        ("", None),
    ],
)
def test_the_table_that_ships(name: str, scope: VariableScope | None) -> None:
    """The words of document 001 stand for their scopes wherever they stand in a name."""
    assert load_keywords(CONFIG).scope_of(name) is scope


def test_without_a_file_no_word_counts(tmp_path: Path) -> None:
    """An installation without the table leaves every undeclared name to its topic."""
    assert load_keywords(tmp_path) == KeywordTable()
    assert KeywordTable().scope_of("全局") is None


@pytest.mark.parametrize("text", ["- {scope: world, words: [a]}", "- {scope: global, words: []}"])
def test_a_wrong_table_is_refused(tmp_path: Path, text: str) -> None:
    """An unknown scope and a group without words are errors at start."""
    (tmp_path / "variable_scopes.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidConfigFile):
        load_keywords(tmp_path)
