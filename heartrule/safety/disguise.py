"""Undoes hidden spelling of the words that matter: digits for letters, sounds, fillers, emoji.

Every disguised word is replaced by the word it stands for, so that scope, denial and quotation
are read in one text. Whatever is no disguise of a listed word stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from heartrule.chassis.config_files import FilePart
from heartrule.safety.hidden_letters import HiddenLetters
from heartrule.safety.normal_text import CJK, is_cjk
from heartrule.safety.sounds import sound_of, sound_table, syllables
from heartrule.safety.term_finder import TermFinder, apart
from heartrule.safety.word_lists import NormalWord, Words

# Longer texts are read for hidden words at both ends only: these steps cost more than the others.
_REACH = 16_000
# Characters in which it is read what language a text is in.
_TOLD = 2_000
# A space before a syllable in Latin letters, which is a part of a Chinese word: 想 si.
_SYLLABLE_GAP = re.compile(f"(?<=[{CJK}]) (?=[a-z]{{1,5}}(?![a-z ]))")
# A space between Chinese words, which words of another language stood in; a quotation has its own.
_WORD_GAP = re.compile(f"(?<=[{CJK}])(?<![说写]) (?=[{CJK}])")
_LETTER = re.compile("[a-z]")
_CHINESE = re.compile(f"[{CJK}]")
_UNIT = re.compile(r"[a-z]+|.", re.DOTALL)


class Disguises(FilePart):
    """The disguised forms of one language's words, as its rules file lists them."""

    variants: dict[NormalWord, str]
    """From a disguised form to what it stands for; `$`: at the end of a clause only."""
    mixed: dict[NormalWord, str]
    """Words of another language, read so in a text that has Chinese and Latin letters."""
    dropped: Words = ()
    """Words that strengthen and say nothing; rules need not expect them: really, just."""
    core: Words
    """Latin words that are recognised with digits, stars and doubled letters in them."""
    sounds: Words
    """Chinese words that are recognised by their sound alone."""
    sounded: Words
    """Chinese words that are recognised where a part is written in Latin letters or digits."""
    same_sound: Words
    """Ordinary words that sound like one of `sounds`."""

    def undone(self, text: str) -> str:
        """Return a normal text with every disguised word in plain spelling."""
        if len(text) > 2 * _REACH:
            middle = text[_REACH:-_REACH]
            return f"{self.undone(text[:_REACH])}{middle}{self.undone(text[-_REACH:])}"
        text = self._letters.undone(text)
        if self.sounds:
            text = self._interrupted.sub(lambda match: "".join(filter(is_cjk, match[0])), text)
            text = _SYLLABLE_GAP.sub("", text)
            if _LETTER.search(text):
                text = self._spelled_out(text)
            text = self._resounded(text)
        text = self._literally(text, self._finder, self.variants)
        text = self._without_dropped(text)
        if self._is_mixed(text):
            mixed = self._literally(text, self._foreign, self.mixed)
            text = text if mixed == text else _WORD_GAP.sub("", mixed)
        return text

    def _is_mixed(self, text: str) -> bool:
        """Return whether a text may hold words of the other language in its own grammar.

        A few letters in Chinese (B站, PPT) make no English sentence of it.
        """
        if not (_LETTER.search(text) and _CHINESE.search(text)):
            return False
        beginning = text[:_TOLD]
        letters, chinese = _LETTER.findall(beginning), _CHINESE.findall(beginning)
        return bool(self.sounds) or len(letters) >= len(chinese)

    def _without_dropped(self, text: str) -> str:
        """Return the text without idle words, each with the space behind it."""
        spans = self._idle.spans(text).get("", ())
        return _replaced(
            text, ((start, end + (text[end : end + 1] == " "), "") for start, end in spans)
        )

    @staticmethod
    def _literally(text: str, finder: TermFinder, forms: Mapping[str, str]) -> str:
        found = (
            (start, end, forms[form])
            for form, spans in finder.spans(text).items()
            for start, end in spans
            if not form.endswith("$") or not text[end : end + 1].isalnum()
        )
        return _replaced(text, found)

    def _resounded(self, text: str) -> str:
        """Return the text with the listed words for others of their sound."""
        spans = self._by_sound.spans(text.translate(sound_table()))
        if not spans:
            return text
        ordinary = [span for places in self._ordinary.spans(text).values() for span in places]
        found = (
            (start, end, word)
            for word, places in spans.items()
            for start, end in places
            if not any(low < end and start < high for low, high in ordinary)
        )
        return _replaced(text, found)

    def _spelled_out(self, text: str) -> str:
        """Return the text with the listed words for those of which a part is pinyin or a digit."""
        units = _units(text)
        sounds = " ".join(unit[0] for unit in units) + " "
        found, first, place = [], 0, 0
        for match in self._spelled.finditer(sounds):
            first += sounds.count(" ", place, match.start())
            place = match.start()
            word = self.sounded[(match.lastindex or 1) - 1]
            last = first + len(word) - 1
            written = text[units[first][1] : units[last][2]]
            if not all(map(is_cjk, written)):
                found.append((units[first][1], units[last][2], word))
        return _replaced(text, found)

    @cached_property
    def _letters(self) -> HiddenLetters:
        return HiddenLetters(self.core)

    @cached_property
    def _finder(self) -> TermFinder:
        return TermFinder({form: (form.removesuffix("$"),) for form in self.variants})

    @cached_property
    def _idle(self) -> TermFinder:
        return TermFinder({"": self.dropped})

    @cached_property
    def _foreign(self) -> TermFinder:
        return TermFinder({form: (form,) for form in self.mixed})

    @cached_property
    def _ordinary(self) -> TermFinder:
        return TermFinder({"": self.same_sound})

    @cached_property
    def _by_sound(self) -> TermFinder:
        return TermFinder({word: (word.translate(sound_table()),) for word in self.sounds})

    @cached_property
    def _interrupted(self) -> re.Pattern[str]:
        """Find Chinese words with one or two foreign characters between their own."""
        between = f"[^{CJK}\\s,。!?、:;]{{1,2}}"
        words = "|".join(between.join(word) for word in self.sounded if len(word) == 2)
        return re.compile(words or "(?!)")

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        parts = "|".join("(" + " ".join(map(_sounding, word)) + ")" for word in self.sounded)
        return re.compile(f"(?<![a-z])(?:{parts or '(?!)'})(?= )")


def _sounding(char: str) -> str:
    sound = sound_of(char)
    digit = {"si": "4", "ba": "8", "sha": "s"}.get(sound)
    return f"(?:{sound}|{digit})" if digit else sound


def _units(text: str) -> list[tuple[str, int, int]]:
    """Return the sounds of a text, each with its place: characters, syllables, other words."""
    units: list[tuple[str, int, int]] = []
    for match in _UNIT.finditer(text):
        word, start = match.group(), match.start()
        if word == " ":
            continue
        parts = syllables(word) if len(word) > 1 and len(word) <= 24 else ()
        if not parts:
            units.append((sound_of(word) if len(word) == 1 else word, start, match.end()))
        for part in parts:
            units.append((part, start, start + len(part)))
            start += len(part)
    return units


def _replaced(text: str, found: Iterable[tuple[int, int, str]]) -> str:
    parts, place = [], 0
    for start, end, word in apart(found):
        parts += [text[place:start], word]
        place = end
    return "".join((*parts, text[place:]))
