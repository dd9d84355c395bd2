"""Reads what models and the second mind answer in a conversation file. Pure."""

from __future__ import annotations

import json

from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.tree import (
    ListNode,
    LostNode,
    MapNode,
    Node,
    ScalarNode,
    to_json,
)
from executor_service.scripts.model.findings import Findings
from heartrule.domain.json_value import JsonValue
from heartrule_cli.rehearsal.shapes import ANSWER, MONITOR_ANSWER
from heartrule_cli.rehearsal.written_conversation import ModelAnswer, MonitorAnswer

_SILENT = "silent"
_ENDINGS = ("object", "fails", "cut")
_CALM: dict[str, JsonValue] = {
    "information_completeness": "还缺一些",
    "user_engagement": "愿意谈",
    "emotional_intensity": "平静",
    "reply_relevance": "切题",
    "understanding_level": "大致明白",
}
_THOUGHT: dict[str, JsonValue] = {"variables": {}, "BRIEF": "想了想"}


def model_answers(
    section: Section, key: str, *, raw: bool = False
) -> tuple[ModelAnswer, ...] | None:
    """Return the answers under `key`; None where the key was not written.

    With `raw`, every text is what the model writes, letter by letter.
    """
    nodes = _list(section, key)
    if nodes is None:
        return None
    read = (_model_answer(node, section.findings, raw=raw) for node in nodes)
    return tuple(found for found in read if found is not None)


def monitor_answers(section: Section, key: str) -> tuple[MonitorAnswer, ...] | None:
    """Return the answers of the second mind under `key`; None where the key was not written."""
    nodes = _list(section, key)
    if nodes is None:
        return None
    read = (_monitor_answer(node, section.findings) for node in nodes)
    return tuple(found for found in read if found is not None)


def whole_reply(content: str, fields: dict[str, JsonValue]) -> str:
    """Return a whole reply of a talking model in the order the templates ask for.

    What `fields` leaves out is that of a client who talks on, calmly.
    """
    reply: dict[str, JsonValue] = {
        "EXIT": "NO",
        "content": content,
        "BRIEF": "说了一些",
        "variables": {},
        "metrics": dict(_CALM),
        "progress_suggestion": "continue_needed",
    }
    return _json(reply | fields)


def _list(section: Section, key: str) -> list[Node] | None:
    return section.items(key) if section.has(key) else None


def _model_answer(node: Node, findings: Findings, *, raw: bool) -> ModelAnswer | None:
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        as_written = raw or "{" in node.value
        text = node.value if as_written else whole_reply(node.value, {})
        return ModelAnswer(spot=node, text=text)
    if isinstance(node, MapNode):
        return _from_mapping(node, Section(node, ANSWER, findings))
    if not isinstance(node, LostNode):
        wrong(node, "an answer", "what the model says, or a mapping such as {content: …}", findings)
    return None


def _from_mapping(node: MapNode, section: Section) -> ModelAnswer | None:
    found = [key for key in _ENDINGS if section.has(key)]
    if found and len(node.entries) > 1:
        section.findings.error(section.key_spot(found[0]), f"`{found[0]}` stands alone")
        return None
    if section.has("fails"):
        return ModelAnswer(spot=node, text="", fails=section.identifier("fails"))
    if section.has("cut"):
        return ModelAnswer(spot=node, text=section.text("cut"), cut=True)
    if section.has("object"):
        written = section.node("object")
        return ModelAnswer(spot=node, text=_json(to_json(written) if written else None))
    return ModelAnswer(spot=node, text=_reply(section))


def _reply(section: Section) -> str:
    """Return a whole reply; without `content` that of an ai_think, which says nothing."""
    fields: dict[str, JsonValue] = {
        key: to_json(value)
        for key in ANSWER.keys
        if key not in {*_ENDINGS, "content"} and (value := section.node(key)) is not None
    }
    exits = section.node("EXIT")
    if exits is not None and not isinstance(fields["EXIT"], str):
        wrong(exits, "`EXIT`", "YES or NO", section.findings)
    if not section.has("content"):
        return _json({**_THOUGHT, **fields})
    return whole_reply(_text(section, "content"), fields)


def _text(section: Section, key: str) -> str:
    """Return a text with the white space it was written with."""
    node = section.node(key)
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.value
    return section.text(key)


def _monitor_answer(node: Node, findings: Findings) -> MonitorAnswer | None:
    if isinstance(node, ScalarNode) and node.text == _SILENT:
        return MonitorAnswer(spot=node)
    if isinstance(node, MapNode):
        section = Section(node, MONITOR_ANSWER, findings)
        if section.has("fails"):
            return MonitorAnswer(spot=node, fails=section.identifier("fails"))
        return MonitorAnswer(spot=node, advice=section.text("advice", required=True))
    if isinstance(node, ScalarNode | ListNode):
        wrong(node, "an answer of the monitor", "`silent` or {advice: …}", findings)
    return None


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
