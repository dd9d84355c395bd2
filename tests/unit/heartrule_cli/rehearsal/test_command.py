"""`heartrule rehearse`, as its user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from tests.support.scripts import topic_script

SCRIPT = topic_script(
    "{action_type: ai_ask, action_id: name, config: {content: 怎么称呼, output: [{get: 称呼}]}}",
    "{action_type: ai_say, action_id: bye, content: '再见，{称呼}', require_acknowledgment: false}",
)
GOOD = """
title: 说了名字
model:
  - 怎么称呼你？
  - {content: 好的。, EXIT: YES, variables: {称呼: 小明}}
  - 再见，小明。
turns:
  - expect: {said: 怎么称呼你？}
  - client: 小明
    expect:
      said: [好的。, 再见，小明。]
      variables: {称呼: 小明}
      judged: [{action: name, ends: true, source: exit_flag}]
      prompt: {has: 再见，小明, lacks: 小红}
      status: completed
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a script, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def rehearse(folder: Path, *conversations: str) -> int:
    """Rehearse conversations of these texts: a.yaml and so on."""
    names = [f"{letter}.yaml" for letter in "abc"[: len(conversations)]]
    for name, text in zip(names, conversations, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    return main(["rehearse", "s.yaml", "--with", *names])


def test_a_conversation_that_holds_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Several are played one after the other."""
    assert rehearse(folder, GOOD, GOOD) == 0
    assert capsys.readouterr().out == "OK: 2 conversations, 4 turns\n"


def test_a_message_that_differs_is_told_at_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1; file, line, column, what was expected and what came, and how the turn went."""
    assert (
        rehearse(folder, GOOD.replace("said: [好的。, 再见，小明。]", "said: [好的。, 再见。]"))
        == 1
    )
    out, err = capsys.readouterr()
    assert out.startswith(
        'a.yaml:11:19: turn 2, `said` item 2: expected "再见。", got "再见，小明。"\n'
    )
    assert "turn 2 went like this:\n    client     小明\n" in out
    assert err == "1 of 1 conversation not as expected\n"


def test_a_variable_that_differs_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The name of the variable is in the line."""
    assert (
        rehearse(folder, GOOD.replace("variables: {称呼: 小明}\n", "variables: {称呼: 小红}\n"))
        == 1
    )
    expected = 'a.yaml:12:23: turn 2, `variables` 称呼: expected "小红", got "小明"'
    assert expected in capsys.readouterr().out


def test_long_texts_stand_one_below_the_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Chinese signs take two columns; the mark stands below the first that differs."""
    text = "好，我们先聊到这里，谢谢你今天愿意来，也愿意说这么多，"
    long = GOOD.replace("再见，小明。\nturns", f"{text}下次见。\nturns")
    assert rehearse(folder, long.replace("再见，小明。]", f"{text}再会。]")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"    expected  {text}再会。"
    assert lines[2] == f"    got       {text}下次见。"
    assert lines[3] == " " * (14 + 2 * len(text)) + "^"


def test_a_word_that_should_not_be_in_a_prompt_is_shown_in_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A prompt is long; only the lines with the word are told."""
    assert rehearse(folder, GOOD.replace("lacks: 小红", "lacks: 小明")) == 1
    out = capsys.readouterr().out
    assert 'expected a text without "小明", but it is there' in out
    assert "【这一步要讲的】再见，小明\n" in out
    assert "^^^^" in out


def test_a_missing_answer_is_told_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What follows from it is not told."""
    assert rehearse(folder, GOOD.replace("  - 再见，小明。\n", "")) == 1
    first, second, *_ = capsys.readouterr().out.splitlines()
    told = "the model is asked once more (ai_say_v1), and its 2 answers are used up"
    assert first == f"a.yaml:8:5: turn 2: {told}"
    assert second == "  turn 2 went like this:"


def test_an_answer_left_over_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The script asked less often than its author thought."""
    assert rehearse(folder, GOOD.replace("turns:", "  - 还有\n  - 还有\nturns:")) == 1
    expected = "a.yaml:7:5: nobody asked for this answer of `model`, nor for the 1 after it\n"
    assert capsys.readouterr().out == expected


def test_an_input_that_is_refused_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The script ended earlier than its author thought; a refusal that is meant is expected."""
    assert rehearse(folder, GOOD + "  - client: 还有\n") == 1
    told = "turn 3: the input is refused (SESSION_COMPLETED); expect `rejected` where that is meant"
    assert capsys.readouterr().out.startswith(f"a.yaml:16:5: {told}\n")
    meant = "  - {client: 还有, expect: {rejected: [SESSION_COMPLETED]}}\n"
    assert rehearse(folder, GOOD + meant) == 0


def test_a_turn_that_fails_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model that is down fails the turn; where that is what is played, `outcome` says so."""
    down = "model: [{fails: MODEL_TIMEOUT}]\nturns: [{expect: {said: []}}]"
    assert rehearse(folder, down) == 1
    told = "turn 1: the turn failed (MODEL_TIMEOUT); expect `outcome` where that is meant"
    assert capsys.readouterr().out.startswith(f"a.yaml:2:9: {told}\n")
    assert rehearse(folder, down.replace("said: []", "outcome: failed")) == 0


def test_a_turn_that_fails_again_is_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The client's words resume the opening, which fails again: a service would try once more."""
    down = "model: [{fails: MODEL_TIMEOUT}, {fails: MODEL_TIMEOUT}]\n"
    assert rehearse(folder, down + "turns: [{expect: {outcome: failed}}, {client: 你好}]") == 1
    told = "turn 2: the turn failed (MODEL_TIMEOUT); expect `outcome` where that is meant"
    assert capsys.readouterr().out.startswith(f"a.yaml:2:38: {told}\n")


def test_without_expectations_the_transcript_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rehearsal model speaks where no answers are written."""
    assert rehearse(folder, "title: 试试\nturns: [{}, {client: 小明}]") == 0
    out = capsys.readouterr().out
    assert out.startswith("a.yaml · 试试\nturn 1 · the opening\n  assistant  ")
    assert "  client     小明\n  · " in out
    assert '  · extract 称呼 = "小明" (topic t1) · supported\n' in out
    assert out.endswith("  the script is at its end\nOK: 1 conversation, 2 turns\n")


def test_wrong_files_are_told_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Script and conversations; nothing is played, and the exit code is 2."""
    (folder / "s.yaml").write_text(SCRIPT.replace("ai_say", "ai_sya"), encoding="utf-8")
    assert rehearse(folder, "turns: [{clent: x}]", "turns: [1]") == 2
    out, err = capsys.readouterr()
    assert [line.split(": ")[0] for line in out.splitlines()] == [
        "s.yaml:10:29",
        "a.yaml:1:10",
        "b.yaml:1:9",
    ]
    assert err == "3 errors\n"


def test_files_that_are_not_there_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both of them."""
    assert main(["rehearse", "no.yaml", "--with", "nor.yaml"]) == 2
    assert capsys.readouterr().out == (
        "no.yaml: script 'no.yaml' was not found\nnor.yaml: there is no such conversation\n"
    )


def test_everything_can_be_had_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For editors and pipelines; the exit code is the same."""
    (folder / "a.yaml").write_text(GOOD.replace("称呼: 小明}\n", "称呼: 小红}\n"), encoding="utf-8")
    assert main(["rehearse", "s.yaml", "--with", "a.yaml", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    (conversation,) = told["conversations"]
    (difference,) = conversation["differences"]
    assert (told["ok"], difference["line"], difference["path"]) == (
        False,
        12,
        ["variables", "称呼"],
    )
    assert (difference["expected"], difference["got"]) == ('"小红"', "小明")
    assert conversation["turns"][1]["said"] == ["好的。", "再见，小明。"]


def test_two_rehearsals_tell_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The clock stands still and ids are counted: nothing flickers."""
    (folder / "a.yaml").write_text(GOOD, encoding="utf-8")
    line = ["rehearse", "s.yaml", "--with", "a.yaml", "--format", "json"]
    told = [(main(line), capsys.readouterr().out) for _ in range(2)]
    assert told[0] == told[1]
