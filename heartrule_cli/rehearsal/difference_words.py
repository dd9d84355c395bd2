"""Differences as sentences of the catalogues, in the reader's language. Pure."""

from __future__ import annotations

from heartrule.words.words import Words, say
from heartrule_cli.rehearsal.differences import as_text, written
from heartrule_cli.rehearsal.outcome import Difference
from heartrule_cli.text import one_line

_LONGEST = 120


def difference_words(found: Difference) -> Words:
    """Return what is not as expected, with its turn and its place below `expect`."""
    what = found.message if isinstance(found.message, Words) else _expected(found)
    if not found.turn:
        return what
    if not found.path:
        return say("rehearsal.in_turn", turn=found.turn, what=what)
    key, *rest = found.path
    steps = " ".join(str(step) if isinstance(step, int) else one_line(step) for step in rest)
    path = f"`{key}` {steps}".rstrip()
    return say("rehearsal.at_path", turn=found.turn, path=path, what=what)


def _expected(found: Difference) -> Words:
    if found.word:
        is_there = found.word in as_text(found.got)
        return say("rehearsal.unwanted" if is_there else "rehearsal.lacking", word=found.word)
    if found.got is None:
        return say("rehearsal.nothing", expected=_short(found.expected))
    return say("rehearsal.other", expected=_short(found.expected), got=_short(written(found.got)))


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
