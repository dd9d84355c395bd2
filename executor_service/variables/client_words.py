"""The client's words that a prompt held, and whether they hold a quote.

A quote is found but for spaces, punctuation, width and case; one of a few words may differ from the
client's in a letter or two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from executor_service.variables.number_words import numbers_in

#: Least likeness of a quote to the words, in percent.
ALIKE = 85
#: Characters a quote has at least to be compared so: one letter of fewer is more than 15 percent.
SHORTEST_ALIKE = 7
#: Characters it has at most: the comparison's cost grows faster than its length.
LONGEST_ALIKE = 64
#: Comparisons of one reply: a model that returns a hundred inventions costs no more than these.
MOST_ALIKE = 12
# Characters of one message, and of all, that are looked at.
_LONGEST_WORDS = 20_000
_MOST_WORDS = 100_000
# Places where a quote is looked at: in `aaaa` it would be found at every character.
_MOST_PLACES = 64

_NO_WORD = re.compile(r"[\W_]+")
_NEXT_TO_WIDE = re.compile(r"(?<=[^\x00-\x7f]) | (?=[^\x00-\x7f])")


def normalized(text: str) -> str:
    """Return a text as it is compared: one width and case, words alone, a space between Latin ones.

    A space beside a Chinese character says nothing, and goes.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NEXT_TO_WIDE.sub("", _NO_WORD.sub(" ", plain).strip())


class ClientWords:
    """The client's words that one prompt held; what is not asked for is not normalised."""

    def __init__(self, newest: str, earlier: Sequence[str] = ()) -> None:
        """`newest` are the words the reply answers, `earlier` other messages, oldest first."""
        texts = [newest[:_LONGEST_WORDS]]
        left = _MOST_WORDS
        for text in reversed(earlier):
            left -= min(len(text), _LONGEST_WORDS)
            if left < 0:
                break
            texts.append(text[:_LONGEST_WORDS])
        self._raw = tuple(texts)
        self._plain: list[str] = []
        self._left = MOST_ALIKE

    def hold(self, quote: str) -> bool:
        """Return whether the words hold a quote."""
        wanted = normalized(quote[: _LONGEST_WORDS + 1])
        if not wanted:  # signs alone, such as a thumb
            return bool(quote.strip()) and any(quote.strip() in text for text in self._raw)
        return any(_stands_in(wanted, words) for words in self._each()) or self._alike(wanted)

    def newest_hold(self, text: str) -> bool:
        """Return whether the newest words hold a text exactly."""
        wanted = normalized(text[: _LONGEST_WORDS + 1])
        return bool(wanted) and _stands_in(wanted, next(self._each()))

    def newest_have_number(self, number: float) -> bool:
        """Return whether a number was said in the newest words."""
        return number in numbers_in(self._raw[0])

    def _each(self) -> Iterator[str]:
        for index, text in enumerate(self._raw):
            if index == len(self._plain):
                self._plain.append(normalized(text))
            yield self._plain[index]

    def _alike(self, wanted: str) -> bool:
        if not SHORTEST_ALIKE <= len(wanted) <= LONGEST_ALIKE or not self._left:
            return False
        self._left -= 1
        return any(_are_alike(wanted, words) for words in self._each())


def _stands_in(wanted: str, words: str) -> bool:
    """Return whether whole words hold the wanted ones: 5 is not in 25, nor `no` in `know`."""
    start = words.find(wanted)
    for _ in range(_MOST_PLACES):
        end = start + len(wanted)
        if start < 0 or not (_splits(words, start) or _splits(words, end)):
            break
        start = words.find(wanted, start + 1)
    else:
        return False
    return start >= 0


def _splits(words: str, at: int) -> bool:
    """Return whether a place lies inside a number or a Latin word."""
    around = words[max(at - 1, 0) : at + 1]
    return 0 < at < len(words) and around.isascii() and around.isalnum()


def _are_alike(wanted: str, words: str) -> bool:
    if len(wanted) > len(words):  # else the words would be looked for in the quote
        return fuzz.ratio(wanted, words, score_cutoff=ALIKE) > 0
    return fuzz.partial_ratio(wanted, words, score_cutoff=ALIKE) > 0
