"""Latin words that hide behind digits, signs, stars and repeated letters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

# Signs and the letter each is written for; a second table reads the same signs as an l.
_SIGNS = "¡4@8(369!|1057+$2¢€£#_%"
_AS_I = str.maketrans(_SIGNS, "iaabceggiiiosttszcel***")
_AS_L = str.maketrans(_SIGNS, "iaabcegglllosttszcel***")
_TOKEN = re.compile(r"[a-z0-9@$!¡|+*#_%(¢€£]{3,24}+")
_TAIL = "!|+(_#%"
_RUN = re.compile(r"(.)\1+")
# Words of so many letters are recognised in pieces and mistyped too: sui cidal, ki.lling, suicdal.
_LONG = 6
_GAP = r"[ ._/|\\]?"


class HiddenLetters:
    """Recognises the given words however their letters are written."""

    def __init__(self, words: Iterable[str]) -> None:
        """Recognise these words, the earlier ones first."""
        self._words: dict[str, str] = {}
        for word in words:
            for form in _starred(word):
                self._words.setdefault(form, word)
        self._plain = frozenset(self._words.values())
        pieced = (_GAP.join(word) for word in self._plain if len(word) >= _LONG)
        self._mistyped = {
            form: word for word in self._plain if len(word) >= _LONG for form in _mistyped(word)
        }
        self._pieced = re.compile(f"(?<![a-z])(?:{'|'.join(pieced) or '(?!)'})(?![a-z])")

    def undone(self, text: str) -> str:
        """Return a normal text with these words in plain letters."""
        if not self._words:
            return text
        text = self._pieced.sub(lambda match: "".join(filter(str.isalpha, match.group())), text)
        return _TOKEN.sub(lambda match: self._read(match.group()), text)

    def _read(self, token: str) -> str:
        bare = token.rstrip(_TAIL)
        tail = token[len(bare) :]
        if bare.isdigit() or bare in self._plain:
            return token
        if bare in self._mistyped:
            return self._mistyped[bare] + tail
        if bare.isalpha() and not _RUN.search(bare):
            return token
        for table in (_AS_I, _AS_L):
            word = self._words.get(_RUN.sub(r"\1", bare.translate(table)))
            if word is not None:
                return word + tail
        return token


def _starred(word: str) -> set[str]:
    """Return a word without doubled letters, and with stars for its inner or last letters.

    The first letter and one more stay: a word of stars stands for anything.
    """
    forms = {_RUN.sub(r"\1", word)}
    places = range(1, len(word))
    for number in range(1, len(word) - 1):
        for hidden in combinations(places, number):
            starred = "".join("*" if i in hidden else char for i, char in enumerate(word))
            forms.add(_RUN.sub(r"\1", starred))
    return forms


def _mistyped(word: str) -> set[str]:
    """Return a word without one of its inner letters, and with two of them changed in order."""
    places = range(1, len(word) - 1)
    shorter = {word[:at] + word[at + 1 :] for at in places}
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places}
    return (shorter | swapped) - {word}
