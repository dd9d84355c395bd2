"""What the next action is told of how the one before it ended (document 000, scene 5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.exits.hints import ExitHints, load_exit_hints
from heartrule.chassis.config_files import InvalidConfigFile
from heartrule.domain.exits import ExitReason

CONFIG = Path(__file__).parents[4] / "_system" / "config"


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (ExitReason.MAX_ROUNDS_REACHED, ("最大轮次", "总结", "未完成", "下一步")),
        (ExitReason.EXIT_CRITERIA_MET, ("收集完成", "变量", "齐全", "下一步")),
        (ExitReason.USER_BLOCKED, ("遇到阻碍", "安抚", "降低要求")),
        (ExitReason.OFF_TOPIC, ("偏离", "带回正题")),
    ],
)
def test_each_reason_has_its_line(reason: ExitReason, words: tuple[str, ...]) -> None:
    """The four hints say what scene 5 asks for."""
    line = load_exit_hints(CONFIG).line(reason)
    assert [word for word in words if word not in line] == []


def test_no_reason_no_hint() -> None:
    """Where no action ended before, nothing is told."""
    assert load_exit_hints(CONFIG).line(None) == ""


def test_a_scheme_may_have_its_own(tmp_path: Path) -> None:
    """A custom scheme's line counts before the default; what it leaves out is the default's."""
    for layer, text in {
        "default": "off_topic: a\nuser_blocked: b\n",
        "custom/x": "off_topic: c\n",
    }.items():
        (tmp_path / layer).mkdir(parents=True)
        (tmp_path / layer / "exit_hints.yaml").write_text(text, encoding="utf-8")
    hints = load_exit_hints(tmp_path)
    found = [hints.line(reason, "x") for reason in (ExitReason.OFF_TOPIC, ExitReason.USER_BLOCKED)]
    assert found == ["c", "b"]
    assert hints.line(ExitReason.OFF_TOPIC, "y") == "a"


@pytest.mark.parametrize("text", ["tired: x", "off_topic: ''", "off_topic: |\n  a\n  b\n"])
def test_wrong_hints_are_refused(tmp_path: Path, text: str) -> None:
    """An unknown reason, an empty line and two lines are errors at start."""
    (tmp_path / "default").mkdir()
    (tmp_path / "default" / "exit_hints.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidConfigFile):
        load_exit_hints(tmp_path)


def test_without_files_nothing_is_told(tmp_path: Path) -> None:
    """An installation may do without hints."""
    assert load_exit_hints(tmp_path) == ExitHints()
