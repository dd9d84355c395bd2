"""Numbers on the command line, each within its limits."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable

from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.arguments.command_parser import language_named


def whole(code: str, least: int, most: int) -> Callable[[str], int]:
    """Return the reader of a whole number within limits, which `code` names where it is none."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            wrong = say(code, text=repr(text), least=least, most=most)
            raise ArgumentTypeError(wrong.told(language_in(os.environ, language_named(sys.argv))))
        return int(text)

    return read


PORT = whole("cli.args.port", 0, 65_535)
# Of repeats and of runs at once; more is a typing error.
COUNT = whole("cli.args.count", 1, 1_000)
SECONDS = whole("cli.args.seconds", 1, 86_400)
