"""A parser of the command line that says what a misspelt word was meant to be."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from heartrule.words.language import ReaderLanguage, language_of
from heartrule.words.words import Said, say


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
        noun = "no command" if action.dest == "command" else "unknown"
        guess = meant(str(value), choices) or f"; there are {', '.join(choices)}"
        raise ArgumentError(action, f"{str(value)!r} is {noun}{guess}")


def _tag(text: str) -> str:
    """Return the language that a tag begins with, such as `zh` or `zh_CN`; else the text itself."""
    language = language_of(text)
    is_ours = language is not ReaderLanguage.ENGLISH or text.lower().startswith("en")
    return language.value if is_ours else text


def command_parser(**options: Any) -> ArgumentParser:
    """Return such a parser; its sub-commands get parsers of the same kind."""
    return CommandParser(**options)
