"""The conversations of a bundle are played for the executor; findings stand at their lines."""

from __future__ import annotations

from executor_service.rehearsed import RehearsedScript
from heartrule.chassis.system_files import system_dir
from heartrule.words.language import ReaderLanguage
from heartrule_cli.rehearsal.job import play
from tests.support.scripts import ask_script

HOLDS = "title: 你好\nmodel: [怎么称呼你？]\nturns:\n  - expect: {said: [怎么称呼你？]}\n"


def played(talk: str, script: str = "") -> RehearsedScript:
    """Play one conversation with a script that asks."""
    files = {"s.yaml": (script or ask_script()).encode(), "rehearsals/a.yaml": talk.encode()}
    return play(files, "s.yaml", {}, ["rehearsals/a.yaml"], str(system_dir()))


def test_what_differs_is_a_finding_at_its_line_in_the_readers_language() -> None:
    """One that holds has none, and tells its title and its turns."""
    (holds,) = played(HOLDS).conversations
    (differs,) = played(HOLDS.replace("said: [怎么称呼你？]", "said: [你是谁？]")).conversations
    assert (holds.title, holds.turns, holds.findings) == ("你好", 1, ())
    (found,) = differs.findings
    assert (found.file, found.line, found.column) == ("rehearsals/a.yaml", 4, 21)
    told = found.told(ReaderLanguage.CHINESE).message
    assert told == '第 1 回合，`said` 第 1 项：预期是"你是谁？"，实际是 "怎么称呼你？"'


def test_mistakes_of_script_and_conversation_are_findings() -> None:
    """Of the script's nothing is played; of a conversation's that one is not."""
    broken = played(HOLDS, ask_script().replace("topics", "topcis"))
    (misspelt,) = played(HOLDS.replace("expect", "expcet")).conversations
    assert (bool(broken.errors), broken.conversations) == (True, ())
    assert (misspelt.turns, misspelt.findings[0].line) == (0, 4)
