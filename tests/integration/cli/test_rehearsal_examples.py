"""The examples of rehearsals that ship: three of each action type, and each holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.scripts.model.actions import ActionType
from heartrule_cli.__main__ import main

FOLDER = Path(__file__).parents[3] / "_system" / "examples"
CONVERSATIONS = sorted(FOLDER.glob("*/*.conversation.yaml"))
NAMES = [
    f"{path.parent.name}/{path.name.removesuffix('.conversation.yaml')}" for path in CONVERSATIONS
]


@pytest.mark.parametrize("kind", [kind.value for kind in ActionType])
def test_every_action_type_has_three_examples(kind: str) -> None:
    """An author finds one that resembles what he writes."""
    mine = [name for name in NAMES if name.startswith(f"{kind}/")]
    scripts = [path.stem for path in (FOLDER / kind).glob("*.yaml") if "." not in path.stem]
    assert (len(mine), sorted(f"{kind}/{name}" for name in scripts)) == (3, mine)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_holds_wherever_one_is(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line in its script works in an empty folder, as after an installation."""
    monkeypatch.chdir(tmp_path)
    line = f"heartrule rehearse {name}.yaml --with {name}.conversation.yaml"
    assert line in (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    code = main(line.split()[1:])
    assert (code, capsys.readouterr().out[:20]) == (0, "OK: 1 conversation, ")


@pytest.mark.parametrize("name", NAMES)
def test_an_example_has_nothing_to_mend(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No error, no warning, no note; and it is about the key of its folder."""
    path = FOLDER / f"{name}.yaml"
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == "OK: 1 script\n"
    text = path.read_text(encoding="utf-8")
    assert f"action_type: {path.parent.name}" in text or f"\n{path.parent.name}:" in text


def test_an_example_notices_what_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script edited by its author no longer says what the conversation expects."""
    monkeypatch.chdir(tmp_path)
    script = (FOLDER / "ai_ask" / "one_answer.yaml").read_text(encoding="utf-8")
    Path("mine.yaml").write_text(script.replace("{称呼}，很高兴", "很高兴"), encoding="utf-8")
    assert main(["rehearse", "mine.yaml", "--with", "ai_ask/one_answer.conversation.yaml"]) == 1
    assert 'expected a text with "小明，很高兴认识你。"' in capsys.readouterr().out
