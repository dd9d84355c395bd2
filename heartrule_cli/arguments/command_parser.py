"""A parser of the command line that says what a misspelt word was meant to be."""

from __future__ import annotations

import re
from argparse import (
    SUPPRESS,
    Action,
    ArgumentError,
    ArgumentParser,
    RawDescriptionHelpFormatter,
    _MutuallyExclusiveGroup,
    _SubParsersAction,
)
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any, NoReturn

from heartrule.words.language import ReaderLanguage, language_of
from heartrule.words.words import Said, say
from heartrule_cli.failure import WRONG
from heartrule_cli.text import clean, wrapped


def meant(word: str, known: Iterable[str]) -> Said:
    """Return `; did you mean X?` for the known word that is most like it; "" where none is."""
    return guess(nearest(word, known))


def guess(word: str) -> Said:
    """Return `; did you mean X?` for a word; "" where it is none."""
    return say("cli.guess", meant=word) if word else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like it; "" where none is."""
    return next(iter(get_close_matches(word, sorted(known), n=1)), "")


class HelpPage(RawDescriptionHelpFormatter):
    """Argparse's layout of a page of help, with its own words in a language."""

    def __init__(self, prog: str, *, language: ReaderLanguage) -> None:
        """Lay out the page of a program."""
        super().__init__(prog)
        self._language = language

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[Action],
        groups: Iterable[_MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """Add how to call it; no prefix is the word for usage."""
        if prefix is None:
            prefix = say("cli.args.usage", usage="").told(self._language)
        super().add_usage(usage, actions, groups, prefix)

    def start_section(self, heading: str | None) -> None:
        """Begin a part of the page."""
        code = _HEADINGS.get(heading or "")
        super().start_section(say(code).told(self._language) if code else heading)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)


class CommandParser(ArgumentParser):
    """Argparse's parser; a word that is none of its choices is answered with the nearest one.

    Every command takes `--lang`, before its own arguments or among them.
    """

    language = ReaderLanguage.ENGLISH
    """Of whoever types."""

    def __init__(self, **options: Any) -> None:
        """Make one, as argparse does."""
        page = partial(HelpPage, language=self.language)
        super().__init__(**options, add_help=False, formatter_class=page)
        self.add_argument("-h", "--help", action="help", help="help.help")
        self.add_argument(
            "--lang",
            type=_tag,
            choices=tuple(ReaderLanguage),
            default=SUPPRESS,
            help="help.lang",
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
        wrong = say("cli.args.error", program=self.prog, why=_words_of(message))
        self.exit(WRONG, clean(f"{self.format_usage()}{wrong.told(self.language)}\n"))


# What argparse calls the parts of a page.
_HEADINGS = {"positional arguments": "help.positionals", "options": "help.options"}
# What argparse says, and its code; the last takes what this parser says itself.
_SAID = tuple((re.compile(pattern), code) for pattern, code in (
    (r"the following arguments are required: (?P<names>.+)", "cli.args.required"),
    (r"unrecognized arguments: (?P<names>.+)", "cli.args.unrecognized"),
    (r"one of the arguments (?P<names>.+) is required", "cli.args.one_of"),
    (r"ambiguous option: (?P<name>.+?) could match (?P<names>.+)", "cli.args.ambiguous"),
    (r"argument (?P<name>.+?): ignored explicit argument (?P<value>.+)", "cli.args.takes_none"),
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


def put_words(parser: ArgumentParser, language: ReaderLanguage, **facts: str) -> None:
    """Put words in place of the codes by which help texts are declared, of sub-commands too."""

    def words(code: str | None) -> str | None:
        return say(code, **facts).told(language) if code else code

    for each in with_inner(parser):
        each.description, each.epilog = words(each.description), words(each.epilog)
        for action in each._actions:  # noqa: SLF001  argparse lists them nowhere else
            action.help = words(action.help)
            if isinstance(action, _SubParsersAction):
                for listed in action._choices_actions:  # noqa: SLF001  what help lists
                    listed.help = words(listed.help)


def with_inner(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    """Yield a parser and those of all its sub-commands."""
    yield parser
    for action in parser._actions:  # noqa: SLF001  argparse lists them nowhere else
        if isinstance(action, _SubParsersAction):
            for inner in action.choices.values():
                yield from with_inner(inner)


def language_named(arguments: Sequence[str]) -> str:
    """Return what `--lang` names, before the arguments are parsed; empty where it does not."""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == "--lang" or word.startswith("--lang="):
            return following if word == "--lang" else word.removeprefix("--lang=")
    return ""
