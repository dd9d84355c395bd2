"""Rows of past turns written anew for another session, with numbers of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    AdviceChanged,
    AnalysisEnded,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    PlanEdited,
    SessionEvent,
    StateChanged,
    TurnEnded,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import PlanningState
from heartrule.domain.position import ExecutionState
from session_store.memory.rows import MessageRow, RequestRow, SessionRow, TurnRow
from session_store.plan_edit_rules import edits_of_turns, is_kept, planning_in_fork


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """What is written anew."""

    turns: Sequence[TurnRow]
    messages: Sequence[MessageRow]
    events: Sequence[SessionEvent]
    requests: Sequence[RequestRow]
    numbers: Mapping[int, int]
    """The new number of each event."""
    inputs: frozenset[str]
    """The ids of the inputs that have come along."""

    @property
    def requested(self) -> frozenset[str]:
        """The input requests that were told."""
        bodies = (event.body for event in self.events)
        return frozenset(
            each.input_request_id for each in bodies if isinstance(each, InputRequested)
        )


def chosen(source: SessionRow, turns: Sequence[TurnRow]) -> Copied:
    """Return the turns' rows, and those of analyses that had ended with the last of them."""
    ids = {turn.turn_id for turn in turns}
    told = [event for event in source.events if event.sequence <= turns[-1].last_sequence]
    ended = {_request(event.body) for event in told if isinstance(event.body, AnalysisEnded)}
    requests = [
        each
        for each in source.requests.values()
        if each.turn.turn_id in ids and (each.ticket.action_instance_id, each.ticket.round) in ended
    ]
    messages = [each for each in source.messages if 0 <= each.turn_no <= turns[-1].turn_no]
    said = {each.sequence for each in messages}
    edits = edits_of_turns(source.edits.values(), turns[-1].turn_no)
    names = {(each.ticket.action_instance_id, each.ticket.round) for each in requests}
    given = {each.advice_id for each in requests}

    def passes(event: SessionEvent) -> bool:
        match event.body:
            case InputAccepted():
                return event.sequence in said
            case AnalysisEnded() as body:
                return _request(body) in names and body.judged_turn_id in ids
            case AdviceChanged(advice=advice):
                return advice.advice_id in given
            case HistoryRewound():
                return False
            case PlanEdited() as body if not event.turn_id:
                return is_kept(body, edits)
            case _:
                return event.turn_id in ids

    events = [event for event in told if passes(event)]
    return Copied(
        turns=turns,
        messages=messages,
        events=events,
        requests=requests,
        numbers={event.sequence: place for place, event in enumerate(events, start=1)},
        inputs=frozenset(each.message.client_message_id for each in messages),
    )


def copied_turns(
    copied: Copied, key: SessionKey
) -> tuple[dict[str, TurnRow], list[MessageRow], dict[tuple[str, int], RequestRow]]:
    """Return the new session's turns, messages and requests."""
    numbers = copied.numbers
    rows = {each.sequence: _message(each, numbers) for each in copied.messages}
    turns = {
        turn.turn_id: replace(
            turn,
            inputs=[rows[each.sequence] for each in turn.inputs],
            message_ids=list(turn.message_ids),
            degradations=list(turn.degradations),
            results=list(turn.results),
            judged=[numbers[each] for each in turn.judged],
            past=list(turn.past),
            last_sequence=numbers[turn.last_sequence],
        )
        for turn in copied.turns
    }
    requests = {
        (each.ticket.action_instance_id, each.ticket.round): replace(
            _without_debt(each),
            ticket=replace(each.ticket, key=key),
            turn=turns[each.turn.turn_id],
            judged=numbers[each.judged],
            answer=tuple(_renumbered(message, numbers) for message in each.answer),
        )
        for each in copied.requests
    }
    return turns, list(rows.values()), requests


def told_anew(event: SessionEvent, copied: Copied, key: SessionKey) -> SessionEvent:
    """Return an event of the new session."""
    numbers = copied.numbers
    body, number = event.body, numbers[event.sequence]
    match body:
        case MessageCommitted(message=message):
            body = MessageCommitted(message=_renumbered(message, numbers))
        case InputAccepted(messages=messages):
            body = InputAccepted(messages=tuple(_renumbered(each, numbers) for each in messages))
        case StateChanged(state=state):
            body = StateChanged(state=_state(state, number, copied))
        case TurnEnded(state=ExecutionState() as state):
            body = replace(body, state=_state(state, number, copied))
        case AdviceChanged(advice=advice):
            body = AdviceChanged(advice=replace(advice, session_id=key.session_id))
        case _:
            pass
    return replace(event, session_id=key.session_id, sequence=number, body=body)


def _request(body: AnalysisEnded) -> tuple[str, int]:
    return body.action_instance_id, body.about_round


def _without_debt(request: RequestRow) -> RequestRow:
    if request.planning is None:
        return request
    state, reason = planning_in_fork(request.planning.value, request.planning_reason)
    return replace(request, planning=PlanningState(state), planning_reason=reason)


def _message(row: MessageRow, numbers: Mapping[int, int]) -> MessageRow:
    message = _renumbered(row.message, numbers)
    return replace(row, message=message, sequence=message.sequence)


def _renumbered(message: Message, numbers: Mapping[int, int]) -> Message:
    return replace(message, sequence=numbers[message.sequence])


def _state(state: ExecutionState, number: int, copied: Copied) -> ExecutionState:
    """Return a state without waiting inputs that belong to no turn that is copied."""
    waiting = tuple(each for each in state.pending_client_message_ids if each in copied.inputs)
    return replace(state, sequence=number, pending_client_message_ids=waiting)
