"""What ends a command: one sentence for a person, a way out, an exit code."""

from __future__ import annotations

FAILED = 1
"""Exit code: something outside went wrong."""
WRONG = 2
"""Exit code: the command line or a script is wrong."""


class Failure(Exception):
    """The command cannot go on; `str()` is what its user reads."""

    def __init__(self, message: str, *, hint: str = "", code: int = FAILED) -> None:
        """`hint` says what to do now; `code` becomes the exit code."""
        super().__init__(message)
        self.hint = hint
        self.code = code


class Unreachable(Failure):
    """Nobody answers at an address."""
