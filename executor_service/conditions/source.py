"""From a condition as its author writes it to plain CEL over named slots (Conditions).

Every `{name}` and `has({name})` becomes an identifier, padded to the same length: an offset in the
CEL text is the same offset in the author's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.output_type import OutputType
from heartrule.words.words import Said, Words, say

MAX_LENGTH = 2000
"""Code points of a condition."""
# Brackets inside one another; CEL itself takes far more.
MAX_NESTING = 32
# Operators nest without brackets too: so the depth has a limit there as well.
MAX_OPERATORS = 200
# Variables of one type that a condition may read; each is declared to CEL at the start.
SLOTS = 60

_NAME = r"[^\W\d]\w*"
_TOKEN = re.compile(
    r"(?P<text>[rR](?:'[^'\n]*'|\"[^\"\n]*\")|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<comment>//[^\n]*)"
    rf"|(?P<has>\bhas\s*\(\s*\{{(?P<has_name>{_NAME})\}}\s*\))"
    rf"|(?P<variable>\{{(?P<name>{_NAME})\}})"
    rf"|(?P<word>{_NAME})"
    r"|(?P<number>\d[\w.]*)"
    r"|(?P<space>\s+)"
    r"|(?P<operator>==|!=|<=|>=|&&|\|\||[-+*/%<>!?])"
    r"|(?P<sign>.)",
    re.DOTALL,
)
# CEL's text is UTF-8, which has no lone surrogates; NUL is refused with them.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_LITERALS = frozenset({"true", "false", "in"})
_FUNCTIONS = frozenset({"size", "int", "double", "string"})
_METHODS = frozenset({"contains", "startsWith", "endsWith", "matches", "size"})
_SIGNS = frozenset("()[],.:")
_INSTEAD = {"and": "&&", "or": "||", "not": "!", "AND": "&&", "OR": "||", "NOT": "!"}
_PATTERN = re.compile(r"\s*\(\s*(?:[rR]?'(?:\\.|[^'\\\n])*'|[rR]?\"(?:\\.|[^\"\\\n])*\")\s*\)")
_WIDE = str.maketrans("（）【】，。：！＝＜＞＆｜＋－“”‘’", "()[],.:!=<>&|+-\"\"''")


class ConditionError(ValueError):
    """A condition that does not compile; its words name what would be right."""

    def __init__(self, words: Said, offset: int) -> None:
        """Keep the words, and where in the condition they apply, in code points from 0."""
        self.message = str(words)
        super().__init__(self.message)
        self.words = words
        self.offset = offset


class SlotKind(StrEnum):
    """What a slot of the CEL text holds; the value is the first letter of its identifier."""

    TEXT = "t"
    NUMBER = "n"
    INTEGER = "i"
    BOOLEAN = "b"
    PRESENT = "h"
    """Whether a variable has a value."""
    RECORDS = "r"
    """A list of records, from field to value."""


_KINDS = {
    OutputType.NUMBER: SlotKind.NUMBER,
    OutputType.INTEGER: SlotKind.INTEGER,
    OutputType.BOOLEAN: SlotKind.BOOLEAN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A variable as one condition reads it."""

    name: str
    """The script variable."""
    kind: SlotKind
    identifier: str
    """Its name in the CEL text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CelSource:
    """A condition in CEL."""

    text: str
    """As long as the author's text, position by position."""
    slots: tuple[Slot, ...]
    mentions: tuple[tuple[int, Slot], ...]
    """Every place a variable's value is read."""
    patterns: tuple[tuple[int, str], ...] = ()
    """Each pattern matches() is given, in its brackets and quotes, with its offset."""


def slot_identifier(kind: SlotKind, number: int) -> str:
    """Return the identifier of a slot: three characters, as short as `{x}`."""
    return f"{kind.value}{number:02d}"


def to_cel(text: str, types: Mapping[str, OutputType], lists: Collection[str] = ()) -> CelSource:
    """Translate a condition; a name that neither `types` nor `lists` hold is text.

    Raises:
        ConditionError: It is too large, or holds what conditions do not know.
    """
    if len(text) > MAX_LENGTH:
        raise ConditionError(say("condition.too_long", most=MAX_LENGTH), MAX_LENGTH)
    if not text.strip():
        raise ConditionError(say("condition.empty"), 0)
    if unusable := _NO_TEXT.search(text):
        raise ConditionError(say("condition.character"), unusable.start())
    return _Translation(text, types, lists).run()


