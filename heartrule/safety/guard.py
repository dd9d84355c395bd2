"""The output guard: no invented number or link, no promise, no goodbye leaves a watched session.

It works on the stream, a sentence at a time: what it has returned is never taken back, and the
same text gives the same result in whatever pieces it comes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

# Stands in the place of what was cut.
_CUT = "…"
_GAP = ".{0,12}?"
# A sentence ends here where something follows; all signs and blanks behind its end belong to it.
_END = re.compile(r"""(?:[。！？…\n]|[.!?;](?=\s))[\s。！？!?.…"'”’)）」』】]*+""")
_LINK = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,20}://|www\.|mailto:)[^\s，。；、）】」》]*"
    r"|[\w.+-]{1,64}@[^\s，。；、）】」》]+"
    r"|(?<![a-z0-9-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?:[/:?#][^\s，。；、）】」》]*)?",
    re.IGNORECASE | re.ASCII,
)
# Signs between the digits of one number; `/` and `,` stand between two.
_BETWEEN = r"[\s\-‐-―−.·•・+()（）_*~\ufe0e\ufe0f\u20e3\u200d]"
_DIGIT = r"[\d⓪①-⑨❶-❾⁰¹²³⁴-⁹₀-₉]"
_DIGITS = re.compile(rf"{_DIGIT}(?:{_BETWEEN}*{_DIGIT})*(?:-[A-Z]{{4,}})*")
_RUN = re.compile(f"{_DIGIT}+")
_HAN = dict(zip("零〇一二三四五六七八九幺两兩", "00123456789122", strict=True))
_HAN_DIGIT = f"[{''.join(_HAN)}0-9]"
_HAN_NUMBER = re.compile(rf"{_HAN_DIGIT}(?:[\s\-.·]?{_HAN_DIGIT}){{2,}}")
# 打 means many things; before a number it means to call.
_HAN_CALL = re.compile(rf"打\s*{_DIGIT}")
_WORDS = dict(
    zip(
        ["zero", "oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
        "00123456789",
        strict=True,
    )
)
_WORD = "(?:" + "|".join(_WORDS) + ")"
_WORD_NUMBER = re.compile(rf"\b{_WORD}(?:[\s,.\-]+{_WORD}){{2,}}\b", re.IGNORECASE)
# From so many digits on a number is a phone number wherever it stands.
_LONG = 5
_SHORTEST = 3


@dataclass(frozen=True, kw_only=True)
class GuardRules:
    """What is taken out of a text."""

    promises: tuple[str, ...]
    goodbyes: tuple[str, ...]
    contacts: tuple[str, ...]
    numbers: frozenset[str]
    """Digits of the numbers that may be named."""
    links: tuple[str, ...]
    """Addresses that may be named, and what lies below them."""

    @cached_property
    def promise(self) -> re.Pattern[str]:
        """Finds a promise in a sentence."""
        return _any(self.promises)

    @cached_property
    def goodbye(self) -> re.Pattern[str]:
        """Finds a goodbye in a sentence."""
        return _any(self.goodbyes)

    @cached_property
    def contact(self) -> re.Pattern[str]:
        """Finds a word that makes a short number a phone number."""
        return _any(self.contacts)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceLines:
    """What stands in the place of a sentence, in the session's language."""

    promise: str
    goodbye: str
    nothing: str


class OutputGuard:
    """Guards one text of a model."""

    def __init__(self, rules: GuardRules, lines: SentenceLines) -> None:
        """Begin a text."""
        self._rules, self._lines = rules, lines
        self._held = ""
        self._contact = False
        self._said: set[str] = set()
        self._blank = True
        self._fed = False

    def feed(self, piece: str) -> str:
        """Return what may leave once a piece has come: whole sentences, guarded."""
        self._held += _visible(piece)
        self._fed = self._fed or bool(piece.strip())
        done, start = [], 0
        for match in _END.finditer(self._held):
            if match.end() == len(self._held):  # more of the sentence's end may come
                break
            if not _inside_number(self._held, match):
                done.append(self._guarded(self._held[start : match.end()]))
                start = match.end()
        self._held = self._held[start:]
        return "".join(done)

    def finish(self) -> str:
        """Return what is left at the text's end."""
        held, self._held = self._held, ""
        rest = self._guarded(held)
        if not held[-1:].isspace():
            rest = rest.rstrip()
        if self._fed and self._blank and not rest.strip():
            return self._lines.nothing
        return rest

    def _guarded(self, sentence: str) -> str:
        folded = _folded(sentence)
        contact = self._rules.contact.search(folded) or _HAN_CALL.search(folded)
        self._contact = self._contact or contact is not None
        # What a cut leaves is read as well: it may be a link or a pattern by itself.
        text = self._without_numbers(_LINK.sub(self._link, sentence))
        text = self._without_numbers(_LINK.sub(self._link, text))
        both = f"{folded}\n{_folded(text)}"
        if self._rules.promise.search(both):
            text = self._once(self._lines.promise, sentence)
        elif self._rules.goodbye.search(both):
            text = self._once(self._lines.goodbye, sentence)
        self._blank = self._blank and not text.strip(f"{_CUT} \n\t。.，,！!")
        return text

    def _once(self, line: str, sentence: str) -> str:
        """Return the line that stands for a sentence, with its blanks; nothing the second time."""
        if line in self._said:
            return ""
        self._said.add(line)
        blanks = sentence[len(sentence.rstrip()) :]
        return line + (blanks or (" " if line.isascii() else ""))

    def _link(self, match: re.Match[str]) -> str:
        found = _address(match.group())
        known = any(found == each or found.startswith(each + "/") for each in self._rules.links)
        return match.group() if known else _CUT

    def _without_numbers(self, text: str) -> str:
        text = _WORD_NUMBER.sub(lambda match: self._spelled(match, _WORDS), text)
        text = _HAN_NUMBER.sub(lambda match: self._spelled(match, _HAN), text)
        return _DIGITS.sub(self._digits, text)

    def _spelled(self, match: re.Match[str], digits: dict[str, str]) -> str:
        """Cut a number written in words, unless it may be named; counting is no number."""
        parts = re.findall(rf"{_WORD}|\S", match.group().casefold())
        number = "".join(digits.get(part, part) for part in parts if part not in ",.-·")
        steps = {ord(b) - ord(a) for a, b in pairwise(number)}
        plain = not any(part in digits for part in parts) or steps in ({1}, {-1})
        known = plain or number in self._rules.numbers
        return match.group() if known or not self._is_phone([number]) else _CUT

    def _digits(self, match: re.Match[str]) -> str:
        """Cut a number, but for the parts of it that may be named by themselves."""
        text = match.group()
        runs = _RUN.findall(text)
        kept = [run for run in runs if self._is_known(run)]
        others = [run for run in runs if run not in kept]
        if not others or self._is_known("".join(runs)):
            return text
        named = text[-1].isalpha() and len("".join(runs)) >= _SHORTEST
        if not named and not self._is_phone(others):
            return text
        return " ".join((*kept, _CUT))

    def _is_known(self, digits: str) -> bool:
        return _decimal(digits) in self._rules.numbers

    def _is_phone(self, runs: Sequence[str]) -> bool:
        """Return whether digits are a phone number; a range such as 0-10 is none."""
        if sum(map(len, runs)) >= _LONG:
            return True
        spaced = len(runs) >= _SHORTEST and all(len(run) == 1 for run in runs)
        return self._contact and (spaced or any(len(run) >= _SHORTEST for run in runs))


def guarded(text: str, rules: GuardRules, lines: SentenceLines) -> str:
    """Return a whole text, guarded."""
    guard = OutputGuard(rules, lines)
    return guard.feed(text) + guard.finish()


def known_numbers(numbers: Iterable[str]) -> frozenset[str]:
    """Return the digits of numbers that may be named."""
    return frozenset(filter(None, ("".join(_RUN.findall(each)) for each in numbers)))


def known_links(links: Iterable[str]) -> tuple[str, ...]:
    """Return addresses that may be named, as they are compared."""
    return tuple(map(_address, links))


def _folded(text: str) -> str:
    return text.casefold().replace("’", "'")


def _visible(text: str) -> str:
    """Return a text without invisible signs, which could hide a number or a link."""
    return "".join(
        each if each == "\u200d" or unicodedata.category(each) != "Cf" else "" for each in text
    )


def _decimal(digits: str) -> str:
    """Return digits of any script as plain ones."""
    return "".join(str(unicodedata.digit(each, each)) for each in digits)


def _inside_number(text: str, end: re.Match[str]) -> bool:
    """Return whether an end of a sentence stands between two digits."""
    before = text[: end.start()].rstrip()
    return before[-1:].isdigit() and text[end.end()].isdigit()


def _address(link: str) -> str:
    """Return a link without scheme, `www.` and what closes it, in lower case."""
    bare = re.sub(r"^(?:[a-z][a-z0-9+.-]*://)?(?:www\.)?", "", link.lower())
    return bare.rstrip("/.,;:!?'\")")


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of them; Latin ones begin and end at the edge of a word."""
    return re.compile("|".join(map(_written, patterns)) or "(?!)")


def _written(pattern: str) -> str:
    body = _GAP.join(re.escape(part) for part in pattern.casefold().split("*"))
    before = "(?<![a-z])" if pattern[0].isascii() and pattern[0].isalnum() else ""
    after = "(?![a-z])" if pattern[-1].isascii() and pattern[-1].isalnum() else ""
    return before + body + after
