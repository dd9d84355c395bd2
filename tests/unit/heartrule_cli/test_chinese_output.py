"""What the commands print is in the language of whoever reads it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule.domain.decisions import FindingCode
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.__main__ import main
from heartrule_cli.narration.debug_narration import debug_lines
from heartrule_cli.narration.decision_narration import decision_lines
from heartrule_cli.narration.run_narration import run_lines
from heartrule_cli.narration.thread_narration import thread_lines
from tests.support.scripts import ask_script
from tests.support.wire_samples import BODIES
from tests.support.workflow_texts import DIARY, HELLO

ENGLISH = re.compile(r"\b[A-Za-z]{2,} [a-z]+ [a-z]{2,}\b")
# Values, what somebody wrote, and names of files and commands.
QUOTED = re.compile(r'\{".*|"[^"]*"|\'[^\']*\'|`[^`]*`|“[^”]*”|「[^」]*」')
OLDER = """\
sessions:
- session: evening
  colour: blue
  stages:
  - stage: one
    steps:
    - scene: a room
    - scene: a street
    - actions: [{ai_ask: How are you?, output: mood, tolist: moods}, {user_say: Well}, {sing: x}]
  - stage: two
    steps: [{actions: [{set: x}]}]
"""
FILES = {
    "hello.yaml": HELLO,
    "diary.yaml": DIARY,
    "cases.jsonl": '{"words": "b"}\n',
    "old.yaml": OLDER,
    "script.yaml": ask_script(),
    "talk.yaml": "model: [Hello]\nturns: [{}, {client: ready}]\n",
    "decisions.json": '[{"action_type": "continue", "progress": 2, "mood": 1}, {}]',
}
# What the gate and the engine of runs say behind their codes, which is written for agents, and what
# the system says.
_GATE = "|".join(say(f"gate.{each}").told(ReaderLanguage.CHINESE) for each in FindingCode)
OTHERS = re.compile(
    r"nodes\.0\.config\.connection is .*|\b[A-Za-z]+_\w+[:：].*"
    rf"|(?:{_GATE})：.*"
    r"|No such file or directory|Expecting value"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the files of the examples; no key and no policy are set."""
    monkeypatch.chdir(tmp_path)
    for name in ("HEARTRULE_DECISION_POLICY", "HEARTRULE_PROVIDERS", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "typed",
    [
        "workflow check hello.yaml diary.yaml none.yaml",
        "workflow run hello.yaml",
        "workflow run hello.yaml --input x=1",
        "workflow run hello.yaml --input x",
        "workflow run diary.yaml",
        "screen --file cases.jsonl",
        "screen --file none.jsonl",
        "safety report --since autumn",
        "scrub",
        "migrate old.yaml",
        "migrate hello.yaml",
        "prompts diff s.yaml",
        "prompts diff --against nowhere",
        "agent run researcher --message sleep",
        "agent run talker",
        "decision check decisions.json",
        "decision check hello.yaml",
        "ablate script.yaml --with talk.yaml --repeat 1 --design alone",
        "ablate script.yaml --with hello.yaml",
    ],
)
def test_what_is_printed_in_chinese_has_no_english_sentence(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three English words in a row are one, where nobody wrote them and no command has them."""
    main([*typed.split(), "--lang", "zh-CN"])
    told = capsys.readouterr()
    lines = OTHERS.sub("", QUOTED.sub("", told.out + told.err))
    assert re.search("[\u4e00-\u9fff]", lines)
    assert ENGLISH.findall(lines) == []


def test_debug_tells_events_in_chinese() -> None:
    """Ids, codes and payloads stay as they are."""
    chinese = ReaderLanguage.CHINESE
    kinds = (debug_lines, decision_lines, run_lines, thread_lines)
    told = [line for body in BODIES for lines in kinds for line in lines(body, chinese)]
    assert len(told) >= len(kinds)
    assert [line for line in told if not re.search("[\u4e00-\u9fff]", line)] == []
    assert ENGLISH.findall(OTHERS.sub("", QUOTED.sub("", "\n".join(told)))) == []
