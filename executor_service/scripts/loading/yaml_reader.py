"""Adapter: bytes → events → tree, within limits.

The events are checked while they come, so no limit can be passed by a clever document: nothing is
ever expanded, and nothing recurses over what the author nested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
)

from executor_service.scripts.loading.tree import (
    Entry,
    ListNode,
    LostNode,
    MapNode,
    Node,
    ScalarNode,
    ScalarValue,
    UnsafeNumber,
    plain_value,
)
from executor_service.scripts.model.findings import At, Findings, Spot
from heartrule.words.words import Fact, Said, say

MAX_FILE_BYTES = 1_048_576
"""Largest file that is read."""
# Lists and mappings inside one another; a script with every key has 13.
MAX_DEPTH = 32
_QUOTED_STARTS = "{[%@`*&!>|"
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)

_BEGINS = say("begins.script")


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was readable as YAML."""

    text: str
    """The file's text; the offsets of its nodes point into it."""
    root: Node


def read_yaml(data: bytes, findings: Findings, *, begins: Said = _BEGINS) -> Document | None:
    """Return the tree of one YAML document; `begins` completes the message about an empty one.

    Duplicate keys, anchors, aliases and tags are reported and left out of the tree, so that the
    rest can still be checked. None means nothing could be read; the reason is among the findings.
    """
    text = _decode(data, findings)
    if text is None:
        return None
    composer = _Composer(findings)
    try:
        for event in _events(text):
            composer.feed(event)
    except _GaveUp:
        return None
    except yaml.MarkedYAMLError as error:
        _report_syntax(error, text, findings)
        return None
    if composer.root is None:
        findings.report("empty_file", At(), begins=begins)
        return None
    return Document(text, composer.root)


class _GaveUp(Exception):
    """Reading on would be of no use; the reason was reported."""


def _events(text: str) -> Iterator[Event]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parsed: Iterator[Event] = yaml.parse(text, Loader=loader)
    return parsed


def _decode(data: bytes, findings: Findings) -> str | None:
    if len(data) > MAX_FILE_BYTES:
        findings.report("file_too_large", At(), count=len(data), max_file_bytes=MAX_FILE_BYTES)
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", errors="replace")
        findings.report("not_utf8", _spot_of(before))
        return None
    bad = _UNPRINTABLE.search(text)
    if bad is not None:
        code = f"U+{ord(bad.group()):04X}"
        findings.report("bad_character", _spot_of(text[: bad.start()]), code=code)
        return None
    return text


def _spot_of(before: str) -> At:
    return At(before.count("\n") + 1, len(before) - before.rfind("\n"))


def _report_syntax(error: yaml.MarkedYAMLError, text: str, findings: Findings) -> None:
    """Report a syntax error in words for someone who does not know YAML, where to look for it."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    for number in (line - 1, line):  # the parser notices this mistake a line too late
        suspect = lines[number - 1] if 1 <= number <= len(lines) else ""
        if _is_full_width_key(suspect):
            findings.report("full_width_colon", At(number, suspect.index("：") + 1))
            return
    there = lines[line - 1] if line <= len(lines) else ""
    code, facts = _advice(error.problem or "unknown", there, column)
    findings.report(code, At(line, column), **facts)


def _is_full_width_key(text: str) -> bool:
    head, colon, _ = text.strip().removeprefix("- ").partition("：")
    return bool(colon) and head.replace("_", "").isascii() and head.replace("_", "").isalnum()


def _advice(problem: str, text: str, column: int) -> tuple[str, dict[str, str]]:
    """Return which finding the parser's problem with a line is, and its facts."""
    value = _value_before(text, column)
    if "\t" in text[: len(text) - len(text.lstrip())]:
        return "leading_tab", {}
    if "end of stream" in problem:
        return "open_quotation", {}
    if "mapping values" in problem:
        return ("colon_in_text" if ": " in text[: column - 1] else "unexpected_key"), {}
    if "entries are not allowed" in problem:
        return "item_in_line", {}
    if value[:1] in {"'", '"'} and value.count(value[0]) > 2:
        return "quotation_inside", {"sign": value[0]}
    if value and value[0] in _QUOTED_STARTS:
        return "unquoted_start", {"sign": value[0], "value": value[:30]}
    return "unreadable_yaml", {"problem": problem}


