"""Differences as text: one line with the place, and below it both texts. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from heartrule_cli.rehearsal.differences import as_text, written
from heartrule_cli.rehearsal.outcome import Difference, Rehearsal
from heartrule_cli.rehearsal.rehearsal_transcript import turn_lines, turn_name
from heartrule_cli.text import clean, one_line, width

if TYPE_CHECKING:
    from heartrule_cli.style import Style

_LONGEST = 120
# Columns up to which two texts are easily compared in one line.
_BESIDE = 40
_MARGIN = "    "
_LABEL = 10


def difference_lines(rehearsal: Rehearsal, style: Style, *, bare: bool) -> Iterator[str]:
    """Yield what is not as expected and, unless `bare`, how that turn went."""
    for found in rehearsal.differences:
        place = f"{rehearsal.conversation.file}:{found.spot.line}:{found.spot.column}:"
        yield f"{style.bold(clean(place))} {clean(sentence(found))}"
        yield from _both(found, style)
    turns = set() if bare else {found.turn for found in rehearsal.differences}
    for played in rehearsal.played:
        if played.number in turns:
            yield style.dim(f"  {turn_name(played)} went like this:")
            yield from (f"  {line}" for line in turn_lines(played, style))


def sentence(found: Difference) -> str:
    """Return a difference on one line, without its place in the file."""
    where = f"turn {found.turn}" if found.turn else ""
    where += f", {_path_text(found)}" if found.path else ""
    what = found.message or f"expected {_short(found.expected)}, {_got(found)}"
    return f"{where}: {what}" if where else str(what)


def _path_text(found: Difference) -> str:
    """Return the path to an expectation, such as `said` item 2, or `variables` 称呼."""
    key, *rest = found.path
    steps = (f"item {step}" if isinstance(step, int) else one_line(step) for step in rest)
    return " ".join((f"`{key}`", *steps))


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _got(found: Difference) -> str:
    """Return the actual value; a text of several lines is shown below, or only in JSON."""
    if found.got is None:
        return "got nothing"
    if found.word and isinstance(found.got, str) and "\n" in found.got:
        if found.word in found.got:
            return "but it is there"
        return f"got {len(found.got.splitlines())} lines without it (--format json shows them)"
    return f"got {_short(written(found.got))}"


def _both(found: Difference, style: Style) -> Iterator[str]:
    """Yield expected and got one below the other, with a mark where they differ."""
    if found.word:
        yield from _with_word(found, style)
    elif found.message or not isinstance(found.got, str) or not found.expected.startswith('"'):
        yield from _items(found)
    else:
        yield from _texts(found, style)


def _texts(found: Difference, style: Style) -> Iterator[str]:
    expected, got = one_line(str(json.loads(found.expected))), one_line(as_text(found.got))
    if max(width(expected), width(got)) <= _BESIDE:
        return
    yield f"{_MARGIN}{'expected':<{_LABEL}}{expected}"
    yield f"{_MARGIN}{'got':<{_LABEL}}{got}"
    pairs = zip(expected, got, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    yield f"{_MARGIN}{' ' * (_LABEL + width(expected[:same]))}{style.warn('^')}"


def _with_word(found: Difference, style: Style) -> Iterator[str]:
    """Yield the lines that hold the unwanted word, which is marked."""
    for number, line in enumerate(as_text(found.got).splitlines(), start=1):
        before, word, _ = clean(line).partition(found.word)
        if word:
            yield f"{_MARGIN}{f'line {number}':<{_LABEL}}{clean(line)}"
            mark = style.warn("^" * width(word))
            yield f"{_MARGIN}{' ' * (_LABEL + width(before))}{mark}"


def _items(found: Difference) -> Iterator[str]:
    """Yield the texts of a list that has more or fewer than expected, one a line."""
    if not isinstance(found.got, list) or not found.expected.startswith("["):
        return
    yield f"{_MARGIN}{'got':<{_LABEL}}{len(found.got)}:"
    for number, item in enumerate(found.got, start=1):
        yield f"{_MARGIN}{number:>{_LABEL - 2}}  {_short(as_text(item))}"
