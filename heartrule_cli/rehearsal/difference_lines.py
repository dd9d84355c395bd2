"""Differences as text: one line with the place, and below it both texts. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, Words, say, told
from heartrule_cli.rehearsal.differences import as_text, written
from heartrule_cli.rehearsal.outcome import Difference, Rehearsal
from heartrule_cli.rehearsal.rehearsal_transcript import turn_lines, turn_name
from heartrule_cli.text import clean, one_line, padded, width

if TYPE_CHECKING:
    from heartrule_cli.style import Style

_LONGEST = 120
# Columns up to which two texts are easily compared in one line.
_BESIDE = 40
_MARGIN = "    "
_LABEL = 10


def difference_lines(
    rehearsal: Rehearsal,
    style: Style,
    *,
    bare: bool,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> Iterator[str]:
    """Yield what is not as expected and, unless `bare`, how that turn went."""
    for found in rehearsal.differences:
        place = f"{rehearsal.conversation.file}:{found.spot.line}:{found.spot.column}:"
        yield f"{style.bold(clean(place))} {clean(told(sentence(found), language))}"
        yield from _both(found, style, language)
    turns = set() if bare else {found.turn for found in rehearsal.differences}
    for played in rehearsal.played:
        if played.number in turns:
            went = say("cli.rehearse.went", turn=turn_name(played))
            yield style.dim(f"  {went.told(language)}")
            yield from (f"  {line}" for line in turn_lines(played, style, language))


def sentence(found: Difference) -> Said:
    """Return a difference on one line, without its place in the file."""
    what = found.message or say("cli.rehearse.expected", expected=_wanted(found), got=_got(found))
    if not found.turn:
        return what
    where: Words = say("cli.rehearse.turn", number=found.turn)
    if found.path:
        where = say("cli.rehearse.place", turn=where, path=_path_text(found))
    return say("cli.rehearse.at", where=where, what=what)


def _path_text(found: Difference) -> Said:
    """Return the path to an expectation, such as `said` item 2, or `variables` 称呼."""
    key, *rest = found.path
    path: Said = f"`{key}`"
    for step in rest:
        if isinstance(step, int):
            path = say("cli.rehearse.item", path=path, number=step)
        else:
            path = say("cli.rehearse.key", path=path, key=one_line(step))
    return path


def _wanted(found: Difference) -> Said:
    """Return what was expected; of a text with a word the word."""
    if found.is_lacking is None:
        return _short(found.expected)
    code = "cli.rehearse.without" if found.is_lacking else "cli.rehearse.with"
    return say(code, word=_short(written(found.word)))


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _got(found: Difference) -> Words:
    """Return the actual value; a text of several lines is shown below, or only in JSON."""
    if found.got is None:
        return say("cli.rehearse.got_nothing")
    if found.word and isinstance(found.got, str) and "\n" in found.got:
        if found.word in found.got:
            return say("cli.rehearse.got_it")
        return say("cli.rehearse.got_lines", count=len(found.got.splitlines()))
    return say("cli.rehearse.got", got=_short(written(found.got)))


def _both(found: Difference, style: Style, language: ReaderLanguage) -> Iterator[str]:
    """Yield expected and got one below the other, with a mark where they differ."""
    if found.word:
        yield from _with_word(found, style, language)
    elif found.message or not isinstance(found.got, str) or not found.expected.startswith('"'):
        yield from _items(found, language)
    else:
        yield from _texts(found, style, language)


def _label(words: Words, language: ReaderLanguage) -> str:
    return padded(words.told(language), _LABEL)


def _texts(found: Difference, style: Style, language: ReaderLanguage) -> Iterator[str]:
    expected, got = one_line(str(json.loads(found.expected))), one_line(as_text(found.got))
    if max(width(expected), width(got)) <= _BESIDE:
        return
    yield f"{_MARGIN}{_label(say('cli.rehearse.label_expected'), language)}{expected}"
    yield f"{_MARGIN}{_label(say('cli.rehearse.label_got'), language)}{got}"
    pairs = zip(expected, got, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    yield f"{_MARGIN}{' ' * (_LABEL + width(expected[:same]))}{style.warn('^')}"


def _with_word(found: Difference, style: Style, language: ReaderLanguage) -> Iterator[str]:
    """Yield the lines that hold the unwanted word, which is marked."""
    for number, line in enumerate(as_text(found.got).splitlines(), start=1):
        before, word, _ = clean(line).partition(found.word)
        if word:
            label = _label(say("cli.rehearse.line", number=number), language)
            yield f"{_MARGIN}{label}{clean(line)}"
            mark = style.warn("^" * width(word))
            yield f"{_MARGIN}{' ' * (_LABEL + width(before))}{mark}"


def _items(found: Difference, language: ReaderLanguage) -> Iterator[str]:
    """Yield the texts of a list that has more or fewer than expected, one a line."""
    if not isinstance(found.got, list) or not found.expected.startswith("["):
        return
    yield f"{_MARGIN}{_label(say('cli.rehearse.label_got'), language)}{len(found.got)}:"
    for number, item in enumerate(found.got, start=1):
        yield f"{_MARGIN}{number:>{_LABEL - 2}}  {_short(as_text(item))}"
