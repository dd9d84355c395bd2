"""`heartrule run`: everything in one command, in an empty folder."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.support.command import GREETING, Place, session_in

pytestmark = pytest.mark.slow

LONG = pytest.mark.long(
    short="tests/e2e/cli/test_terminal.py::test_a_person_talks_leaves_and_goes_on"
)
WELCOME, QUESTION = "你好，很高兴你今天来到这里。", "我可以怎么称呼你呢？"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder."""
    return Place(tmp_path)


def test_piped_lines_hold_a_whole_conversation(place: Place) -> None:
    """First who speaks, then each message once, then what was left; `show` tells all of it."""
    ran = place.heartrule("run", "greeting.yaml", lines="小明\n还有一句\n")
    lines = ran.stdout.splitlines()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert lines[0].startswith("rehearsal model: no key is set")
    assert [lines.count(text) for text in (WELCOME, QUESTION, "> 小明")] == [1, 1, 1]
    assert lines.index(WELCOME) < lines.index(QUESTION) < lines.index("> 小明")
    assert any(line.startswith("小明，谢谢你愿意告诉我") for line in lines)
    assert lines[-2:] == ["  not sent, since the script had ended: 1 line", "    还有一句"]

    shown = place.heartrule("show", session_in(ran.stdout))
    assert shown.returncode == 0
    assert [shown.stdout.count(text) for text in (WELCOME, QUESTION)] == [1, 1]
    for words in ("status   completed", '称呼 = "小明"', "ask_name round 1 ends by"):
        assert words in shown.stdout


@LONG
def test_lines_that_end_early_can_be_gone_on_with(place: Place) -> None:
    """What is printed at the end is a command that resumes."""
    began = place.heartrule("run", "greeting.yaml")
    *_, waits, command = began.stdout.splitlines()
    assert (began.returncode, "hello › greet › ask_name · round 1 of 3" in waits) == (0, True)
    _, typed = command.split("go on with: ")
    resumed = place.heartrule(*shlex.split(typed)[-3:], lines="小明\n")
    assert (resumed.returncode, resumed.stdout.count(QUESTION)) == (0, 1)
    assert "the script is at its end" in resumed.stdout


def test_the_second_mind_is_seen_at_work(place: Place) -> None:
    """A refusal brings advice, and the next turn's prompt holds it: asked, made, consumed."""
    ran = place.heartrule("run", "greeting.yaml", "--debug", lines="不想说\n还是不想说\n")
    lines = ran.stdout.splitlines()
    places = [
        next(at for at, line in enumerate(lines) if words in line)
        for words in (
            "> 不想说",
            "exit: goes on (user_blocked)",
            "advice pending (concern) on ask_name round 1",
            "analysis of round 1: advice",
            "> 还是不想说",
            "advice consumed (concern) on ask_name round 1",
        )
    ]
    assert (ran.returncode, places) == (0, sorted(places))


def test_a_script_with_mistakes_starts_nothing(place: Place) -> None:
    """Each mistake with its place, exit code 2, no services, no database."""
    text = GREETING.read_text(encoding="utf-8").replace("ai_ask", "ai_aks")
    (place.folder / "mine.yaml").write_text(text, encoding="utf-8")
    ran = place.heartrule("run", "mine.yaml")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("mine.yaml:23:28: unknown action type 'ai_aks'")
    assert not (place.folder / ".heartrule").exists()


def test_settings_that_are_wrong_are_named_by_the_service(place: Place) -> None:
    """A key without a model is one sentence on the terminal, the rest in the log."""
    place.environ["OPENAI_API_KEY"] = "k-secret"
    ran = place.heartrule("run", "greeting.yaml")
    assert ran.returncode == 1
    assert "HEARTRULE_MODEL is required with OPENAI_API_KEY" in ran.stderr
    assert ".heartrule/logs/" in ran.stderr
    assert "k-secret" not in ran.stdout + ran.stderr
