"""Reads a conversation file; every mistake is located, and all are told at once. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.tree import LostNode, MapNode, Node, ScalarNode, to_json
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings, Located
from executor_service.scripts.model.mapping import Shape
from executor_service.scripts.model.wording import quoted
from executor_service.variables.migration import migrate_state
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule_cli.rehearsal.answers import model_answers, monitor_answers
from heartrule_cli.rehearsal.expectations import check_expectation
from heartrule_cli.rehearsal.shapes import CONVERSATION, EXPECT, TURN
from heartrule_cli.rehearsal.written_conversation import (
    DEFAULT_LOCALE,
    DEFAULT_NOW,
    DEFAULT_TIME_ZONE,
    WrittenConversation,
    WrittenTurn,
)

_BEGINS = "a conversation begins with `turns:`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """Which keys count; tests add some of their own."""

    conversation: Shape = CONVERSATION
    expect: Shape = EXPECT

    def and_also(self, *, conversation: tuple[str, ...], expect: tuple[str, ...]) -> Format:
        """Return the format with further keys, which nobody here reads."""
        return Format(
            conversation=_wider(self.conversation, conversation),
            expect=_wider(self.expect, expect),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadConversation:
    """What became of a file: a conversation, or what is wrong with it."""

    conversation: WrittenConversation | None
    """None where there are errors."""
    findings: tuple[Located, ...]
    root: MapNode | None
    """All that was written."""


def read_conversation(data: bytes, file: str, form: Format | None = None) -> ReadConversation:
    """Return the conversation in a file, or every mistake with its line and column.

    Args:
        data: The file's bytes.
        file: What its author calls it.
        form: The keys that count.
    """
    findings = Findings(file)
    document = read_yaml(data, findings, begins=_BEGINS)
    root = None if document is None else document.root
    made = None
    if isinstance(root, MapNode):
        made = _conversation(Section(root, (form or _PLAIN).conversation, findings), file, form)
    elif root is not None:
        wrong(root, "the file", f"a mapping: {_BEGINS}", findings)
    if findings.has_errors:
        made = None
    return ReadConversation(
        conversation=made,
        findings=findings.sorted(),
        root=root if isinstance(root, MapNode) else None,
    )


_PLAIN = Format()


def _wider(shape: Shape, keys: tuple[str, ...]) -> Shape:
    return replace(shape, keys=(*shape.keys, *keys))


def _conversation(section: Section, file: str, form: Format | None) -> WrittenConversation:
    zone = _time_zone(section)
    if section.has("monitor") and section.has("monitor_model"):
        section.findings.error(
            section.key_spot("monitor_model"), "give `monitor` or `monitor_model`, not both"
        )
    expect = (form or _PLAIN).expect
    turns = (_turn(node, expect, section.findings) for node in section.full_list("turns"))
    return WrittenConversation(
        file=file,
        title=section.text("title"),
        now=_now(section, zone),
        locale=section.text("locale") or DEFAULT_LOCALE,
        time_zone=zone,
        imported=_imported(section),
        strategy_engine=_choice(section, "strategy_engine"),
        model=model_answers(section, "model"),
        monitor=monitor_answers(section, "monitor"),
        monitor_model=model_answers(section, "monitor_model", raw=True),
        held=section.boolean("held", default=False),
        turns=tuple(turn for turn in turns if turn is not None),
    )


def _choice(section: Section, key: str) -> bool | None:
    """Return true or false; None where nothing was said."""
    return section.boolean(key, default=False) if section.has(key) else None


def _time_zone(section: Section) -> str:
    name = section.text("time_zone") or DEFAULT_TIME_ZONE
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        message = f"`time_zone` is {quoted(name)}; write a name such as {DEFAULT_TIME_ZONE}"
        section.findings.error(section.spot_of("time_zone"), message)
        return DEFAULT_TIME_ZONE
    return name


def _now(section: Section, zone: str) -> datetime:
    """Return the moment under `now`; without an offset it is meant in the client's time zone."""
    written = section.text("now")
    if not written:
        return DEFAULT_NOW
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        message = f"`now` is {quoted(written)}; write a moment such as 2026-03-01 20:15"
        section.findings.error(section.spot_of("now"), message)
        return DEFAULT_NOW
    return found if found.tzinfo else found.replace(tzinfo=ZoneInfo(zone))


def _imported(section: Section) -> Mapping[str, JsonValue]:
    """Return the state of another engine; what is wrong with its shape is told at once."""
    state = _mapping(section, "imported") or {}
    try:
        if section.has("imported"):
            migrate_state(state, DEFAULT_NOW)
    except InvalidRequest as error:
        for each in error.violations:
            message = f"`{each.field}`: {each.description}"
            section.findings.error(section.key_spot("imported"), message)
    return state


def _turn(node: Node, expect: Shape, findings: Findings) -> WrittenTurn | None:
    if not isinstance(node, MapNode):
        advice = "`client: what is said`, `form: …`, or {} for the opening"
        wrong(node, "a turn", advice, findings)
        return None
    section = Section(node, TURN, findings)
    expected = section.node("expect")
    if isinstance(expected, MapNode):
        check_expectation(expected, expect, findings)
    elif expected is not None:
        wrong(expected, "`expect`", f"a mapping with {', '.join(EXPECT.keys[:4])}, …", findings)
    return WrittenTurn(
        spot=node,
        client=_words(section),
        form=_mapping(section, "form"),
        request=section.text("request"),
        message_id=section.text("id"),
        release=section.boolean("release", default=False),
        expected=expected if isinstance(expected, MapNode) else None,
    )


def _words(section: Section) -> str | None:
    """Return what the client says, letter by letter; a number is what was typed."""
    node = section.node("client")
    if isinstance(node, ScalarNode):
        return node.value if isinstance(node.value, str) else node.text
    if node is not None:
        wrong(node, "`client`", "what the client says, in quotes", section.findings)
    return None


def _mapping(section: Section, key: str) -> Mapping[str, JsonValue] | None:
    node = section.node(key)
    if isinstance(node, MapNode):
        return {name: to_json(entry.value) for name, entry in node.entries.items()}
    if node is not None and not isinstance(node, LostNode):
        wrong(node, f"`{key}`", "a mapping of names and values", section.findings)
    return None
