"""The keys of a conversation file, and the check of `expect`; nothing is played here. Pure.

docs/how-to/rehearse-a-script.md says what the keys mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType

from executor_service.scripts.loading.known_keys import sort_keys
from executor_service.scripts.loading.tree import ListNode, LostNode, MapNode, Node, ScalarNode
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.mapping import Shape
from heartrule.domain.action_result import ActionMetrics, ActionResult
from heartrule.domain.conversation import Media
from heartrule.domain.events import AnalysisEnded
from heartrule.domain.exits import ExitDecision, ExitHistoryEntry
from heartrule.domain.input_request import InputRequested
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.problem import Problem
from heartrule.domain.skipping import StepSkipped

CONVERSATION = Shape(
    what="a conversation",
    keys=(
        *("title", "now", "locale", "time_zone", "imported", "strategy_engine"),
        *("model", "monitor", "monitor_model", "held", "turns"),
    ),
    aliases=MappingProxyType(
        {"name": "title", "clock": "now", "time": "now", "timezone": "time_zone"}
        | dict.fromkeys(("answers", "models", "llm"), "model")
        | dict.fromkeys(("steps", "conversation", "dialogue"), "turns")
    ),
)
TURN = Shape(
    what="a turn",
    keys=("client", "form", "request", "id", "release", "expect"),
    aliases=MappingProxyType(
        dict.fromkeys(("user", "input", "says", "message"), "client")
        | dict.fromkeys(("expected", "expects", "then"), "expect")
        | dict.fromkeys(("submit", "values"), "form")
    ),
)
ANSWER = Shape(
    what="an answer of the model",
    keys=(
        *("content", "EXIT", "BRIEF", "variables", "metrics", "progress_suggestion"),
        *("assessment", "should_exit", "exit_reason", "object", "fails", "cut"),
    ),
    aliases=MappingProxyType(
        {"exit": "EXIT", "brief": "BRIEF", "error": "fails", "raw": "object"}
        | dict.fromkeys(("text", "says", "said", "reply"), "content")
    ),
)
MONITOR_ANSWER = Shape(
    what="an answer of the monitor",
    keys=("advice", "fails"),
    aliases=MappingProxyType({"feedback": "advice", "says": "advice", "error": "fails"}),
)
MATCH = Shape(
    what="what is expected of a text",
    keys=("has", "lacks"),
    aliases=MappingProxyType(
        dict.fromkeys(("contains", "includes", "holds"), "has")
        | dict.fromkeys(("not", "excludes", "without"), "lacks")
    ),
)
EXPECT = Shape(
    what="`expect`",
    keys=(
        *("said", "drafted", "media", "variables", "position", "status", "outcome", "judged"),
        *("prompt", "asked", "prompts", "calls", "requests", "open_request", "rejected"),
        *("results", "wrote", "skipped", "degradations", "problem", "ledger", "events"),
        *("advice", "analyses", "reports", "monitor_prompt", "edits", "queue"),
        *("live", "definitions", "snapshots", "exits", "strategies"),
    ),
    aliases=MappingProxyType(
        dict.fromkeys(("messages", "message", "says", "assistant"), "said")
        | {"vars": "variables", "pictures": "media", "forms": "requests", "errors": "problem"}
    ),
)


def _record(what: str, kind: type, **aliases: str) -> Shape:
    keys = tuple(each.name for each in fields(kind))
    return Shape(what=what, keys=keys, aliases=MappingProxyType(aliases))


# Expectations that are mappings of known keys, or lists of such.
RECORDS: Mapping[str, Shape] = MappingProxyType(
    {
        "position": _record(
            "`position`",
            ExecutionPosition,
            phase="phase_id",
            topic="topic_id",
            action="action_id",
            round="current_round",
        ),
        "judged": Shape(
            what="a judged round",
            keys=("action", "round", "ends", "source", "kind", "why"),
            aliases=MappingProxyType(
                {"action_id": "action", "should_exit": "ends", "decision_source": "source"}
                | {"exit_reason": "kind", "reason": "why"}
            ),
        ),
        "asked": Shape(
            what="a call of the model", keys=("template", "system", "history", "prompt")
        ),
        "results": _record("a result", ActionResult),
        "metrics": _record("`metrics`", ActionMetrics),
        "exit_decision": _record("`exit_decision`", ExitDecision),
        "exits": _record("an exit", ExitHistoryEntry),
        "media": _record("a picture", Media),
        "requests": _record("a request", InputRequested),
        "analyses": _record("an analysis", AnalysisEnded),
        "edits": Shape(
            what="an edit of the plan", keys=("action", "state", "rule", "revision", "cause")
        ),
        "skipped": _record("a skipped step", StepSkipped),
        "ledger": _record("a call in the ledger", LLMDebugInfo),
        "problem": _record("`problem`", Problem),
    }
)
# Expectations that are texts, or lists of texts.
_TEXTS = frozenset({"said", "drafted", "prompt", "monitor_prompt", "status", "outcome", "prompts"})


def is_match(node: Node) -> bool:
    """Return whether a node is `{has: …}`, `{lacks: …}` or both."""
    return isinstance(node, MapNode) and bool(node.entries) and set(node.entries) <= set(MATCH.keys)


def check_expectation(node: MapNode, shape: Shape, findings: Findings) -> None:
    """Report the unknown keys of an `expect`, and of what is inside."""
    for key, entry in sort_keys(node, shape, findings).entries.items():
        _check(key, entry.value, findings)


def _check(key: str, node: Node, findings: Findings) -> None:
    if is_match(node):
        _check_match(node, findings)
    elif key in _TEXTS:
        _check_text(key, node, findings)
    elif key in RECORDS:
        _check_record(key, node, findings)


def _check_text(key: str, node: Node, findings: Findings) -> None:
    if isinstance(node, ListNode):
        for item in node.items:
            _check_text(key, item, findings)
    elif isinstance(node, MapNode):
        sort_keys(node, MATCH, findings)
        _check_match(node, findings)


def _check_match(node: Node, findings: Findings) -> None:
    """Report the items of `{has: …}` that are not texts."""
    for key, entry in node.entries.items() if isinstance(node, MapNode) else ():
        value = entry.value
        for item in value.items if isinstance(value, ListNode) else [value]:
            is_null = isinstance(item, ScalarNode) and item.value is None
            if not isinstance(item, ScalarNode | LostNode) or is_null:
                findings.error(item, f"`{key}` is a text, or a list of texts")


def _check_record(key: str, node: Node, findings: Findings) -> None:
    if isinstance(node, ListNode):
        for item in node.items:
            _check_record(key, item, findings)
    elif isinstance(node, MapNode):
        for inner, entry in sort_keys(node, RECORDS[key], findings).entries.items():
            if key != inner:
                _check(inner, entry.value, findings)
