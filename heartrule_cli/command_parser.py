"""A parser of the command line that says what a misspelt word was meant to be."""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


def meant(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean X?` for the known word that is most like it; "" where none is."""
    close = nearest(word, known)
    return f"; did you mean {close}?" if close else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like it; "" where none is."""
    return next(iter(get_close_matches(word, sorted(known), n=1)), "")


class CommandParser(ArgumentParser):
    """Argparse's parser; a word that is none of its choices is answered with the nearest one."""

    def _check_value(self, action: Action, value: object) -> None:
        choices = [] if action.choices is None else list(map(str, action.choices))
        if action.choices is None or value in action.choices:
            return
        noun = "no command" if action.dest == "command" else "unknown"
        guess = meant(str(value), choices) or f"; there are {', '.join(choices)}"
        raise ArgumentError(action, f"{str(value)!r} is {noun}{guess}")


def command_parser(**options: Any) -> ArgumentParser:
    """Return such a parser; its sub-commands get parsers of the same kind."""
    return CommandParser(**options)
