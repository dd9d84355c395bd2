"""What can be seen after a turn, as plain data under the keys that `expect` may name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

from heartrule.domain.action_result import ActionResult
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
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.skipping import StepSkipped
from heartrule.model.ports import ChatRequest
from session_store.ports import Store
from session_store.records import Page

_ALL = Page(size=500)
_Body = TypeVar("_Body")


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """One turn: what its stream told, and what was asked of the models meanwhile."""

    told: Sequence[SessionEvent]
    """The turn's events, drafts too."""
    events: Sequence[SessionEvent]
    """Every durable event since the turn before, the second mind's too."""
    asked: Sequence[ChatRequest]
    """Calls of the model that talks and thinks."""
    paid: Sequence[LLMDebugInfo]
    """Records of the ledger since the turn before."""


def told_by(happened: Happened) -> dict[str, JsonValue]:
    """Return what the turn itself showed. Pure."""
    told, asked = happened.told, happened.asked
    ends = _bodies(told, TurnEnded)
    messages = [body.message for body in _bodies(told, MessageCommitted)]
    results = [body.action_result for body in _bodies(told, ActionResultRecorded)]
    values: dict[str, object] = {
        "said": [message.plain_text() for message in messages],
        "media": [part.media for message in messages for part in message.parts if part.media],
        "drafted": "".join(body.text for body in _bodies(told, DraftDelta)),
        "rejected": [body.problem.reason for body in _bodies(told, InputRejected)],
        "requests": _bodies(told, InputRequested),
        "outcome": ends[-1].outcome if ends else "",
        "problem": ends[-1].problem if ends else None,
        "degradations": [d.reason for d in ends[-1].degradations] if ends else [],
        "results": results,
        "judged": [_judged(result) for result in results if result.exit_decision is not None],
        "skipped": _bodies(told, StepSkipped),
        "wrote": [_written(body) for body in _bodies(told, VariableChanged)],
        "events": [type(event.body).__name__ for event in told if event.sequence],
        "calls": len(asked),
        "asked": [_asked(request) for request in asked],
        "prompt": asked[-1].messages[-1].content if asked else "",
        "prompts": [request.prompt_type for request in asked],
        "ledger": list(happened.paid),
        "advice": [body.advice.state for body in _bodies(happened.events, AdviceChanged)],
        "analyses": _bodies(happened.events, AnalysisEnded),
        "edits": [_edit(body.edit) for body in _bodies(happened.events, PlanEdited)],
    }
    return {key: plain(value) for key, value in values.items()}


async def kept_by(store: Store, key: SessionKey) -> dict[str, JsonValue]:
    """Return what the session keeps: where it stands, its variables, its histories."""
    state = await store.get_session(key)
    values = await store.list_variables(key)
    definitions = await store.list_definitions(key)
    shots, _ = await store.list_snapshots(key, _ALL)
    exits, _ = await store.list_exits(key, _ALL)
    strategies, _ = await store.list_strategies(key, _ALL)
    queue = (await store.get_plan(key)).plan
    kept: dict[str, object] = {
        "open_request": state.open_request is not None,
        "status": state.status,
        "position": state.position,
        "variables": {value.name: value.value for value in values},
        "live": {f"{v.scope} {v.name}": v.value for v in values if not v.archived},
        "definitions": [f"{d.origin} {d.name} {d.scope} {d.scope_id}".strip() for d in definitions],
        "snapshots": [{f"{s.scope} {s.scope_id}".strip(): s.variables} for s in shots],
        "exits": exits,
        "strategies": strategies,
        "queue": [f"{each.action_id} {each.state}" for each in queue],
    }
    return {name: plain(value) for name, value in kept.items()}


def plain(value: object) -> JsonValue:
    """Return dataclasses, enums and moments as JSON has them."""
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


def requested_rounds(told: Sequence[SessionEvent]) -> set[tuple[str, int]]:
    """Return the rounds of a turn whose analysis was asked for: action instance and number."""
    results = (body.action_result for body in _bodies(told, ActionResultRecorded))
    return {
        (each.action_instance_id, each.round)
        for each in results
        if each.metadata.get("analysis") == "requested"
    }


def _bodies(events: Sequence[SessionEvent], kind: type[_Body]) -> list[_Body]:
    bodies: list[Any] = [event.body for event in events]
    return [body for body in bodies if isinstance(body, kind)]


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
    """Return an edit of the plan: what it does, what became of it, and by which rule."""
    return {
        "action": edit.plan.action if edit.plan else "undo",
        "state": edit.state,
        "rule": edit.rule,
        "revision": edit.plan_revision,
        "cause": bool(edit.cause_id),
    }


def _asked(request: ChatRequest) -> dict[str, object]:
    """Return a prompt by its parts: the constant text, the talk so far, what is asked now."""
    *before, last = request.messages
    return {
        "template": request.prompt_type,
        "system": "\n".join(m.content for m in before if m.role == "system"),
        "history": [f"{m.role}: {m.content}" for m in before if m.role != "system"],
        "prompt": last.content,
    }


def _written(body: VariableChanged) -> str:
    """Return `extract 感受 t1`: what was done, to what, in which scope; a skill's is `t1/`."""
    done = body.variable_operation
    topic, inside, _ = done.scope_id.partition("/")
    return f"{done.operation} {done.variable_name} {topic}{inside}".rstrip()
