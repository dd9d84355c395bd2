"""Reads a conversation file; every mistake is reported with its line and column. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import (
    ListNode,
    LostNode,
    MapNode,
    Node,
    ScalarNode,
    to_json,
)
from executor_service.scripts.loading.wrong_values import wrong
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.mapping import Shape
from executor_service.scripts.model.wording import quoted
from executor_service.variables.migration import migrate_state
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule.domain.time_zones import zone_of
from heartrule.words.words import say
from heartrule_cli.rehearsal.shapes import (
    ANSWER,
    CONVERSATION,
    EXPECT,
    MONITOR_ANSWER,
    TURN,
    check_expectation,
)
from heartrule_cli.rehearsal.written_conversation import (
    DEFAULT_NOW,
    DEFAULT_TIME_ZONE,
    ModelAnswer,
    MonitorAnswer,
    WrittenConversation,
    WrittenTurn,
)

_BEGINS = say("cli.talk.begins")
_ENDINGS = ("object", "fails", "cut")
_THOUGHT: dict[str, JsonValue] = {"variables": {}, "BRIEF": "想了想"}
# What a reply leaves out is that of a calm client who goes on; the order is the templates'.
_CALM_REPLY: dict[str, JsonValue] = {
    "EXIT": "NO",
    "content": "",
    "BRIEF": "说了一些",
    "variables": {},
    "metrics": {
        "information_completeness": "还缺一些",
        "user_engagement": "愿意谈",
        "emotional_intensity": "平静",
        "reply_relevance": "切题",
        "understanding_level": "大致明白",
    },
    "progress_suggestion": "continue_needed",
}
# An agent's text for the client stands in its decisions.
_CALM_DECISIONS: dict[str, JsonValue] = {
    "intent": "simple_query",
    **{key: _CALM_REPLY[key] for key in ("variables", "metrics", "progress_suggestion")},
}
_Answer = TypeVar("_Answer")


def read_conversation(
    data: bytes, findings: Findings, *, shape: Shape = CONVERSATION, expect: Shape = EXPECT
) -> WrittenConversation | None:
    """Return the conversation in a file; None where it has errors, which are reported.

    Args:
        data: The file's bytes.
        findings: Receives the errors; knows the file's name.
        shape: The keys a conversation may have.
        expect: The keys that `expect` may have.
    """
    document = read_yaml(data, findings, begins=_BEGINS)
    root = None if document is None else document.root
    found = None
    if isinstance(root, MapNode):
        found = _conversation(Section(root, shape, findings), expect)
    elif root is not None:
        wrong(root, say("cli.talk.file"), say("cli.talk.mapping", begins=_BEGINS), findings)
    return None if findings.has_errors else found


def _conversation(section: Section, expect: Shape) -> WrittenConversation:
    zone = _time_zone(section)
    if section.has("monitor") and section.has("monitor_model"):
        section.findings.error(section.key_spot("monitor_model"), say("cli.talk.one_monitor"))
    findings = section.findings
    engine = section.boolean("strategy_engine", default=False)
    turns = (_turn(node, expect, findings) for node in section.full_list("turns"))
    return WrittenConversation(
        file=findings.file,
        title=section.text("title"),
        now=_now(section, zone),
        locale=section.text("locale"),
        time_zone=zone,
        imported=_imported(section),
        strategy_engine=engine if section.has("strategy_engine") else None,
        model=_answers(section, "model", lambda node: _model_answer(node, findings)),
        monitor=_answers(section, "monitor", lambda node: _monitor_answer(node, findings)),
        monitor_model=_answers(
            section, "monitor_model", lambda node: _model_answer(node, findings, raw=True)
        ),
        held=section.boolean("held", default=False),
        turns=tuple(turn for turn in turns if turn is not None),
    )


def _time_zone(section: Section) -> str:
    name = section.text("time_zone") or DEFAULT_TIME_ZONE
    if zone_of(name) is None:
        message = say("cli.talk.time_zone", name=quoted(name), example=DEFAULT_TIME_ZONE)
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
        message = say("cli.talk.now", written=quoted(written))
        section.findings.error(section.spot_of("now"), message)
        return DEFAULT_NOW
    return found if found.tzinfo else found.replace(tzinfo=ZoneInfo(zone))


def _imported(section: Section) -> Mapping[str, JsonValue]:
    """Return the state of another engine; a state of the wrong shape is reported."""
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
        wrong(node, say("cli.talk.turn"), say("cli.talk.turn_wanted", opening="{}"), findings)
        return None
    section = Section(node, TURN, findings)
    expected = section.node("expect")
    if isinstance(expected, MapNode):
        check_expectation(expected, expect, findings)
    elif expected is not None:
        keys = tuple(EXPECT.keys[:4])
        wrong(expected, "`expect`", say("cli.talk.expect_wanted", keys=keys), findings)
    return WrittenTurn(
        spot=node,
        client=_client_text(section),
        form=_mapping(section, "form"),
        request=section.text("request"),
        message_id=section.text("id"),
        release=section.boolean("release", default=False),
        expected=expected if isinstance(expected, MapNode) else None,
    )


def _client_text(section: Section) -> str | None:
    """Return what the client says, letter by letter; a number is what was typed."""
    node = section.node("client")
    if isinstance(node, ScalarNode):
        return node.value if isinstance(node.value, str) else node.text
    if node is not None:
        wrong(node, "`client`", say("cli.talk.client_wanted"), section.findings)
    return None


def _mapping(section: Section, key: str) -> Mapping[str, JsonValue] | None:
    node = section.node(key)
    if isinstance(node, MapNode):
        return {name: to_json(entry.value) for name, entry in node.entries.items()}
    if node is not None and not isinstance(node, LostNode):
        wrong(node, f"`{key}`", say("cli.talk.names_wanted"), section.findings)
    return None


def _answers(
    section: Section, key: str, read: Callable[[Node], _Answer | None]
) -> tuple[_Answer, ...] | None:
    """Return the answers under `key`; None where the key is absent."""
    if not section.has(key):
        return None
    found = map(read, section.items(key))
    return tuple(answer for answer in found if answer is not None)


def _model_answer(node: Node, findings: Findings, *, raw: bool = False) -> ModelAnswer | None:
    """Return an answer; with `raw`, every text is what the model writes, letter by letter."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        as_written = raw or "{" in node.value
        text = node.value if as_written else _json(_CALM_REPLY | {"content": node.value})
        return ModelAnswer(spot=node, text=text, plain=node.value)
    if isinstance(node, MapNode):
        return _answer_of_mapping(node, Section(node, ANSWER, findings))
    if not isinstance(node, LostNode):
        wanted = say("cli.talk.answer_wanted", mapping="{content: …}")
        wrong(node, say("cli.talk.answer"), wanted, findings)
    return None


def _answer_of_mapping(node: MapNode, section: Section) -> ModelAnswer | None:
    found = [key for key in _ENDINGS if section.has(key)]
    if found and len(node.entries) > 1:
        section.findings.error(section.key_spot(found[0]), say("cli.talk.alone", key=found[0]))
        return None
    if section.has("fails"):
        return ModelAnswer(spot=node, fails=section.identifier("fails"))
    if section.has("cut"):
        return ModelAnswer(spot=node, text=section.text("cut"), cut=True)
    if section.has("object"):
        written = section.node("object")
        return ModelAnswer(spot=node, text=_json(to_json(written) if written else None))
    return ModelAnswer(spot=node, text=_reply(section))


def _reply(section: Section) -> str:
    """Return a whole reply: an agent's with `decisions`; without any text that of an ai_think."""
    fields: dict[str, JsonValue] = {
        key: to_json(value)
        for key in ANSWER.keys
        if key not in {*_ENDINGS, "content"} and (value := section.node(key)) is not None
    }
    exits, content = section.node("EXIT"), section.node("content")
    if exits is not None and not isinstance(fields["EXIT"], str):
        wrong(exits, "`EXIT`", say("cli.talk.exit_wanted"), section.findings)
    if content is None:
        return _json((_CALM_DECISIONS if "decisions" in fields else _THOUGHT) | fields)
    if isinstance(content, ScalarNode) and isinstance(content.value, str):
        text = content.value  # with the white space it was written with
    else:
        text = section.text("content")
    return _json(_CALM_REPLY | {"content": text} | fields)


def _monitor_answer(node: Node, findings: Findings) -> MonitorAnswer | None:
    if isinstance(node, ScalarNode) and node.text == "silent":
        return MonitorAnswer(spot=node)
    if isinstance(node, MapNode):
        section = Section(node, MONITOR_ANSWER, findings)
        if section.has("fails"):
            return MonitorAnswer(spot=node, fails=section.identifier("fails"))
        return MonitorAnswer(spot=node, advice=section.text("advice", required=True))
    if isinstance(node, ScalarNode | ListNode):
        wanted = say("cli.talk.monitor_wanted", mapping="{advice: …}")
        wrong(node, say("cli.talk.monitor_answer"), wanted, findings)
    return None


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