class _Translation:
    """One pass over a condition."""

    def __init__(self, text: str, types: Mapping[str, OutputType], lists: Collection[str]) -> None:
        self._text = text
        self._types = types
        self._lists = lists
        self._slots: dict[tuple[str, SlotKind], Slot] = {}
        self._mentions: list[tuple[int, Slot]] = []
        self._patterns: list[tuple[int, str]] = []
        self._depth = 0
        self._operators = 0
        self._before = ""

    def run(self) -> CelSource:
        handlers: Mapping[str, Callable[[re.Match[str]], str]] = {
            "has": self._present,
            "variable": self._variable,
            "word": self._word,
            "operator": self._operator,
            "sign": self._sign,
        }
        parts: list[str] = []
        for match in _TOKEN.finditer(self._text):
            kind = match.lastgroup or ""
            # lastgroup names the outermost group closed last: `has` and `variable` hold a name.
            handler = handlers.get(kind)
            parts.append(handler(match) if handler else match.group())
            if kind not in {"space", "comment"}:
                self._before = match.group()
        return CelSource(
            text="".join(parts),
            slots=tuple(self._slots.values()),
            mentions=tuple(self._mentions),
            patterns=tuple(self._patterns),
        )

    def _present(self, match: re.Match[str]) -> str:
        slot = self._slot(match.group("has_name"), SlotKind.PRESENT, match.start())
        return slot.identifier.ljust(len(match.group()))

    def _variable(self, match: re.Match[str]) -> str:
        if self._before == "$":
            raise ConditionError(say("condition.variable"), match.start() - 1)
        name = match.group("name")
        kind = _KINDS.get(self._types.get(name, OutputType.TEXT), SlotKind.TEXT)
        if name in self._lists:
            kind = SlotKind.RECORDS
        slot = self._slot(name, kind, match.start())
        self._mentions.append((match.start(), slot))
        return slot.identifier.ljust(len(match.group()))

    def _slot(self, name: str, kind: SlotKind, offset: int) -> Slot:
        if known := self._slots.get((name, kind)):
            return known
        number = sum(slot.kind is kind for slot in self._slots.values())
        if number >= SLOTS:
            raise ConditionError(say("condition.too_many_variables", most=SLOTS), offset)
        slot = Slot(name=name, kind=kind, identifier=slot_identifier(kind, number))
        self._slots[name, kind] = slot
        return slot

    def _word(self, match: re.Match[str]) -> str:
        word, after = match.group(), self._text[match.end() :].lstrip()
        if self._before == ".":
            known = word in _METHODS
        elif after.startswith("("):
            known = word in _FUNCTIONS or word == "in"
        else:
            known = word in _LITERALS
        if not known:
            called = self._before == "." or after.startswith("(")
            raise ConditionError(_unknown_word(word, called=called), match.start())
        if word == "matches":  # its pattern is a text of the script, never a value, to be checked
            pattern = _PATTERN.match(self._text, match.end())
            if pattern is None:
                raise ConditionError(say("condition.pattern_in_quotes"), match.end())
            self._patterns.append((match.end(), pattern.group()))
        return word

    def _operator(self, match: re.Match[str]) -> str:
        self._operators += 1
        if self._operators > MAX_OPERATORS:
            raise ConditionError(
                say("condition.too_many_operators", most=MAX_OPERATORS), match.start()
            )
        return match.group()

    def _sign(self, match: re.Match[str]) -> str:
        sign = match.group()
        if sign not in _SIGNS:
            raise ConditionError(_unknown_sign(sign), match.start())
        self._depth += (sign in "([") - (sign in ")]")
        if self._depth > MAX_NESTING:
            raise ConditionError(say("condition.too_deep", most=MAX_NESTING), match.start())
        return sign


def _unknown_word(word: str, *, called: bool) -> Words:
    if word in _INSTEAD:
        return say("condition.instead", right=_INSTEAD[word], wrong=word)
    if word == "has":
        return say("condition.has")
    if word in {"null", "None"}:
        return say("condition.null")
    if called:
        known = tuple(sorted(_FUNCTIONS | _METHODS | {"has"}))
        return say("condition.unknown_function", name=word, known=known)
    if word in {"True", "False"}:
        return say("condition.instead", right=word.lower(), wrong=word)
    return say("condition.unknown_word", word=word)


def _unknown_sign(sign: str) -> Words:
    if sign in {"{", "}", "$"}:
        return say("condition.variable")
    if sign in {"=", "&", "|"}:
        return say("condition.instead", right=sign * 2, wrong=sign)
    if sign in {"'", '"'}:
        return say("condition.open_text", sign=sign)
    narrow = sign.translate(_WIDE)
    if narrow != sign:
        return say("condition.instead", right=narrow, wrong=sign)
    return say("condition.unknown_sign", sign=sign)
