"""The outcome of a rehearsal: what each turn showed, as plain data, and the differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from executor_service.scripts.model.findings import Spot
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    DraftDelta,
    InputRejected,
    MessageCommitted,
    PlanEdited,
    SessionEvent,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.skipping import StepSkipped
from heartrule.model.ports import ChatRequest
from heartrule.words.words import Said
from heartrule_cli.rehearsal.decisions_seen import seen_of_decisions
from heartrule_cli.rehearsal.written_conversation import WrittenConversation, WrittenTurn

Path: TypeAlias = tuple[str | int, ...]
"""Keys and numbers of items that lead to a place."""
_Body = TypeVar("_Body")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is not as expected, and the place of the expectation."""

    spot: Spot
    turn: int = 0
    """Counted from 1; 0 where it belongs to no turn."""
    path: Path = ()
    """Keys and numbers of items below `expect`; empty where something else is wrong."""
    expected: str = ""
    """A value as JSON, or `a text with …`."""
    got: JsonValue = None
    word: str = ""
    """The text that has to be in it, or must not."""
    message: Said = ""
    """Takes the place of expected and got where there are no such values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A turn that was played."""

    number: int
    turn: WrittenTurn
    events: Sequence[SessionEvent]
    """The durable events, in order."""
    seen: Mapping[str, JsonValue]
    seconds: float = 0.0
    """How long the client waited for the turn's end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A conversation that was played, as far as it was as expected."""

    conversation: WrittenConversation
    played: tuple[Played, ...]
    differences: tuple[Difference, ...]
    """Of the first turn that differs, or of the answers left over at the end."""


def seen_in_stream(stream: Sequence[SessionEvent]) -> dict[str, object]:
    """Return what a turn's stream showed, drafts too."""
    ends = _bodies(stream, TurnEnded)
    messages = [body.message for body in _bodies(stream, MessageCommitted)]
    results = [body.action_result for body in _bodies(stream, ActionResultRecorded)]
    return {
        "said": [message.plain_text() for message in messages],
        "media": [part.media for message in messages for part in message.parts if part.media],
        "options": [option for message in messages for option in _options(message)],
        "drafted": "".join(body.text for body in _bodies(stream, DraftDelta)),
        "rejected": [body.problem.reason for body in _bodies(stream, InputRejected)],
        "requests": _bodies(stream, InputRequested),
        "outcome": ends[-1].outcome if ends else "",
        "problem": ends[-1].problem if ends else None,
        "degradations": [each.reason for each in ends[-1].degradations] if ends else [],
        "results": results,
        "judged": [_judged(result) for result in results if result.exit_decision is not None],
        "skipped": _bodies(stream, StepSkipped),
        "wrote": [_written(body) for body in _bodies(stream, VariableChanged)],
        "events": [type(event.body).__name__ for event in stream if event.sequence],
        **seen_of_decisions(stream),
    }


def _options(message: Message) -> Iterator[str]:
    """Yield the quick replies beside a message."""
    for part in message.parts:
        yield from part.quick_replies.texts if part.quick_replies else ()


def seen_in_requests(requests: Sequence[ChatRequest]) -> dict[str, object]:
    """Return what the model was asked in a turn."""
    return {
        "calls": len(requests),
        "asked": [_asked(request) for request in requests],
        "prompt": requests[-1].messages[-1].content if requests else "",
        "prompts": [request.prompt_type for request in requests],
    }


def seen_of_monitor(events: Sequence[SessionEvent]) -> dict[str, object]:
    """Return what the monitor did, from the durable events since the turn before."""
    return {
        "advice": [body.advice.state for body in _bodies(events, AdviceChanged)],
        "analyses": _bodies(events, AnalysisEnded),
        "edits": [_edit(body.edit) for body in _bodies(events, PlanEdited)],
    }


def _asked(request: ChatRequest) -> dict[str, object]:
    """Return a prompt by its parts: the constant text, the history, the current question."""
    *before, last = request.messages
    return {
        "template": request.prompt_type,
        "system": "\n".join(m.content for m in before if m.role == "system"),
        "history": [f"{m.role}: {m.content}" for m in before if m.role != "system"],
        "prompt": last.content,
    }


def _judged(result: ActionResult) -> dict[str, object]:
    decision = result.exit_decision
    assert decision is not None
    return {
        "action": result.action_id,
        "round": result.round,
        "ends": decision.should_exit,
        "source": decision.decision_source,
        "kind": result.exit_reason,
        "why": decision.reason,
    }


def _edit(edit: PlanEdit) -> dict[str, object]:
    """Return an edit of the plan: its action, its state, and the rule that rejected it."""
    return {
        "action": edit.plan.action if edit.plan else "undo",
        "state": edit.state,
        "rule": edit.rule,
        "revision": edit.plan_revision,
        "cause": bool(edit.cause_id),
    }


def _written(body: VariableChanged) -> str:
    """Return `extract 感受 t1`: operation, name, scope; a skill's scope is `t1/`."""
    done = body.variable_operation
    topic, inside, _ = done.scope_id.partition("/")
    return f"{done.operation} {done.variable_name} {topic}{inside}".rstrip()


def _bodies(events: Sequence[SessionEvent], kind: type[_Body]) -> list[_Body]:
    bodies: list[Any] = [event.body for event in events]
    return [body for body in bodies if isinstance(body, kind)]


def plain(value: object) -> JsonValue:
    """Return dataclasses, enums and dates as JSON has them."""
    if is_dataclass(value) and not isinstance(value, type):
        return {key: plain(item) for key, item in asdict(value).items()}
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool | None) else str(value)
