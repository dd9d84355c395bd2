"""A parser of the command line that says what a misspelt word was meant to be."""

from __future__ import annotations

import re
from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from heartrule.words.language import ReaderLanguage, language_of
from heartrule.words.words import Said, say
from heartrule_cli.failure import WRONG
from heartrule_cli.text import clean


def meant(word: str, known: Iterable[str]) -> Said:
    """Return `; did you mean X?` for the known word that is most like it; "" where none is."""
    return guess(nearest(word, known))


def guess(word: str) -> Said:
    """Return `; did you mean X?` for a word; "" where it is none."""
    return say("cli.guess", meant=word) if word else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like it; "" where none is."""
    return next(iter(get_close_matches(word, sorted(known), n=1)), "")


class CommandParser(ArgumentParser):
    """Argparse's parser; a word that is none of its choices is answered with the nearest one.

    Every command takes `--lang`, before its own arguments or among them.
    """

    language = ReaderLanguage.ENGLISH
    """Of whoever types."""

    def __init__(self, **options: Any) -> None:
        """Make one, as argparse does."""
        super().__init__(**options)
        self.add_argument(
            "--lang",
            type=_tag,
            choices=tuple(ReaderLanguage),
            default=SUPPRESS,
            help="the language of what it says (that of LC_ALL, LC_MESSAGES or LANG, else en)",
        )

    def _check_value(self, action: Action, value: object) -> None:
        choices = [] if action.choices is None else list(map(str, action.choices))
        if action.choices is None or value in action.choices:
            return
        code = "cli.args.no_command" if action.dest == "command" else "cli.args.unknown"
        known = meant(str(value), choices) or say("cli.args.choices", choices=tuple(choices))
        raise ArgumentError(action, say(code, value=repr(value), guess=known).told(self.language))

    def error(self, message: str) -> NoReturn:
        """Print the usage and what is wrong, in the language of whoever typed it, and exit."""
        usage = self.format_usage().removeprefix("usage: ")
        wrong = say("cli.args.error", program=self.prog, why=_words_of(message))
        told = (say("cli.args.usage", usage=usage), wrong)
        self.exit(WRONG, "".join(clean(f"{each.told(self.language).rstrip()}\n") for each in told))


# What argparse says, and its code; the last takes what this parser says itself.
_SAID = tuple((re.compile(pattern), code) for pattern, code in (
    (r"the following arguments are required: (?P<names>.+)", "cli.args.required"),
    (r"unrecognized arguments: (?P<names>.+)", "cli.args.unrecognized"),
    (r"one of the arguments (?P<names>.+) is required", "cli.args.one_of"),
    (r"argument (?P<name>.+?): expected one argument", "cli.args.takes_one"),
    (r"argument (?P<name>.+?): expected at least one argument", "cli.args.takes_some"),
    (r"argument (?P<name>.+?): not allowed with argument (?P<other>.+)", "cli.args.not_with"),
    (r"argument (?P<name>.+?): invalid \w+ value: (?P<value>.+)", "cli.args.no_number"),
    (r"argument (?P<name>.+?): (?P<why>.+)", "cli.args.wrong"),
))  # fmt: skip


def _words_of(message: str) -> Said:
    """Return the words for a message of argparse; the message itself where it is another."""
    for pattern, code in _SAID:
        if found := pattern.fullmatch(message):
            return say(code, **found.groupdict())
    return message


def _tag(text: str) -> str:
    """Return the language that a tag begins with, such as `zh` or `zh_CN`; else the text itself."""
    language = language_of(text)
    is_ours = language is not ReaderLanguage.ENGLISH or text.lower().startswith("en")
    return language.value if is_ours else text


def command_parser(language: ReaderLanguage, **options: Any) -> ArgumentParser:
    """Return such a parser; its sub-commands get parsers of the same kind and language."""

    class SpeakingParser(CommandParser):
        """Says what is wrong in this language."""

    SpeakingParser.language = language
    return SpeakingParser(**options)


def language_named(arguments: Sequence[str]) -> str:
    """Return what `--lang` names, before the arguments are parsed; empty where it does not."""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == "--lang" or word.startswith("--lang="):
            return following if word == "--lang" else word.removeprefix("--lang=")
    return ""
