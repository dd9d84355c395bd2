"""`heartrule screen`: a text or a file of cases, one JSON object for each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main


def test_a_text_is_screened_without_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    """A text is answered with its level, the rules, and whether a card or a question comes."""
    assert main(["screen", "我不想活了"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["level"] == "CRISIS"
    assert said["rules"] == ["zh_not_live"]
    assert (said["card"], said["question"]) == (True, False)


def test_a_file_of_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line has an id, a text and what came before it: what was asked, or more."""
    lines = [
        {"id": "a", "text": "I baked a cake", "locale": "en-US"},
        {"id": "b", "text": "yes", "context": "Do you think of suicide?"},
        {"id": "c", "text": "死", "context": {"question": "", "earlier": ["我想"]}},
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["screen", "--file", str(file)]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    levels = {each["id"]: each["level"] for each in said}
    assert levels == {"a": "NONE", "b": "CRISIS", "c": "CRISIS"}


def test_a_faulty_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line that is no case is an error with its number, and nothing is screened."""
    file = tmp_path / "cases.jsonl"
    file.write_text('{"text": "a"}\n{"words": "b"}\n', encoding="utf-8")
    assert main(["screen", "--file", str(file)]) == 2
    said = capsys.readouterr()
    assert "cases.jsonl:2: text" in said.err
    assert not said.out
