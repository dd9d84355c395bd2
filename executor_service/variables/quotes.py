"""Whether the client said what a reply gives as the value of a variable: pure, by its quote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from executor_service.scripts.model.fields import Output, WhenUnsupported
from executor_service.variables.client_words import ClientWords, normalized
from executor_service.variables.number_words import numbers_in
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.domain.problem import Degradation
from heartrule.domain.sensitive import UNSUPPORTED
from heartrule.domain.variables import Provenance, ValueSupport
from heartrule.model.template_filling import render_value

#: Characters kept of a quote: enough to find the place.
LONGEST_QUOTE = 500
# Spaces and punctuation by which two texts may differ that are the same.
_LONGEST_SIGNS = 64
_NUMBERS = frozenset({OutputType.NUMBER, OutputType.INTEGER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A value that a reply gives, converted, with the words it is said to rest on."""

    output: Output
    value: JsonValue
    quote: str
    """The quote; for a plain value its own text."""
    plain: bool = False
    """True for a value without a quote."""

    @classmethod
    def of(cls, output: Output, value: JsonValue, raw: JsonValue, quote: str | None) -> Claim:
        """Return the claim of a converted value, as the reply wrote it (`raw`)."""
        text = render_value(raw) if quote is None else quote
        return cls(output=output, value=value, quote=text, plain=quote is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What claims of one reply are held against."""

    words: ClientWords
    quotes_asked: bool = True
    """False for a template written before quotes were asked for."""
    not_values: Collection[str] = ()
    """Definitions and examples: what the prompt says itself is nobody's answer."""
    held: Mapping[str, JsonValue] = field(default_factory=dict)
    """Values of variables; another one's text is no answer either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported:
    """What is stored of a reply's claims, and what is not."""

    values: Mapping[str, JsonValue]
    provenance: Mapping[str, Provenance]
    """Of each value, by variable."""
    unsupported: Mapping[str, JsonValue]
    """By variable, the value and the quote that were not stored."""
    given: frozenset[str]
    """The variables whose value the client gave."""

    def facts(self) -> dict[str, JsonValue]:
        """Return what the result of a round records of values that were not stored."""
        return {UNSUPPORTED: dict(self.unsupported)} if self.unsupported else {}

    def degradations(self) -> tuple[Degradation, ...]:
        """Return one degradation for each value that was not stored; its text is in the facts."""
        return tuple(
            Degradation.of("variables", "UNSUPPORTED_VALUE", variable=name)
            for name in self.unsupported
        )


def supported(claims: Iterable[Claim], rules: Rules) -> Supported:
    """Return which claims the client's words support, in their order."""
    values: dict[str, JsonValue] = {}
    provenance: dict[str, Provenance] = {}
    refused: dict[str, JsonValue] = {}
    copying = _Copying(rules)
    for claim in claims:
        name, quote = claim.output.get, claim.quote[:LONGEST_QUOTE]
        support = _support(claim, rules, copying)
        if support is None:
            refused[name] = {"value": _shortened(claim.value), "quote": quote}
            continue
        values[name] = claim.value
        said = support is ValueSupport.CLIENT_WORDS
        provenance[name] = Provenance(support=support, quote=quote if said else "")
        copying.note(claim)
    given = frozenset(name for name, each in provenance.items() if each.known)
    return Supported(values=values, provenance=provenance, unsupported=refused, given=given)


def _support(claim: Claim, rules: Rules, copying: _Copying) -> ValueSupport | None:
    """Return what a value rests on; None where it is not to be stored."""
    if copying.is_copy(claim):
        return None
    if _said(claim, rules.words):
        return ValueSupport.CLIENT_WORDS
    if claim.output.unsupported is WhenUnsupported.STORE:
        return ValueSupport.INFERRED
    return ValueSupport.UNQUOTED if claim.plain and not rules.quotes_asked else None


def _said(claim: Claim, words: ClientWords) -> bool:
    if isinstance(claim.value, int | float) and not isinstance(claim.value, bool):
        if claim.plain and words.newest_have_number(claim.value):
            return True
        if claim.output.type not in _NUMBERS:
            return words.hold(claim.quote)
        return claim.value in numbers_in(claim.quote[:LONGEST_QUOTE]) and words.hold(claim.quote)
    return words.hold(claim.quote)


class _Copying:
    """Knows texts that are no answers: definitions, examples, texts of other variables."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._quoted: dict[str, str] = {}

    def is_copy(self, claim: Claim) -> bool:
        """Return whether a text was taken from elsewhere.

        What the newest words hold was said, be it equal or not: to two questions the answer may be
        the same. Only one variable takes one quote of one reply.
        """
        if claim.output.type is not OutputType.TEXT or not isinstance(claim.value, str):
            return False
        text, name = normalized(claim.value), claim.output.get
        if not text:
            return False
        if not claim.plain and self._quoted.get(text) == normalized(claim.quote):
            return True
        if any(text == _of_prompt(own) for own in self._rules.not_values):
            return not self._rules.words.newest_hold(claim.value)
        others = (held for other, held in self._rules.held.items() if other != name)
        return any(_same(text, held) for held in others) and not self._rules.words.newest_hold(
            claim.quote
        )

    def note(self, claim: Claim) -> None:
        """Remember a value that is stored."""
        if isinstance(claim.value, str) and claim.output.type is OutputType.TEXT:
            self._quoted[normalized(claim.value)] = normalized(claim.quote)


@lru_cache(maxsize=1_024)
def _of_prompt(text: str) -> str:
    """Return a text of a script or template as it is compared: there are few of them."""
    return normalized(text)


def _same(text: str, held: JsonValue) -> bool:
    # Most are too long to be the same, and are not normalised.
    return (
        isinstance(held, str)
        and len(held) <= len(text) + _LONGEST_SIGNS
        and normalized(held) == text
    )


def _shortened(value: JsonValue) -> JsonValue:
    """Return a value short enough for a record."""
    return value if isinstance(value, bool | int | float) else render_value(value)[:LONGEST_QUOTE]
