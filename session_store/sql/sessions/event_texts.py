"""The texts that rows of events keep: what other rows have is left out, and put in on reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heartrule.domain.conversation import Message
from heartrule.domain.decision_events import DecisionMade, DecisionValidated
from heartrule.domain.events import (
    AdviceChanged,
    EventBody,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    ScopeLeft,
    SessionEvent,
    StateChanged,
    TurnEnded,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.position import ExecutionState
from heartrule.domain.thread_events import ThreadMessageAdded
from heartrule.domain.variables import ScopeSnapshot
from session_store.codec import dump, load
from session_store.event_drafts import EventDraft, class_of

_PENDING = "pending_client_message_ids"


@dataclass(frozen=True, slots=True, kw_only=True)
class Payloads:
    """A decision's payloads, which its row holds once."""

    proposed: JsonValue
    effective: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """What the text of an event leaves out, because rows of their own have it."""

    script_id: str
    script_version: str
    message: Message | None
    """The one that the event commits, or the assistant's last message; None: none yet."""
    advice: Mapping[str, Advice]
    """The advice that events name, by id."""
    payloads: Mapping[str, Payloads]
    """Of the decisions that events name, by id."""
    thread_texts: Mapping[tuple[str, str], str]
    """Of messages of threads, by thread and message; what age emptied is empty or absent."""

    @property
    def committed(self) -> Message:
        """The message of an event that commits one."""
        assert self.message is not None, "a message's row stays as long as its event's"
        return self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAdvice:
    """An advice by its id, and the state it took on."""

    advice_id: str
    state: AdviceState


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDecision:
    """The decision that the text of an event names."""

    decision_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedThreadMessage:
    """The message of a thread that the text of an event names."""

    thread_id: str
    message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRun:
    """The run that the text of an event names, one way or the other."""

    run_id: str = ""
    activity_id: str = ""

    @property
    def id(self) -> str:
        """Its id."""
        return self.run_id or self.activity_id


def text_of(draft: EventDraft, event: SessionEvent) -> str:
    """Return the text that the row of a numbered event keeps."""
    match event.body:
        case InputAccepted() | MessageCommitted():
            return ""
        case AdviceChanged(advice=advice):
            return dump(NamedAdvice(advice_id=advice.advice_id, state=advice.state))
        case ScopeLeft():
            return dump(draft.snapshot)
        case StateChanged(state=state):
            return dump(StateChanged(state=_slim(state)))
        case TurnEnded(state=ExecutionState() as state) | HistoryRewound(state=state):
            return dump(replace(event.body, state=_slim(state)))
        case DecisionMade() | DecisionValidated() as body:
            return dump(replace(body, payload=None))
        case ThreadMessageAdded() as body:
            return dump(replace(body, text=""))
        case body:
            return dump(body)


def body_of(kind: str, text: str, sequence: int, known: References) -> EventBody:
    """Return the body that a row of a known kind keeps, equal to what was emitted."""
    body = class_of(kind)
    assert body is not None, "rows of unknown kinds are left out"
    if body is MessageCommitted:
        return MessageCommitted(message=known.committed)
    if body is InputAccepted:
        return InputAccepted(messages=(replace(known.committed, turn_id=""),))
    if body is AdviceChanged:
        named = load(NamedAdvice, text)
        return AdviceChanged(advice=replace(known.advice[named.advice_id], state=named.state))
    if body is ScopeLeft:
        left = load(ScopeSnapshot, text)
        names = tuple(left.variables)
        return ScopeLeft(scope=left.scope, scope_id=left.scope_id, cleaned_variables=names)
    found: EventBody = load(body, text)
    match found:
        case StateChanged(state=state):
            return StateChanged(state=_whole(state, sequence, known))
        case TurnEnded(state=ExecutionState() as state) | HistoryRewound(state=state):
            return replace(found, state=_whole(state, sequence, known))
        case DecisionMade(decision_id=name):
            return replace(found, payload=known.payloads[name].proposed)
        case DecisionValidated(decision_id=name):
            return replace(found, payload=known.payloads[name].effective)
        case ThreadMessageAdded(thread_id=thread_id, message_id=name):
            return replace(found, text=known.thread_texts.get((thread_id, name), ""))
        case _:
            return found


def without_others(kind: str, text: str, inputs: set[str]) -> str:
    """Return the text of a state that names no other waiting inputs than these."""
    body = class_of(kind)
    if _PENDING not in text or body not in {StateChanged, TurnEnded}:
        return text
    found = load(body, text)
    assert isinstance(found, StateChanged | TurnEnded)
    assert found.state is not None
    waiting = tuple(each for each in found.state.pending_client_message_ids if each in inputs)
    state = replace(found.state, pending_client_message_ids=waiting)
    return dump(replace(found, state=state))


def _slim(state: ExecutionState) -> ExecutionState:
    return replace(state, sequence=0, script_id="", script_version="", last_ai_message="")


def _whole(state: ExecutionState, sequence: int, known: References) -> ExecutionState:
    return replace(
        state,
        sequence=sequence,
        script_id=known.script_id,
        script_version=known.script_version,
        last_ai_message=known.message.plain_text() if known.message else "",
    )
