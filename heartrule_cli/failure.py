"""The error that ends a command: a sentence for its user, hints, and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, told
from heartrule_cli.text import clean

# Exit codes. argparse itself exits with 2 for a wrong command line; a wrong script is the same.
FAILED = 1
WRONG = 2


class Failure(Exception):
    """The command cannot go on; `str()` is the sentence its user reads, in English."""

    def __init__(
        self, message: Said, *, hint: Said | tuple[Said, ...] = "", code: int = FAILED
    ) -> None:
        """`hint` names the remedy, or several lines do; `code` becomes the exit code."""
        super().__init__(str(message))
        self.message = message
        self.hints: tuple[Said, ...] = hint if isinstance(hint, tuple) else (hint,) if hint else ()
        self.code = code

    @property
    def hint(self) -> str:
        """The hints in English, one a line."""
        return self.told_hints(ReaderLanguage.ENGLISH)

    def told(self, language: ReaderLanguage) -> str:
        """Return the sentence in a language."""
        return told(self.message, language)

    def told_hints(self, language: ReaderLanguage) -> str:
        """Return the hints in a language, one a line; empty where there are none."""
        return "\n".join(told(each, language) for each in self.hints)

    def also(self, hint: Said) -> None:
        """Add a hint behind the others."""
        self.hints = (*self.hints, hint)


@contextmanager
def of_file(path: Path, *, code: int = FAILED) -> Iterator[None]:
    """Turn what the system says of a file, in the block, into a Failure that names it."""
    try:
        yield
    except OSError as error:
        raise Failure(clean(f"{path}: {error.strerror or error}"), code=code) from None


class Unreachable(Failure):
    """No server answers at an address."""
