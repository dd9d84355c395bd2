"""A new session made of another one's past, in memory (ADR 25)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heartrule.domain.errors import AlreadyExists, NotFound
from heartrule.domain.events import AdviceChanged
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import VariableScope
from session_store.memory.copies import Copied, chosen, copied_turns, told_anew
from session_store.memory.rows import AdviceRow, SessionRow, Tables, TurnRow
from session_store.memory.sessions import define, made_by, reset_variables
from session_store.past import (
    BEFORE_ALL,
    PastStep,
    globals_written,
    known_after,
    not_a_place,
    plan_after,
    reused_request,
    turn_before,
    variables_after,
)
from session_store.plan_edit_rules import kept_in_fork, revision_of
from session_store.records import Fork, Forked, TurnState


@dataclass(frozen=True, slots=True)
class _Forking:
    """Where the new session is to stand."""

    source: SessionRow
    kept: Sequence[TurnRow]
    steps: Sequence[PastStep]
    since: Sequence[PastStep]


def fork_session(tables: Tables, fork: Fork) -> Forked:
    """Make a session that stands where another stood; see the port."""
    source = tables.session(fork.source)
    first = made_by(tables, fork.key.tenant, fork.request_id)
    if first is not None:
        return _again(source, first, fork)
    forking = _look(source, fork)
    kept_globals = globals_written(forking.since)
    if fork.key in tables.sessions:
        raise AlreadyExists("session", fork.session_id)
    row = _made(tables, forking, fork)
    tables.sessions[fork.key] = row
    return Forked(session=row.record(), kept_globals=kept_globals)


def _again(source: SessionRow, first: SessionRow, fork: Fork) -> Forked:
    """Return the session that the same request made before."""
    if first.forked_from[0] != fork.source.session_id:
        raise reused_request()
    begun_with = source.turns.get(first.forked_from[1])
    number = begun_with.turn_no if begun_with is not None else BEFORE_ALL
    turns = source.turns.values()
    since = [step for turn in turns for step in turn.past if turn.turn_no > number]
    return Forked(session=first.record(), kept_globals=globals_written(since))


def _look(source: SessionRow, fork: Fork) -> _Forking:
    turns = list(source.turns.values())
    steps = [step for turn in turns for step in turn.past]
    ended = [each for each in turns if each.state is TurnState.COMPLETED]
    newest = ended[-1].turn_no if ended else BEFORE_ALL
    if fork.from_turn_id:
        number = _number(source, ended, fork.from_turn_id)
    elif fork.replacement is not None:
        number = turn_before(steps, fork.replacement, newest=newest)
    else:
        number = newest
    return _Forking(
        source,
        [each for each in ended if each.turn_no <= number],
        [each for each in steps if each.turn_no <= number],
        [each for each in steps if each.turn_no > number],
    )


def _number(source: SessionRow, ended: Sequence[TurnRow], turn_id: str) -> int:
    """Return the number of the turn that is named."""
    for each in ended:
        if each.turn_id == turn_id:
            return each.turn_no
    if turn_id in source.turns or turn_id in source.taken_back:
        raise not_a_place(turn_id)
    raise NotFound("turn", turn_id)


def _made(tables: Tables, forking: _Forking, fork: Fork) -> SessionRow:
    """Return the new session with all that hangs on it."""
    source, kept, now = forking.source, forking.kept, tables.now()
    last = kept[-1] if kept else None
    row = SessionRow(
        new=replace(source.new, key=fork.key, request_id=fork.request_id),
        create_time=now,
        update_time=now,
        first=source.first,
        forked_from=(fork.source.session_id, last.turn_id if last else ""),
        replacements=_replacements(source, fork),
        plan=plan_after(forking.steps),
    )
    define(tables, row, known_after(source.definitions.values(), forking.steps))
    reset_variables(tables, row, variables_after(source.first, forking.steps))
    own = source.variables.items()
    row.variables |= {name: each for name, each in own if each.scope is VariableScope.GLOBAL}
    if last is not None:
        _fill(row, source, chosen(source, kept))
        _carry_edits(row, source, chosen(source, kept))
        _stand(row, last)
    return row


def _replacements(source: SessionRow, fork: Fork) -> tuple[ActionReplacement, ...]:
    tried = (*source.replacements, *filter(None, (fork.replacement,)))
    by_action = {(each.phase_id, each.topic_id, each.action_id): each for each in tried}
    return tuple(by_action[name] for name in sorted(by_action))


def _fill(row: SessionRow, source: SessionRow, copied: Copied) -> None:
    """Write turns, messages, events, requests and advice anew."""
    row.turns, row.messages, row.requests = copied_turns(copied, row.new.key)
    row.results = [each for turn in row.turns.values() for each in turn.results]
    row.events = [told_anew(event, copied, row.new.key) for event in copied.events]
    row.last_sequence = len(row.events)
    numbers = copied.numbers
    row.snapshots = {
        numbers[sequence]: each
        for sequence, each in source.snapshots.items()
        if sequence in numbers
    }
    given = {each.advice_id for each in row.requests.values()}
    states: dict[str, AdviceState] = {}
    for event in row.events:
        if isinstance(event.body, AdviceChanged):
            states[event.body.advice.advice_id] = event.body.advice.state
    for name, held in source.advice.items():
        if name in given:
            own = replace(held.advice, session_id=row.new.key.session_id, state=states[name])
            row.advice[name] = AdviceRow(own, held.judged_turn_no)
    row.input_requests = {
        name: each for name, each in source.input_requests.items() if name in copied.requested
    }


def _carry_edits(row: SessionRow, source: SessionRow, copied: Copied) -> None:
    """Begin with the edits of the plan that the copied turns decided."""
    last = copied.turns[-1].turn_no
    kept = kept_in_fork(source.edits.values(), last, row.new.key.session_id)
    row.edits = {
        each.edit.edit_id: replace(each, sequence=copied.numbers[each.sequence]) for each in kept
    }
    row.plan_revision = revision_of(kept)


def _stand(row: SessionRow, last: TurnRow) -> None:
    """Let the session stand where it stood after its last turn."""
    state = last.stood
    assert state is not None, "the turn has ended"
    row.opened = True
    row.opening_turn_id = next(iter(row.turns))
    row.status, row.position = state.status, state.position
    row.end_reason, row.last_ai_message = state.end_reason, state.last_ai_message
    row.open_request = last.open_request
