"""The page about agents holds as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from tests.support.documents import page

PAGE = page("docs/how-to/talk-through-an-agent.md")
SCRIPT, TALK = re.findall(r"^```yaml\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)
(LINE,) = re.findall(r"^```sh\nheartrule (.*?)\n```$", PAGE.text, re.MULTILINE)
(SHOWN,) = re.findall(r"^```console\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)


def test_its_script_and_its_talk_are_played_as_they_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the line of the page, without a word of complaint."""
    monkeypatch.chdir(tmp_path)
    Path("agent.yaml").write_text(SCRIPT, encoding="utf-8")
    Path("talk.yaml").write_text(TALK, encoding="utf-8")
    assert main(["check", "agent.yaml"]) == 0
    assert capsys.readouterr().out == "OK: 1 script\n"
    assert main(LINE.split()) == 0
    assert capsys.readouterr().out.startswith("OK: 1 conversation, ")
    assert main([*LINE.split(), "--transcript"]) == 0
    told = capsys.readouterr().out
    assert [line for line in SHOWN.splitlines() if line.rstrip("…") not in told] == []
