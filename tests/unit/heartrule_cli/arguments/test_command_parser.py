"""Misspelt words on the command line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from heartrule.words.language import ReaderLanguage
from heartrule_cli.__main__ import main, parser
from heartrule_cli.arguments.command_parser import language_named
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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["shwo"], "没有 'shwo' 这个命令；是不是 show？"),
        (["completion", "fish"], "参数 shell：不认识 'fish'；可以写 bash、zsh、tcsh"),
        (["new"], "缺少这些参数：NAME"),
        (["run"], "下列参数要写一个：FILE --session"),
        (["up", "--prot"], "不认识的参数：--prot"),
        (["up", "--port"], "参数 --port：要有一个值"),
        (["check"], "缺少这些参数：FILE"),
        (["rehearse", "a", "--with"], "参数 --with：至少要有一个值"),
        (["chat", "--script", "a", "--session", "b"], "参数 --session：不能和 --script 一起用"),
        (["doctor", "--wait", "x"], "参数 --wait：'x' 不是数字"),
        (["sessions", "--s", "x"], "--s 不明确：可能是 --script, --status, --since"),
        (["sessions", "--all=3"], "参数 --all：不要值，这里却写了 '3'"),
    ],
)
def test_wrong_arguments_are_told_in_the_language_of_whoever_typed_them(
    line: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that argparse finds, and those that this parser finds."""
    with pytest.raises(SystemExit):
        parser(ReaderLanguage.CHINESE).parse_args(line)
    told = capsys.readouterr().err
    assert told.startswith("用法：heartrule")
    assert f"：错误：{said}" in told or said in told.splitlines()[-1]


@pytest.mark.parametrize(
    ("line", "language"),
    [
        (["--lang", "zh-CN", "show", "x"], "zh-CN"),
        (["show", "x", "--lang=zh"], "zh-CN"),
        (["show", "x"], ""),
    ],
)
def test_every_command_takes_the_language(line: list[str], language: str) -> None:
    """Before its name, or among its arguments."""
    assert parser().parse_args(line).lang == language
    assert language.startswith(language_named(line))
