"""Beginning turns in memory: what `begin_rules` decided, done to the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from heartrule.domain.events import SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.monitoring import Advice, AdviceState, DialogueLine
from heartrule.domain.position import ExecutionStatus
from session_store.begin_rules import Begin, Move, Standing, Unfinished
from session_store.event_drafts import Attempt
from session_store.memory.edits import at_hand, plan_of
from session_store.memory.events import tell
from session_store.memory.rows import MessageRow, SessionRow, Tables, TurnRow
from session_store.memory.sessions import visible_variables
from session_store.records import (
    Lease,
    TurnKind,
    TurnSnapshot,
    TurnState,
)
from session_store.step_events import ATTEMPT_LOST, RESTARTED, begin_drafts
from session_store.stop_rules import asked_to_restart, asked_to_stop
from session_store.turn_rules import OPENING_TURN_NO, coming_round, has_outlived, window_start


@dataclass(frozen=True, slots=True)
class Holder:
    """Who wants the lease, and for how long."""

    owner: str
    ttl: timedelta


def standing(tables: Tables, row: SessionRow) -> Standing:
    """Return what decides which turn begins."""
    waiting = row.waiting()
    left = timedelta(0)
    if waiting:
        left = waiting[0].create_time + row.new.merge_window - tables.now()
    turn = row.newest_turn()
    return Standing(
        opened=row.opened,
        completed=row.status is ExecutionStatus.COMPLETED,
        unfinished=_unfinished(turn),
        waiting=tuple(each.if_busy for each in waiting),
        window_left=left,
        restarts=turn is not None and asked_to_restart(row.stop_wish, turn.turn_id, turn.attempt),
    )


def _unfinished(turn: TurnRow | None) -> Unfinished | None:
    if turn is None or turn.state is TurnState.COMPLETED:
        return None
    return Unfinished(
        kind=turn.kind,
        state=turn.state,
        steps=turn.steps,
        retry=turn.retry,
        inputs=tuple(each.if_busy for each in turn.inputs),
    )


def is_held(tables: Tables, row: SessionRow) -> bool:
    """Return True while a lease is live."""
    return tables.clock() < row.lease_until


def begin(tables: Tables, row: SessionRow, what: Begin, holder: Holder) -> TurnSnapshot:
    """Take the free lease, make or take up the turn, and return all it needs."""
    turn = row.newest_turn()
    if turn is None or what.move is not Move.RESUME:
        turn = _new_turn(row, what.move)
    _take_up(turn, row.waiting()[: what.taken])
    lost = ""
    if turn.attempt > 0 and turn.state is TurnState.RUNNING:
        lost = RESTARTED if what.taken else ATTEMPT_LOST
    turn.attempt += 1
    if turn.kind is TurnKind.OPENING and turn.attempt > 1:
        turn.inputs_consumed = True
    turn.state = TurnState.RUNNING
    turn.retry = False
    row.lease_owner = holder.owner
    row.lease_token += 1
    row.lease_until = tables.clock() + holder.ttl.total_seconds()
    drafts = begin_drafts(
        Attempt(turn_id=turn.turn_id, attempt=turn.attempt),
        lost=lost,
        expired=_expire(row, turn.turn_no),
        client_message_ids=turn.client_message_ids(),
    )
    return _snapshot(tables, row, turn, tell(tables, row, drafts))


def _new_turn(row: SessionRow, move: Move) -> TurnRow:
    newest = row.newest_turn()
    turn = TurnRow(
        turn_id=new_id("turn"),
        turn_no=newest.turn_no + 1 if newest else OPENING_TURN_NO,
        kind=TurnKind.OPENING if move is Move.OPEN else TurnKind.INPUT,
    )
    row.turns[turn.turn_id] = turn
    if turn.kind is TurnKind.OPENING:
        row.opening_turn_id = turn.turn_id
    return turn


def _take_up(turn: TurnRow, waiting: Iterable[MessageRow]) -> None:
    """Give waiting inputs their turn and their place in the conversation."""
    for message in waiting:
        message.message = replace(message.message, turn_id=turn.turn_id)
        message.turn_no = turn.turn_no
        turn.inputs.append(message)
        turn.new_inputs += 1


def _expire(row: SessionRow, turn_no: int) -> Iterator[Advice]:
    """Expire the pending advice that waited too long, and yield it."""
    for each in row.advice.values():
        advice = each.advice
        if advice.state is AdviceState.PENDING and has_outlived(
            advice, judged_turn_no=each.judged_turn_no, turn_no=turn_no
        ):
            each.advice = replace(advice, state=AdviceState.EXPIRED)
            yield each.advice


def _snapshot(
    tables: Tables, row: SessionRow, turn: TurnRow, events: tuple[SessionEvent, ...]
) -> TurnSnapshot:
    inputs = tuple(each.message for each in turn.inputs)
    timeouts = [each.turn_timeout for each in turn.inputs if each.turn_timeout is not None]
    return TurnSnapshot(
        lease=Lease(key=row.new.key, owner=row.lease_owner, token=row.lease_token),
        turn_id=turn.turn_id,
        turn_no=turn.turn_no,
        attempt=turn.attempt,
        kind=turn.kind,
        script_id=row.new.script_id,
        script_version=row.new.script_version,
        user_id=row.new.user_id,
        locale=row.new.locale,
        time_zone=row.new.time_zone,
        strategy_engine=row.new.strategy_engine,
        position=row.position,
        plan_revision=row.plan_revision,
        plan=plan_of(row),
        variables=visible_variables(tables, row),
        inputs=inputs,
        inputs_consumed=turn.inputs_consumed,
        new_inputs=inputs[len(inputs) - turn.new_inputs :],
        steps=turn.steps,
        window=_window(row, turn),
        advice=_advice(row),
        last_ai_message=row.last_ai_message,
        turn_timeout=min(timeouts, default=None),
        traceparents=tuple(each.traceparent for each in turn.inputs if each.traceparent),
        degradations=tuple(turn.degradations),
        message_ids=tuple(turn.message_ids),
        replacements=row.replacements,
        edits=at_hand(row),
        stop=asked_to_stop(row.stop_wish, turn.turn_id),
        events=events,
    )


def _window(row: SessionRow, turn: TurnRow) -> tuple[DialogueLine, ...]:
    """Return the recent messages in conversation order, without inputs still to be judged."""
    start = window_start(turn.turn_no)
    unjudged = set() if turn.inputs_consumed else {each.sequence for each in turn.inputs}
    recent = [
        each for each in row.messages if each.turn_no >= start and each.sequence not in unjudged
    ]
    recent.sort(key=MessageRow.place)
    said = (each.message for each in recent)
    return tuple(DialogueLine(role=each.role, text=each.spoken()) for each in said)


def _advice(row: SessionRow) -> Advice | None:
    """Return the newest pending advice of the current instance about an earlier round (C11)."""
    place = row.position
    fitting = [
        each.advice
        for each in row.advice.values()
        if each.advice.state is AdviceState.PENDING
        and each.advice.action_instance_id == place.action_instance_id
        and each.advice.about_round < coming_round(place, plan_of(row))
    ]
    return max(fitting, key=lambda advice: advice.about_round, default=None)
