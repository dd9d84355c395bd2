"""Accepting inputs in memory (ARCHITECTURE section 4.2)."""

from __future__ import annotations

from dataclasses import replace

from heartrule.domain.conversation import IfBusy, Message, Role, UserInput
from heartrule.domain.errors import InvalidRequest, SessionBusy
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.ending_rules import finished
from session_store.memory.events import tell
from session_store.memory.rows import WAITING, MessageRow, SessionRow, Tables, TurnRow
from session_store.memory.stops import wish_to_note
from session_store.past import taken_back
from session_store.records import AcceptedInput, TurnState
from session_store.step_events import accepted_draft
from session_store.turn_rules import MAX_WAITING, RETRY_AFTER, check_request


def accept(tables: Tables, key: SessionKey, user_input: UserInput) -> AcceptedInput:
    """Store an input, or say what it repeats or why it is refused; see the port."""
    row = tables.session(key)
    mode = user_input.if_busy or row.new.if_busy
    known = find_input(row, user_input.client_message_id)
    if known is not None:
        if known.turn_no < WAITING:
            raise taken_back(user_input.client_message_id)
        return _repeat(row, known, user_input)
    _check_room(row, mode)
    check_request(user_input, row.open_request)
    return _store(tables, row, user_input, mode)


def find_input(row: SessionRow, client_message_id: str) -> MessageRow | None:
    """Return the input stored under that id."""
    for message in row.messages:
        if message.message.client_message_id == client_message_id:
            return message
    return None


def _repeat(row: SessionRow, known: MessageRow, user_input: UserInput) -> AcceptedInput:
    """Return what became of the input; a failed turn is marked to run again."""
    if known.message.parts != user_input.parts:
        raise InvalidRequest(
            "client_message_id was used for other content", reason="CLIENT_MESSAGE_ID_REUSED"
        )
    turn = row.turns.get(known.message.turn_id)
    if turn is not None and turn.state is TurnState.FAILED:
        if row.status is ExecutionStatus.COMPLETED:
            raise finished(row.end_reason)
        turn.retry = True
    return AcceptedInput(
        duplicate=True,
        message=known.message,
        sequence=known.sequence,
        turn_id=known.message.turn_id,
        turn_state=turn.state if turn else None,
    )


def _check_room(row: SessionRow, mode: IfBusy) -> None:
    """Refuse a new input that this session cannot take now, or at all."""
    if row.status is ExecutionStatus.COMPLETED:
        raise finished(row.end_reason)
    waiting = len(row.waiting())
    if mode is IfBusy.REJECT and (waiting or _is_running(row.newest_turn())):
        raise SessionBusy("a turn runs", reason="SESSION_BUSY", retry_after=RETRY_AFTER)
    if waiting >= MAX_WAITING:
        raise SessionBusy(
            f"{waiting} inputs wait already",
            reason="TOO_MANY_WAITING",
            metadata={"max_waiting": str(MAX_WAITING)},
            retry_after=RETRY_AFTER,
        )


def _is_running(turn: TurnRow | None) -> bool:
    return turn is not None and turn.state is TurnState.RUNNING


def _store(tables: Tables, row: SessionRow, user_input: UserInput, mode: IfBusy) -> AcceptedInput:
    message = Message(
        message_id=new_id("msg"),
        role=Role.CLIENT,
        parts=user_input.parts,
        client_message_id=user_input.client_message_id,
        input_request_id=user_input.input_request_id,
    )
    if (stop := wish_to_note(row, mode)) is not None:
        row.stop_wish = stop
    event = tell(tables, row, [accepted_draft(message)])[0]
    stored = replace(message, sequence=event.sequence, create_time=row.update_time)
    row.messages.append(
        MessageRow(
            message=stored,
            sequence=event.sequence,
            create_time=row.update_time,
            if_busy=mode,
            turn_timeout=user_input.turn_timeout,
            traceparent=user_input.traceparent,
        )
    )
    return AcceptedInput(
        duplicate=False,
        message=stored,
        sequence=event.sequence,
        turn_id="",
        turn_state=None,
        events=(event,),
        stop=stop,
    )
