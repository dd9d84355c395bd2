"""A script to begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from heartrule_cli.commands.new import id_of, language_of, starter
from heartrule_cli.scripts import bundle_of, check_bundle, installed_environment


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_new_script_checks_clean(folder: Path, language: str) -> None:
    """Not even a note: its author's first finding is about their own words."""
    assert main(["new", "sleep", "--lang", language]) == 0
    assert check_bundle(bundle_of(folder / "sleep.yaml"), installed_environment({})) == ()


def test_a_script_is_never_written_over(folder: Path) -> None:
    """An evening's work is not lost to a command from the history."""
    (folder / "sleep.yaml").write_text("mine", encoding="utf-8")
    assert main(["new", "sleep"]) == 2
    assert (folder / "sleep.yaml").read_text(encoding="utf-8") == "mine"


def test_a_chinese_name_is_shown_and_programs_have_its_sounds(folder: Path) -> None:
    """Two scripts of Chinese names have two ids."""
    assert main(["new", "睡眠"]) == 0
    text = (folder / "睡眠.yaml").read_text(encoding="utf-8")
    assert "session_id: shui_mian #" in text
    assert 'session_name: "睡眠" #' in text
    assert check_bundle(bundle_of(folder / "睡眠.yaml"), installed_environment({})) == ()


@pytest.mark.parametrize(
    ("name", "found"), [("my-script_2", "my-script_2"), ("a b", "a_b"), ("我的 talk", "wo_de_talk")]
)
def test_an_id_holds_what_programs_take(name: str, found: str) -> None:
    """Letters, digits, - and _; the rest parts words."""
    assert id_of(name) == found


def test_a_name_without_a_letter_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written."""
    assert main(["new", "???"]) == 2
    assert "has none" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_name_is_data_in_the_text() -> None:
    """A quote in it ends no text of the file."""
    assert r'session_name: "a\"b\\g<1>" #' in starter('a"b\\g<1>', "en")


def test_the_language_is_that_of_the_terminal() -> None:
    """LC_ALL decides before LANG; what says nothing is Chinese, as the prompts are."""
    assert language_of({"LANG": "en_GB.UTF-8"}) == "en"
    assert language_of({"LC_ALL": "zh_CN.UTF-8", "LANG": "en_GB"}) == "zh"
    assert language_of({"LANG": "C.UTF-8"}) == "zh"
