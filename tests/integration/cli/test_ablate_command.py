"""`heartrule ablate`, as its user types it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from heartrule_cli.ablation.measures import MEASURES
from heartrule_cli.ablation.study import NO_EVIDENCE
from tests.support.documents import page

PAGE = page("docs/how-to/measure-the-second-mind.md")
EXAMPLE = ("ablate/family.yaml", "--with")
TALKS = [f"ablate/talks/{name}.conversation.yaml" for name in ("willing", "hesitant", "refusing")]
SETTINGS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HEARTRULE_MODEL", "HEARTRULE_PROVIDERS")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one, and no model in the environment."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_example_is_as_the_page_tells(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines may be left out, in order; none is made up."""
    (screen,) = re.findall(r"^```console\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)
    typed, *shown = screen.splitlines()
    assert main(typed.split()[2:]) == 0
    out, err = capsys.readouterr()
    lines = iter([*err.splitlines(), *out.splitlines()])
    assert [line for line in shown if line != "…" and line not in lines] == []


def test_without_a_key_every_figure_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    """The report says it at its top, too."""
    assert main(["ablate", *EXAMPLE, TALKS[0], "--repeat", "1", "--design", "alone"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"{NO_EVIDENCE}. ") for line in lines)
    figures = [line for line in lines if re.search(r"\d\.\d\d", line)]
    assert figures
    assert [line for line in figures if not line.endswith(NO_EVIDENCE)] == []


def test_for_programs_nothing_else_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Progress goes to standard error."""
    done = main(
        ["ablate", *EXAMPLE, TALKS[0], "--repeat", "1", "--design", "without", "--format", "json"]
    )
    out, err = capsys.readouterr()
    assert (done, err.splitlines()[0]) == (0, "5 runs: 5 arms, 1 conversation, 1 each")
    assert len(json.loads(out)["runs"]) == 5


def test_mistakes_are_told_at_their_places(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all files at once, with code 2, and nothing is played."""
    (folder / "a.yaml").write_text("turns:\n  - {clint: 不}\n", encoding="utf-8")
    assert main(["ablate", *EXAMPLE, "a.yaml", "no.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "a.yaml:2:6: unknown key 'clint' in a turn; did you mean `client`?",
        "no.yaml: there is no such conversation",
    ]
    assert err == "2 errors\n"


def test_mistakes_for_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same as data."""
    (folder / "s.yaml").write_text("session: {session_id: x}\n", encoding="utf-8")
    assert main(["ablate", "s.yaml", "--with", TALKS[0], "--format", "json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["problems"][0]["file"]) == (False, "s.yaml")


def test_what_is_left_aside_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Written answers would be the same in every arm."""
    talk = "ai_ask/not_willing.conversation.yaml"
    main(["ablate", "ai_ask/not_willing.yaml", "--with", talk, "--repeat", "1"])
    told = capsys.readouterr().err
    assert re.search(r"only what the client does is taken from \S+: written answers", told)


def test_a_model_that_does_not_answer_ends_it_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After two turns, with the reason and code 1."""
    providers = "providers: {p: {base_url: http://127.0.0.1:9/v1, models: {talk: m}}}\n"
    retry = "retry: {attempts: 1}\n"
    (folder / "p.yaml").write_text(f"{providers}order: [p]\n{retry}", encoding="utf-8")
    monkeypatch.setenv("HEARTRULE_PROVIDERS", "p.yaml")
    assert main(["ablate", *EXAMPLE, *TALKS]) == 1
    out, err = capsys.readouterr()
    assert (out, "talk (MODEL_CONNECTION" in err) == ("", True)


def test_settings_that_name_no_model_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Code 2: the environment is wrong, not the model."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert main(["ablate", *EXAMPLE, TALKS[0]]) == 2
    assert "HEARTRULE_MODEL is required" in capsys.readouterr().err


def test_the_page_names_every_figure() -> None:
    """What a file holds can be looked up."""
    named = set(re.findall(r"`(\w+)…?`", PAGE.text))
    missing = [each.key for each in MEASURES if each.key not in named]
    assert [key for key in missing if not key.startswith("ended_")] == []
