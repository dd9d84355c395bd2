"""The keys of a conversation file, and the check of `expect`; nothing is played here. Pure.

docs/how-to/rehearse-a-script.md says what the keys mean.
"""

from __future__ import annotations

from dataclasses import fields

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
from heartrule.words.words import Said, say


def _shape(what: Said, keys: str, **other_names: str) -> Shape:
    """Return a shape; `other_names` has, by key, the names that authors may write instead."""
    aliases = {name: key for key, names in other_names.items() for name in names.split()}
    return Shape(what=what, keys=tuple(keys.split()), aliases=aliases)


def _record(what: Said, kind: type, **other_names: str) -> Shape:
    """Return the shape of a dataclass as JSON."""
    return _shape(what, " ".join(each.name for each in fields(kind)), **other_names)


CONVERSATION = _shape(
    say("cli.talk.conversation"),
    "title now locale time_zone imported strategy_engine model monitor monitor_model held turns",
    title="name",
    now="clock time",
    time_zone="timezone",
    model="answers models llm",
    turns="steps conversation dialogue",
)
TURN = _shape(
    say("cli.talk.turn"),
    "client form request id release expect",
    client="user input says message",
    form="submit values",
    expect="expected expects then",
)
ANSWER = _shape(
    say("cli.talk.model_answer"),
    "content EXIT BRIEF variables metrics progress_suggestion "
    "assessment should_exit exit_reason intent decisions object fails cut",
    content="text says said reply",
    EXIT="exit",
    BRIEF="brief",
    object="raw",
    fails="error",
)
MONITOR_ANSWER = _shape(
    say("cli.talk.monitor_answer"), "advice fails", advice="feedback says", fails="error"
)
MATCH = _shape(
    say("cli.talk.match"),
    "has lacks",
    has="contains includes holds",
    lacks="not excludes without",
)
EXPECT = _shape(
    "`expect`",
    "said drafted media options variables position status outcome judged "
    "prompt asked prompts calls requests open_request rejected "
    "results wrote skipped degradations problem ledger events "
    "advice analyses reports monitor_prompt edits queue decisions workflows runs threads "
    "live definitions snapshots exits strategies",
    said="messages message says assistant",
    variables="vars",
    media="pictures",
    requests="forms",
    problem="errors",
)
# Expectations that are mappings of known keys, or lists of such.
RECORDS = {
    "position": _record(
        "`position`",
        ExecutionPosition,
        phase_id="phase",
        topic_id="topic",
        action_id="action",
        current_round="round",
    ),
    "judged": _shape(
        say("cli.talk.judged"),
        "action round ends source kind why",
        action="action_id",
        ends="should_exit",
        source="decision_source",
        kind="exit_reason",
        why="reason",
    ),
    "asked": _shape(say("cli.talk.call"), "template system history prompt"),
    "results": _record(say("cli.talk.result"), ActionResult),
    "metrics": _record("`metrics`", ActionMetrics),
    "exit_decision": _record("`exit_decision`", ExitDecision),
    "exits": _record(say("cli.talk.exit"), ExitHistoryEntry),
    "media": _record(say("cli.talk.picture"), Media),
    "requests": _record(say("cli.talk.request"), InputRequested),
    "analyses": _record(say("cli.talk.analysis"), AnalysisEnded),
    "edits": _shape(say("cli.talk.edit"), "action state rule revision cause"),
    "skipped": _record(say("cli.talk.skipped"), StepSkipped),
    "decisions": _shape(
        say("cli.talk.decision"),
        "type valid codes paths corrected",
        type="decision_type",
        codes="code errors",
        paths="path",
    ),
    "workflows": _shape(say("cli.talk.workflow"), "name revision status"),
    "runs": _shape(
        say("cli.talk.run"), "workflow agent state code", workflow="workflow_id", code="codes error"
    ),
    "threads": _shape(
        say("cli.talk.thread"),
        "agent state phases messages depth",
        phases="phase",
        messages="message says",
    ),
    "ledger": _record(say("cli.talk.ledger"), LLMDebugInfo),
    "problem": _record("`problem`", Problem),
}
# Expectations that are texts, or lists of texts.
_TEXTS = frozenset(
    ("said", "options", "drafted", "prompt", "monitor_prompt", "status", "outcome", "prompts")
)


def is_match(node: Node) -> bool:
    """Return whether a node is `{has: …}`, `{lacks: …}` or both."""
    return isinstance(node, MapNode) and bool(node.entries) and set(node.entries) <= set(MATCH.keys)


def check_expectation(node: MapNode, shape: Shape, findings: Findings) -> None:
    """Report the unknown keys of an `expect`, and of what is inside."""
    for key, entry in sort_keys(node, shape, findings).items():
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
                findings.error(item, say("cli.talk.texts", key=key))


def _check_record(key: str, node: Node, findings: Findings) -> None:
    if isinstance(node, ListNode):
        for item in node.items:
            _check_record(key, item, findings)
    elif isinstance(node, MapNode):
        for inner, entry in sort_keys(node, RECORDS[key], findings).items():
            if key != inner:
                _check(inner, entry.value, findings)
