"""The pages of `--help`, in both languages."""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator

import pytest

from heartrule.words.language import ReaderLanguage
from heartrule_cli.__main__ import main, parser
from heartrule_cli.arguments.command_parser import with_inner

CHINESE = re.compile("[\u4e00-\u9fff]")
SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]+ [a-z]{2,}\b")


def explained(whole: ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield each command and argument, and what help says of it."""
    for each in with_inner(whole):
        for action in each._actions:
            if isinstance(action, _SubParsersAction):
                listed = {one.dest: one.help or "" for one in action._choices_actions}
                yield from (
                    (f"{each.prog} {name}", listed.get(name, "")) for name in action.choices
                )
            else:
                yield f"{each.prog} {action.dest}", action.help or ""


@pytest.mark.parametrize("language", ReaderLanguage)
def test_every_command_and_argument_is_explained(language: ReaderLanguage) -> None:
    """In words of the language, and by no code."""
    told = list(explained(parser(language)))
    assert len(told) > 100
    is_chinese = language is ReaderLanguage.CHINESE
    wrong = [where for where, text in told if bool(CHINESE.search(text)) is not is_chinese]
    assert [*wrong, *(where for where, text in told if re.fullmatch(r"(help[.\w]*)?", text))] == []


def test_a_chinese_page_has_no_english_sentence() -> None:
    """Commands that are examples, and names of variables, are the same in both languages."""
    for each in with_inner(parser(ReaderLanguage.CHINESE)):
        lines = [line for line in each.format_help().splitlines() if "heartrule " not in line]
        assert [line for line in lines if SENTENCE.search(line)] == []
        assert not {"usage:", "options:", "positional arguments:"} & set(each.format_help().split())


def test_an_english_page_is_argparses_own() -> None:
    """The same headings as of any program."""
    page = parser().format_help()
    assert page.startswith("usage: heartrule [-h]")
    assert "\npositional arguments:\n" in page
    assert "\noptions:\n  -h, --help" in page


@pytest.mark.parametrize(
    ("line", "lang", "begins"),
    [
        (["--help"], "zh_CN.UTF-8", "用法：heartrule "),
        (["show", "--help", "--lang", "en"], "zh_CN.UTF-8", "usage: heartrule show"),
        (["--lang=zh", "workflow", "run", "-h"], "C", "用法：heartrule workflow run"),
    ],
)
def test_help_is_told_in_the_language_of_whoever_asks(
    line: list[str], lang: str, begins: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """By --lang wherever it stands, else by the terminal."""
    monkeypatch.setenv("LC_ALL", lang)
    with pytest.raises(SystemExit):
        main(line)
    assert capsys.readouterr().out.startswith(begins)
