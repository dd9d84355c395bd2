"""A yes to an ordinary question says nothing of danger."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from heartrule.chassis.system_files import system_dir
from heartrule.domain.safety import SafetyLevel
from heartrule.safety.screen import ScreenContext
from tests.support.shipped_files import shipped_screen

FILES = [
    path
    for folder in ("scripts", "skills")
    for path in sorted((system_dir() / folder).glob("*.yaml"))
]


def questions(node: object) -> list[str]:
    """Return what the actions of a file say, without those that are mandatory."""
    if isinstance(node, list):
        return [text for each in node for text in questions(each)]
    if not isinstance(node, dict) or node.get("mandatory"):
        return []
    own = node["config"].get("content", "") if "action_type" in node else ""
    return [own, *(text for each in node.values() for text in questions(each))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_shipped_question_is_no_question_of_danger(path: Path) -> None:
    """Whatever a shipped script asks but its safety question, a yes raises no level."""
    asked = filter(None, questions(yaml.safe_load(path.read_text(encoding="utf-8"))))
    screen = shipped_screen()
    raised = {
        text: level
        for text in asked
        for answer in ("嗯", "有的，有一个")
        if (level := screen.screen(answer, ScreenContext(question=text)).level)
    }
    assert raised == {}


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("后来你是怎么做的？", "我想先去洗了把脸"),
        ("你用什么方式让自己放松？", "有时候听歌"),
        ("愿意接着往下走吗？", "嗯"),
        ("生命里最重要的人是谁？", "有过一个朋友"),
        ("有没有哪些事实和这个念头不太一样？", "有，客户夸过我"),
        ("Shall we do it together?", "yes"),
    ],
)
def test_an_ordinary_question_asks_for_no_danger(asked: str, answer: str) -> None:
    """Ways, plans and thoughts of every day are asked for in the same words."""
    level = shipped_screen().screen(answer, ScreenContext(question=asked)).level
    assert level is SafetyLevel.NONE
