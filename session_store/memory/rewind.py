"""Taking the last turn back in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from heartrule.domain.conversation import UserInput, text_part
from heartrule.domain.events import AdviceChanged, AnalysisEnded, HistoryRewound, SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.monitoring import Advice, AdviceState, AnalysisOutcome
from session_store.event_drafts import EventDraft
from session_store.memory.begin import is_held
from session_store.memory.events import tell
from session_store.memory.inputs import accept, find_input
from session_store.memory.rows import AdviceRow, MessageRow, RequestRow, SessionRow, Tables, TurnRow
from session_store.memory.sessions import reset_variables
from session_store.past import (
    RETRY,
    TURN_TAKEN_BACK,
    busy,
    globals_written,
    known_already,
    nothing_to_retry,
    plan_after,
    variables_after,
)
from session_store.plan_edit_rules import after_rewind, edit_draft
from session_store.records import Retried, Retry, TurnKind, TurnState
from session_store.step_events import state_of
from session_store.turn_rules import has_outlived


@dataclass(frozen=True, slots=True)
class _Rewinding:
    """The turn that goes, and those that stay."""

    row: SessionRow
    kept: list[TurnRow]
    last: TurnRow
    said: list[MessageRow]


def retry_turn(tables: Tables, retry: Retry) -> Retried:
    """Take the last turn back and store its message again; see the port."""
    row = tables.session(retry.key)
    if retry.request_id in row.retried:
        return replace(row.retried[retry.request_id], events=())
    rewinding = _look(tables, row)
    again = _input(rewinding, retry)
    _restore(tables, rewinding)
    told = _tell(tables, rewinding)
    accepted = accept(tables, retry.key, again)
    row.last_rewound = told[0].sequence
    rewound = told[0].body
    assert isinstance(rewound, HistoryRewound)
    done = Retried(
        rewound=rewound,
        rewound_sequence=told[0].sequence,
        message=accepted.message,
        events=(*told, *accepted.events),
    )
    if retry.request_id:
        row.retried[retry.request_id] = done
    return done


def _look(tables: Tables, row: SessionRow) -> _Rewinding:
    """Return what is to be done; refused where a turn runs or there is none to take back."""
    newest = row.newest_turn()
    runs = newest is not None and (newest.state is TurnState.RUNNING or newest.retry)
    if is_held(tables, row) or row.waiting() or runs:
        raise busy()
    if newest is None or newest.kind is TurnKind.OPENING:
        raise nothing_to_retry()
    *kept, last = row.turns.values()
    said = [each for each in row.messages if each.turn_no == last.turn_no]
    return _Rewinding(row, kept, last, sorted(said, key=lambda each: each.sequence))


def _input(rewinding: _Rewinding, retry: Retry) -> UserInput:
    """Return what is said again: the turn's inputs as one, or the text given."""
    name = retry.client_message_id or new_id("cmi")
    if find_input(rewinding.row, name) is not None:
        raise known_already(name)
    spoken = [each.message for each in rewinding.last.inputs]
    parts = tuple(part for each in spoken for part in each.parts)
    answers = (each.input_request_id for each in reversed(spoken))
    return UserInput(
        client_message_id=name,
        parts=(text_part(retry.text),) if retry.text else parts,
        input_request_id="" if retry.text else next(filter(None, answers), ""),
        traceparent=retry.traceparent,
    )


def _restore(tables: Tables, rewinding: _Rewinding) -> None:
    """Put plan, variables and place back, and take the turn's rows out of the way."""
    row, last, before = rewinding.row, rewinding.last, rewinding.kept[-1]
    past = [step for turn in rewinding.kept for step in turn.past]
    row.plan = plan_after(past)
    reset_variables(tables, row, variables_after(row.first, past))
    for message in rewinding.said:
        message.turn_no = -1 - message.turn_no
    row.taken_back[last.turn_id] = row.turns.pop(last.turn_id)
    row.results = [each for turn in rewinding.kept for each in turn.results]
    stood = before.stood
    assert stood is not None, "the turn before has ended"
    row.status, row.position, row.error = stood.status, stood.position, None
    row.end_reason, row.last_ai_message = stood.end_reason, stood.last_ai_message
    row.open_request = before.open_request


def _tell(tables: Tables, rewinding: _Rewinding) -> tuple[SessionEvent, ...]:
    """Tell the rewinding, and what became of advice and analyses."""
    row, last = rewinding.row, rewinding.last
    rewound = HistoryRewound(
        after_sequence=rewinding.kept[-1].last_sequence,
        removed_message_ids=tuple(each.message.message_id for each in rewinding.said),
        cause=RETRY,
        state=state_of(row.record()),
        turn_ids=(last.turn_id,),
        kept_globals=globals_written(last.past),
    )
    drafts = [EventDraft(rewound)]
    return tell(tables, row, drafts + _mind(row, last) + _edits(row, last))


def _edits(row: SessionRow, last: TurnRow) -> list[EventDraft]:
    """Put the edits of the plan back, and return what is told of it."""
    changed = after_rewind(row.edits.values(), last.turn_no)
    row.edits |= {each.edit.edit_id: each for each in changed}
    return [edit_draft(each.edit) for each in changed]


def _mind(row: SessionRow, last: TurnRow) -> list[EventDraft]:
    """Drop the turn's requests, expire advice about it, and give back what it took up."""
    requests = [each for each in row.requests.values() if each.turn is last]
    about = [each.advice_id for each in requests if each.advice_id]
    made = [row.advice[name] for name in row.advice if name in about]
    taken = {
        event.body.advice.advice_id
        for event in row.events
        if event.turn_id == last.turn_id and isinstance(event.body, AdviceChanged)
    }
    taken |= {each.advice.supersedes for each in made}
    older = [row.advice[name] for name in row.advice if name in taken and name not in about]
    drafts = [_changed(each, AdviceState.EXPIRED) for each in made if _is_pending(each)]
    drafts += [
        _changed(each, AdviceState.PENDING)
        for each in older
        if not _is_pending(each)
        and not has_outlived(each.advice, judged_turn_no=each.judged_turn_no, turn_no=last.turn_no)
    ]
    return drafts + list(_drop(row, requests))


def _is_pending(held: AdviceRow) -> bool:
    return held.advice.state is AdviceState.PENDING


def _changed(held: AdviceRow, state: AdviceState) -> EventDraft:
    held.advice = changed = replace(held.advice, state=state)
    return _advice_draft(changed)


def _advice_draft(advice: Advice) -> EventDraft:
    return EventDraft(AdviceChanged(advice=advice))


def _drop(row: SessionRow, requests: Iterable[RequestRow]) -> Iterable[EventDraft]:
    for each in requests:
        ticket = each.ticket
        del row.requests[ticket.action_instance_id, ticket.round]
        if not each.done:
            body = AnalysisEnded(
                action_instance_id=ticket.action_instance_id,
                about_round=ticket.round,
                judged_turn_id=each.turn.turn_id,
                result=AnalysisOutcome.DROPPED,
                reason=TURN_TAKEN_BACK,
            )
            yield EventDraft(body)
