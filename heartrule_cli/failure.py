"""The error that ends a command: a sentence for its user, a hint, and an exit code."""

from __future__ import annotations

# Exit codes. argparse itself exits with 2 for a wrong command line; a wrong script is the same.
FAILED = 1
WRONG = 2


class Failure(Exception):
    """The command cannot go on; `str()` is the sentence its user reads."""

    def __init__(self, message: str, *, hint: str = "", code: int = FAILED) -> None:
        """`hint` names the remedy; `code` becomes the exit code."""
        super().__init__(message)
        self.hint = hint
        self.code = code


class Unreachable(Failure):
    """No server answers at an address."""