def _value_before(line: str, column: int) -> str:
    """Return what follows the first `key: ` or `- ` of a line, if it begins before `column`."""
    rest = line.strip().removeprefix("- ").lstrip()
    key, colon, value = rest.partition(": ")
    found = value.strip() if colon and not key.startswith(("'", '"')) else rest
    return found if line.find(found) < column else ""


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    node: ListNode | MapNode
    key: ScalarNode | LostNode | None = None
    broken: bool = False


class _Composer:
    """Builds the tree from events."""

    def __init__(self, findings: Findings) -> None:
        self.root: Node | None = None
        self._findings = findings
        self._stack: list[_Open] = []
        self._documents = 0

    def feed(self, event: Event) -> None:
        """Take the next event.

        Raises:
            _GaveUp: A limit was passed, or a second document begins.
        """
        if isinstance(event, AliasEvent):
            self._refuse("yaml_alias", event, anchor=event.anchor or "")
            self._put(LostNode(*_start(event)))
        elif isinstance(event, ScalarEvent):
            self._scalar(event)
        elif isinstance(event, CollectionStartEvent):
            self._open(event)
        elif isinstance(event, CollectionEndEvent):
            closed = self._stack.pop()
            node = closed.node
            self._put(LostNode(node.line, node.column) if closed.broken else node)
        elif isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._refuse("second_document", event)
                raise _GaveUp

    def _refuse(self, code: str, event: Event, **facts: Fact) -> None:
        self._report(code, At(*_start(event)), **facts)

    def _report(self, code: str, spot: Spot, **facts: Fact) -> None:
        self._findings.report(code, spot, **facts)
        if self._findings.is_full:
            raise _GaveUp

    def _scalar(self, event: ScalarEvent) -> None:
        line, column = _start(event)
        if self._refused_marks(event):
            self._put(LostNode(line, column))
            return
        text = str(event.value)
        value: ScalarValue = text
        if event.implicit[0]:
            try:
                value = plain_value(text)
            except UnsafeNumber as error:
                self._refuse("unsafe_number", event, message=error.words)
                self._put(LostNode(line, column))
                return
        self._put(ScalarNode(line, column, value, text, *_span(event)))

    def _open(self, event: CollectionStartEvent) -> None:
        self._refused_marks(event)
        if len(self._stack) >= MAX_DEPTH:
            self._refuse("nested_too_deep", event, most=MAX_DEPTH)
            raise _GaveUp
        line, column = _start(event)
        flow = bool(event.flow_style)
        is_map = isinstance(event, MappingStartEvent)
        self._stack.append(
            _Open(MapNode(line, column, flow) if is_map else ListNode(line, column, flow))
        )

    def _refused_marks(self, event: ScalarEvent | CollectionStartEvent) -> bool:
        """Report an anchor or a tag; True when a tag takes the value's meaning away."""
        if event.anchor is not None:
            self._refuse("yaml_anchor", event, anchor=event.anchor)
        if event.tag is None:
            return False
        shown = str(event.tag).replace("tag:yaml.org,2002:", "!!")
        self._refuse("yaml_tag", event, shown=shown)
        return True

    def _put(self, node: Node) -> None:
        if not self._stack:
            self.root = node
            return
        top = self._stack[-1]
        if isinstance(top.node, ListNode):
            top.node.items.append(node)
        elif top.key is None:
            self._key(top, node)
        else:
            self._value(top.node, top.key, node)
            top.key = None

    def _key(self, top: _Open, node: Node) -> None:
        if isinstance(node, ScalarNode | LostNode):
            top.key = node
        else:
            self._report("key_not_text", top.node)
            top.key = LostNode(node.line, node.column)
        top.broken = top.broken or isinstance(top.key, LostNode)

    def _value(self, into: MapNode, key: ScalarNode | LostNode, node: Node) -> None:
        if isinstance(key, LostNode):
            return
        first = into.entries.get(key.text)
        if first is None:
            into.entries[key.text] = Entry(key, node)
            return
        self._report("key_twice", key, key=key.text[:60], line=first.key.line)


def _span(event: Event) -> tuple[int, int]:
    assert event.start_mark is not None
    assert event.end_mark is not None
    return event.start_mark.index, event.end_mark.index


def _start(event: Event) -> tuple[int, int]:
    assert event.start_mark is not None  # only events made by hand have none
    return event.start_mark.line + 1, event.start_mark.column + 1
