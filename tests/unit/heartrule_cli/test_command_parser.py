"""Misspelt words on the command line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main, parser
from heartrule_cli.scripts import bundle_of


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["shwo"], "'shwo' is no command; did you mean show?"),
        (["workflow", "chekc"], "did you mean check?"),
        (["completion", "fish"], "'fish' is unknown; there are bash, zsh, tcsh"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest(
    line: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where none is near, those that there are stand in the message."""
    with pytest.raises(SystemExit):
        parser().parse_args(line)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "meant"),
    [("slep.yaml", "sleep.yaml"), ("gretting", "greeting"), ("phq8.yaml", "phq9")],
)
def test_a_misspelt_script_is_answered_with_the_nearest(
    name: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of this folder, or the name of one that ships."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sleep.yaml").touch()
    with pytest.raises(Exception, match=f"was not found; did you mean {meant}\\?"):
        bundle_of(Path(name))


def test_a_path_is_compared_with_what_lies_in_its_folder(tmp_path: Path) -> None:
    """What ships is not meant by somebody who names a folder."""
    with pytest.raises(Exception, match=r"was not found$"):
        bundle_of(tmp_path / "gretting.yaml")


def test_a_shell_completes_commands_and_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bash itself is asked, with what the command printed."""
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion.sh"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    asked = f"""source {script}
COMP_WORDS=(heartrule sess) COMP_CWORD=1; _shtab_heartrule x sess heartrule
echo ${{COMPREPLY[@]}}
COMP_WORDS=(heartrule show --f) COMP_CWORD=2; _shtab_heartrule x --f show
echo ${{COMPREPLY[@]}}"""
    told = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=False)
    assert told.stdout.split() == ["sessions", "--format"]
