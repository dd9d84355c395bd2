"""The path of a sub-thread: where it is nested now (document 003, section 3.1; RESOLUTIONS T1).

A path is an address, not a place: a thread keeps its id when messages before it go, and its path
does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from executor_service.threads.thread_errors import InvalidThreadPath
from heartrule.domain.threads import DEEPEST_THREAD

_PARTS = 4
"""`messages`, a number, `meta`, `_thread`."""
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class ThreadPath:
    """The numbers of the messages that lead to a thread, the outermost first."""

    numbers: tuple[int, ...] = ()
    """Empty: the main thread, to which no text leads."""

    @classmethod
    def parse(cls, text: str) -> ThreadPath:
        """Return the path a text is: `messages.N.meta._thread`, repeated with dots.

        Raises:
            InvalidThreadPath: It is anything else, or leads deeper than eight threads.
        """
        if not isinstance(text, str):
            raise InvalidThreadPath(str(type(text).__name__), "a path is a text")
        if len(text) > _LONGEST:
            raise InvalidThreadPath(text, f"a path has at most {_LONGEST} characters")
        parts = text.split(".")
        numbers = [_number(text, parts, begin) for begin in range(0, len(parts), _PARTS)]
        if len(numbers) > DEEPEST_THREAD:
            problem = f"threads are nested at most {DEEPEST_THREAD} deep"
            raise InvalidThreadPath(text, problem, segment=DEEPEST_THREAD * _PARTS)
        return cls(tuple(numbers))

    def __str__(self) -> str:
        return ".".join(f"messages.{number}.meta._thread" for number in self.numbers)

    @property
    def depth(self) -> int:
        """How many threads it lies inside; 0: it is the main thread."""
        return len(self.numbers)

    @property
    def is_main(self) -> bool:
        """Whether it is that of the main thread."""
        return not self.numbers

    def below(self, number: int) -> ThreadPath:
        """Return the path of the thread nested in that message of this thread."""
        return ThreadPath((*self.numbers, number))


MAIN = ThreadPath()


def _number(text: str, parts: list[str], begin: int) -> int:
    """Return the number in four parts of a path."""
    for offset, wanted in enumerate(("messages", None, "meta", "_thread")):
        segment = begin + offset
        found = parts[segment] if segment < len(parts) else ""
        if wanted is None and _NUMBER.fullmatch(found) is None:
            raise InvalidThreadPath(text, "a message is named by its number", segment=segment)
        if wanted is not None and found != wanted:
            raise InvalidThreadPath(text, f"`{wanted}` stands here", segment=segment)
    return int(parts[begin + 1])
