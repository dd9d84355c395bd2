"""One checker for every fault: what clients received against what the database holds.

Each rule yields sentences about what is wrong; no sentence, no violation. The rules are those of
docs/reliability.md, in its order.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from heartrule.domain.conversation import Role
from heartrule.domain.events import (
    DraftDelta,
    InputAccepted,
    MessageCommitted,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from tests.chaos.danger import danger_is_answered
from tests.chaos.deciding import decided_once, decisions_are_kept, no_effect_without_verdict
from tests.chaos.dump import Dump, FinalState
from tests.chaos.evidence import Evidence, Violation, body_of, difference, short
from tests.chaos.history import History, ReadBack, ReceivedEvent, StreamEnded, StreamOpened
from tests.chaos.nesting import OF_THREADS
from tests.chaos.running import runs_are_told_as_kept, runs_end, spent_failures_are_decided_once

ROUTINE = frozenset({"analysis_ended", "advice_changed", "input_accepted"})
"""Events that belong to no attempt, or may come between those of one."""


Rule = Callable[[Evidence], Iterable[str]]


def check(
    history: History, dump: Dump, *, expected: Mapping[str, FinalState] | None = None
) -> list[Violation]:
    """Return every violation; `expected` has the final state of each session that is compared."""
    found: list[Violation] = []
    messages, events = defaultdict(list), defaultdict(list)
    for message in dump.messages:
        messages[message.session_id].append(message)
    for event in dump.events:
        events[event.session_id].append(event)
    for session_id in dict.fromkeys((*filter(None, history.sessions()), *dump.sessions)):
        evidence = Evidence(
            session_id=session_id,
            records=tuple(history.of_session(session_id)),
            messages=tuple(messages[session_id]),
            events=tuple(events[session_id]),
            dump=dump,
            expected=(expected or {}).get(session_id),
        )
        for name, rule in RULES.items():
            found += (Violation(name, session_id, what) for what in rule(evidence))
    return found


def acknowledged_is_kept(e: Evidence) -> Iterator[str]:
    """Every acknowledged message, and every committed one a client saw, is in the history."""
    kept = {row.message_id: row for row in e.messages}
    for event in e.received():
        body = event.body
        sent = body.messages if isinstance(body, InputAccepted) else ()
        if isinstance(body, MessageCommitted):
            sent = (body.message,)
        for message in sent:
            row = kept.get(message.message_id)
            if row is None:
                yield f"{message.message_id} was sent at {event.sequence} and is not kept"
            elif row.sequence != message.sequence:
                yield f"{message.message_id}: sent at {message.sequence}, kept at {row.sequence}"


def ids_are_unique(e: Evidence) -> Iterator[str]:
    """No message id twice, and no client_message_id twice."""
    for message_id, times in Counter(row.message_id for row in e.messages).items():
        if times > 1:
            yield f"{message_id} is kept {times} times"
    inputs = Counter(row.client_message_id for row in e.messages if row.client_message_id)
    for client_message_id, times in inputs.items():
        if times > 1:
            yield f"input {client_message_id} is kept {times} times"


def sequences_have_no_gap(e: Evidence) -> Iterator[str]:
    """Sequences are 1..n, in the table and on every stream."""
    for ended in e.records:
        if isinstance(ended, StreamEnded) and "OUT_OF_RANGE" in ended.code:
            yield f"stream {ended.stream} was refused: the server lacks what it knows"
    numbers = [row.sequence for row in e.events]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"events are numbered {short(numbers)}"
    session = e.dump.sessions.get(e.session_id)
    if session is not None and session.next_seq != len(numbers) + 1:
        yield f"the next event would be {session.next_seq} after {len(numbers)}"
    passed: dict[int, int] = {}
    for record in e.records:
        if isinstance(record, StreamOpened):
            passed[record.stream] = record.after  # what is sent again lies at or before it
        elif isinstance(record, ReceivedEvent) and record.event.sequence:
            last, at = passed.get(record.stream), record.event.sequence
            if last is not None and at > last + 1:
                yield f"stream {record.stream} went from {last} to {at}"
            passed[record.stream] = max(at, last or 0)


def sent_is_kept_as_sent(e: Evidence) -> Iterator[str]:
    """An event keeps its number, kind and turn: what was sent is what is read later."""
    kept = {row.sequence: row for row in e.events}
    said: dict[int, SessionEvent] = {}
    for event in e.received():
        if not event.sequence:
            continue
        row = kept.get(event.sequence)
        if row is None:
            yield f"event {event.sequence} was sent and is not kept"
        elif (row.turn_id, row.attempt) != (event.turn_id, event.attempt):
            yield f"event {event.sequence} was of {event.turn_id}/{event.attempt}, now {row}"
        first = said.setdefault(event.sequence, event)
        if body_of(first) != body_of(event):
            yield f"event {event.sequence} was sent in two ways"


def one_outcome_per_turn(e: Evidence) -> Iterator[str]:
    """A turn has one committed end, each attempt at most one, and nothing follows the end."""
    done: dict[str, int] = {}
    attempts = Counter((row.turn_id, row.attempt) for row in e.events if row.kind == "turn_ended")
    for (turn_id, attempt), times in attempts.items():
        if times > 1:
            yield f"attempt {attempt} of {turn_id} ended {times} times"
    states = [row for row in e.dump.attempts if row.session_id == e.session_id]
    for row in states:
        if row.state == "completed":
            done[row.turn_id] = done.get(row.turn_id, 0) + 1
    for turn_id, times in done.items():
        if times > 1:
            yield f"{turn_id} has {times} committed ends"
    ended: dict[str, str] = {}
    for event in e.received():
        if isinstance(event.body, TurnEnded) and event.body.outcome is not Outcome.FAILED:
            before = ended.setdefault(event.turn_id, event.body.outcome.value)
            if before != event.body.outcome.value:
                yield f"{event.turn_id} ended as {before} and {event.body.outcome.value}"


def late_commits_are_refused(e: Evidence) -> Iterator[str]:
    """Once a further attempt of a turn has begun, no earlier one writes; no turn overlaps."""
    newest: dict[str, int] = {}
    open_turn = ""
    for row in e.events:
        if not row.turn_id or row.kind in ROUTINE:
            continue
        if row.attempt < newest.get(row.turn_id, 0):
            yield f"event {row.sequence} is of attempt {row.attempt} of {row.turn_id}, too late"
        newest[row.turn_id] = max(row.attempt, newest.get(row.turn_id, 0))
        if row.kind == "turn_started":
            open_turn = row.turn_id
        elif row.turn_id != open_turn:
            yield f"event {row.sequence} of {row.turn_id} lies inside {open_turn}"


def one_text_per_message(e: Evidence) -> Iterator[str]:
    """A message is committed once, and every stream sends the same text of it."""
    committed = Counter(row.message_id for row in e.events if row.kind == "message_committed")
    for message_id, times in committed.items():
        if times > 1:
            yield f"{message_id} was committed {times} times"
    kept = {row.message_id for row in e.messages if row.role != Role.CLIENT.value}
    for message_id in kept ^ set(committed):
        yield f"{message_id} is a message without its event, or an event without its message"
    texts: dict[str, str] = {}
    for event in e.received():
        if isinstance(event.body, MessageCommitted):
            message = event.body.message
            if texts.setdefault(message.message_id, message.plain_text()) != message.plain_text():
                yield f"{message.message_id} was sent with two texts"
    said = Counter(
        (row.turn_id, row.action_instance_id, row.text)
        for row in e.messages
        if row.role == Role.ASSISTANT.value
    )
    for (turn_id, _, text), times in said.items():
        if times > 1:
            yield f"{turn_id} sent {times} times {text[:60]}"


def drafts_become_messages(e: Evidence) -> Iterator[str]:
    """Within one attempt a draft is part of the committed message, or is voided."""
    texts: dict[str, str] = {}
    for row in e.messages:
        parts = json.loads(row.text)
        texts[row.message_id] = "".join(str(part.get("text") or "") for part in parts)
    voided: dict[str, int] = {}
    for event_row in e.events:
        if event_row.kind == "draft_voided":
            up_to = int(json.loads(event_row.body)["up_to_attempt"])
            voided[event_row.turn_id] = max(up_to, voided.get(event_row.turn_id, 0))
    for event in e.received():
        body = event.body
        if not isinstance(body, DraftDelta) or not body.text:
            continue
        text = texts.get(body.at.message_id)
        if text is None:
            if voided.get(event.turn_id, 0) < event.attempt:
                yield f"a draft of {body.at.message_id} was neither committed nor voided"
        elif text[body.at.offset : body.at.offset + len(body.text)] != body.text:
            yield f"{body.at.message_id} was drafted {body.text!r} and committed {text[:60]!r}"


def reads_never_go_back(e: Evidence) -> Iterator[str]:
    """A read shows all that its reader had received before it began, or what took its place."""
    results = {row.replaces: row.message_id for row in e.messages if row.replaces}
    received: list[tuple[float, str]] = []
    for record in e.records:
        if isinstance(record, ReceivedEvent):
            body = record.event.body
            messages = body.messages if isinstance(body, InputAccepted) else ()
            if isinstance(body, MessageCommitted):
                messages = (body.message,)
            received += ((record.at, message.message_id) for message in messages)
        elif isinstance(record, ReadBack):
            known = {message_id for at, message_id in received if at < record.began}
            shown = set(record.message_ids)
            if lost := {each for each in known - shown if results.get(each) not in shown}:
                yield f"a read lacked {len(lost)} messages its reader knew"


def everything_is_answered(e: Evidence) -> Iterator[str]:
    """Nothing stays undone: every input has its turn, every turn its end."""
    for row in e.messages:
        if row.client_message_id and not row.turn_id:
            yield f"input {row.client_message_id} waits for ever"
    last: dict[str, str] = {}
    for attempt in e.dump.attempts:
        if attempt.session_id == e.session_id:
            last[attempt.turn_id] = attempt.state
    for turn_id, state in last.items():
        if state != "completed":
            yield f"{turn_id} was left {state}"


def safety_stands_as_sent(e: Evidence) -> Iterator[str]:
    """The level and step that were sent last are those the session has."""
    sent = [json.loads(row.body) for row in e.events if row.kind == "safety_changed"]
    kept = json.loads(e.dump.safety.get(e.session_id, "{}"))
    last = sent[-1] if sent else {}
    theirs, ours = ((each.get("level", 0), each.get("step", "")) for each in (last, kept))
    if theirs != ours:
        yield f"the session is at {ours}, and {theirs} was sent"


def stands_as_undisturbed(e: Evidence) -> Iterator[str]:
    """Where it stands, what it decided, ran and said, threads too, equals an undisturbed talk."""
    expected, state = e.expected, e.dump.final_states.get(e.session_id)
    if expected is None:
        return
    if state is None:
        yield "the session is gone"
        return
    names = ["position", "variables", "plan", "decided", "ran", "threads"]
    if state.analyses == expected.analyses:  # a round without analysis gives no advice
        names += ["messages", "advice"]
    for name in names:
        ours, theirs = getattr(state, name), getattr(expected, name)
        if ours != theirs:
            yield f"{name}: {difference(ours, theirs)}"
    if len(state.messages) != len(expected.messages):
        yield f"{len(state.messages)} messages, undisturbed {len(expected.messages)}"


RULES: Mapping[str, Rule] = {
    "acknowledged is kept": acknowledged_is_kept,
    "ids are unique": ids_are_unique,
    "sequences have no gap": sequences_have_no_gap,
    "sent is kept as sent": sent_is_kept_as_sent,
    "one outcome per turn": one_outcome_per_turn,
    "late commits are refused": late_commits_are_refused,
    "one text per message": one_text_per_message,
    "drafts become messages": drafts_become_messages,
    "reads never go back": reads_never_go_back,
    "everything is answered": everything_is_answered,
    "danger is answered": danger_is_answered,
    "safety stands as sent": safety_stands_as_sent,
    "decisions are kept": decisions_are_kept,
    "no effect without verdict": no_effect_without_verdict,
    "decided once": decided_once,
    "runs end": runs_end,
    "runs are told as kept": runs_are_told_as_kept,
    "spent failures are decided once": spent_failures_are_decided_once,
    **OF_THREADS,
    "stands as undisturbed": stands_as_undisturbed,
}
