"""The three strategies that read a reply (RESOLUTIONS C1-C3).

One parser serves actions and monitors. The number in the diagnosis is that of the strategy that
succeeded; all three run on the one reply, no further model call is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import ParseDiagnosis, ParseError, ParseStrategy
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.decode import Decoded, UnreadableReply, decode_object, repair
from heartrule.model.reply.json_strings import skip_spaces
from heartrule.model.reply.prose import repeats

# The enum's order is the order in which they are tried, and their numbers in the diagnosis.
STRATEGIES = tuple(ParseStrategy)
# Where a reply may begin: `{深呼吸}` in prose is none.
OBJECT_START = re.compile(r'\{[ \t\n\r]*"')
# What may precede a reply without being prose.
PREFACE = re.compile(r"[\s\ufeff]*+(?:```\w*+[\s\ufeff]*+)?")

_AFTERWORD = re.compile(r"[\s\ufeff]*+(?:```)?[\s\ufeff]*+")
_FENCED_START = re.compile(r'```\w*\s*(?=\{[ \t\n\r]*")')
_FURTHER_FIELDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedReply:
    """What was read, and how."""

    value: dict[str, JsonValue] | None
    """The object; None when no strategy found one."""
    diagnosis: ParseDiagnosis
    """For the ledger, the action's metadata and the log."""


@dataclass(frozen=True, slots=True)
class _Found:
    value: dict[str, JsonValue]
    doubled: tuple[str, ...]
    repairs: tuple[str, ...] = ()


def parse_object(
    text: str,
    *,
    contract: ReplyContract,
    client_text: str = "",
    finish_reason: str = "stop",
) -> ParsedReply:
    """Read one reply with the three strategies.

    Args:
        text: The model's whole answer.
        contract: Which fields make an object a reply.
        client_text: The client's last message; an object quoted from it is no reply.
        finish_reason: Only a reply that ended with `stop` is repaired.
    """
    reader = _ReplyReader(text, contract, client_text, may_repair=finish_reason == "stop")
    readers = (reader.direct, reader.trimmed, reader.extracted)
    problem = ""
    for number, (strategy, read) in enumerate(zip(STRATEGIES, readers, strict=True), start=1):
        try:
            found = read()
        except UnreadableReply as error:
            problem = str(error)
            continue
        doubled = dict.fromkeys(key for key in found.doubled if key in contract.known_names())
        warnings = tuple(f"{key} stands twice; the first counts" for key in doubled)
        return ParsedReply(
            value=found.value,
            diagnosis=ParseDiagnosis(
                strategy=strategy.value,
                retry_count=number,
                repairs=found.repairs,
                warnings=warnings,
            ),
        )
    return _failed(text, problem)


def _failed(text: str, problem: str) -> ParsedReply:
    error = ParseError(
        retry_count=len(STRATEGIES),
        strategies=tuple(strategy.value for strategy in STRATEGIES),
        final_error=problem,
        raw_response=text,
    )
    return ParsedReply(
        value=None, diagnosis=ParseDiagnosis(retry_count=len(STRATEGIES), parse_error=error)
    )


class _ReplyReader:
    """One reply and what it is held against."""

    def __init__(
        self, text: str, contract: ReplyContract, client_text: str, *, may_repair: bool
    ) -> None:
        self._text = text
        self._contract = contract
        self._client_text = client_text
        self._may_repair = may_repair

    def direct(self) -> _Found:
        """Take a text that is exactly one object."""
        return self._whole(self._text)

    def trimmed(self) -> _Found:
        """Take an object with nothing but white space around it."""
        return self._whole(self._text.strip().strip("\ufeff").strip())

    def extracted(self) -> _Found:
        """Take a fenced block, else the first object, else repair the text between { and }."""
        problem = "no object in the text"
        starts = tuple(dict.fromkeys(self._starts()))
        for read in (self._embedded, self._mended):
            for start in starts:
                try:
                    return read(start)
                except UnreadableReply as error:
                    problem = str(error)
        raise UnreadableReply(problem)

    def _whole(self, text: str) -> _Found:
        if not text.startswith("{"):
            raise UnreadableReply("the text does not begin with an object")
        decoded = decode_object(text)
        if decoded.end != len(text):
            raise UnreadableReply("text follows the object")
        return self._checked(decoded, ())

    def _starts(self) -> Iterator[int]:
        """Yield where an object may begin: after a fence that follows prose, then the first."""
        first = OBJECT_START.search(self._text)
        if first is None:
            return
        if PREFACE.fullmatch(self._text, 0, first.start()) is None:
            fenced = _FENCED_START.search(self._text)
            if fenced is not None:
                yield fenced.end()
        yield first.start()

    def _embedded(self, start: int) -> _Found:
        decoded = decode_object(self._text, start)
        self._check_prose(decoded.value, start, decoded.end)
        return self._checked(decoded, ())

    def _mended(self, start: int) -> _Found:
        if not self._may_repair:
            raise UnreadableReply("a reply that was cut is not repaired")
        end = self._text.rfind("}") + 1
        mended = repair(self._text[start:end], known=self._contract.known_names())
        if mended is None:
            raise UnreadableReply("the text between { and } cannot be repaired")
        decoded = decode_object(mended.text)
        if skip_spaces(mended.text, decoded.end) != len(mended.text):
            raise UnreadableReply("text follows the repaired object")
        self._check_prose(decoded.value, start, end)
        return self._checked(decoded, mended.repairs)

    def _check_prose(self, value: Mapping[str, JsonValue], start: int, end: int) -> None:
        """Refuse an object amid prose that may be a quotation of the client's words."""
        before = PREFACE.fullmatch(self._text, 0, start)
        if before is not None and _AFTERWORD.fullmatch(self._text, end) is not None:
            return
        needed = {*self._contract.required, *self._contract.required_objects}
        further = set(self._contract.fields) - needed
        # An opening is asked for its text alone; a model that thinks first has prose before it.
        if self._contract.judges and len(further & set(value)) < _FURTHER_FIELDS:
            raise UnreadableReply("an object inside prose with too few fields of a reply")
        if _squeezed(self._text[start:end]) in _squeezed(self._client_text):
            raise UnreadableReply("the object is quoted from the client's message")

    def _checked(self, decoded: Decoded, repairs: tuple[str, ...]) -> _Found:
        for name in self._contract.required:
            text = decoded.value.get(name)
            if not isinstance(text, str) or not text.strip():
                raise UnreadableReply(f"the object has no text in {name}")
            if name == "content" and repeats(text, self._contract.content_hint):
                raise UnreadableReply("content repeats the template's description")
        for name in self._contract.required_objects:
            if not _holds_an_object(decoded.value.get(name)):
                raise UnreadableReply(f"the object has no object in {name}")
        if not self._contract.known_names() & set(decoded.value):
            raise UnreadableReply("the object has no field of a reply")
        return _Found(decoded.value, decoded.doubled, repairs)


def _holds_an_object(value: JsonValue) -> bool:
    items = value if isinstance(value, list) else [value]
    return any(isinstance(item, dict) for item in items)


def _squeezed(text: str) -> str:
    return "".join(text.split())
