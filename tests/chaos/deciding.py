"""The rules about decisions: none is lost, none doubled, and none executed without its verdict."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from heartrule.domain.conversation import Completeness, Role
from heartrule.domain.decisions import DecisionState, DecisionType
from tests.chaos.dump import DecisionRow, EventRow, MessageRow, WorkflowRow
from tests.chaos.evidence import Evidence

_MADE, _VALIDATED, _REJECTED = "decision_made", "decision_validated", "decision_rejected"
_CHANGED = "workflow_changed"
_SAYING = (DecisionType.RESPOND, DecisionType.REQUEST_CLARIFICATION)
_DRAFTING = (
    DecisionType.CREATE_NODE,
    DecisionType.CREATE_WORKFLOW_PLAN,
    DecisionType.MODIFY_NODE,
)
_EXECUTED = (DecisionState.RUNNING, DecisionState.INTERRUPTED, DecisionState.DONE)


def decisions_are_kept(e: Evidence) -> Iterator[str]:
    """A decision is told once, kept under its number, and not left half done by a turn."""
    rows = _rows(e)
    told = _told(e, _MADE)
    for name, times in Counter(name for name, _ in told).items():
        if times > 1:
            yield f"{name} was made {times} times"
    for name, event in told:
        if name not in rows or rows[name].sequence != event.sequence:
            yield f"{name} was made at {event.sequence} and is not kept so"
    for name in set(rows) - {name for name, _ in told}:
        yield f"{name} is kept and was never made"
    for name, row in rows.items():
        if row.listed and row.state == DecisionState.QUEUED:
            yield f"{name} was left queued"


def no_effect_without_verdict(e: Evidence) -> Iterator[str]:
    """What is executed was validated before, and what was rejected is not executed."""
    made = {name: event.sequence for name, event in _told(e, _MADE)}
    last: dict[str, EventRow] = {}
    for name, event in _told(e, _VALIDATED, _REJECTED):
        last[name] = event
        if event.sequence < made.get(name, event.sequence):
            yield f"{name} was judged before it was made"
    for name, row in _rows(e).items():
        if not row.listed:
            continue
        verdict = last[name].kind if name in last else "no verdict"
        if row.state in _EXECUTED and verdict != _VALIDATED:
            yield f"{name} is {row.state} with {verdict}"
        if row.state == DecisionState.REJECTED and verdict != _REJECTED:
            yield f"{name} is {row.state} with {verdict}"
    for name, event in _told(e, _CHANGED):
        if name not in last or event.sequence < last[name].sequence:
            yield f"{name} changed a workflow at {event.sequence}, before its verdict"


def decided_once(e: Evidence) -> Iterator[str]:
    """A decision that drafts leads to one revision, one that speaks to one message."""
    rows = _rows(e)
    revisions = [each for each in e.dump.workflows if each.session_id == e.session_id]
    made = Counter(each.decision_id for each in revisions)
    for name, row in rows.items():
        drafts = row.listed and row.state == DecisionState.DONE and row.decision_type in _DRAFTING
        if made[name] != int(drafts):
            yield f"{name}, {row.decision_type} and {row.state}, made {made[name]} revisions"
    for name in set(made) - set(rows) - {""}:  # the script brought what no decision made
        yield f"{name} made a revision and is not kept"
    yield from _numbered(revisions)
    yield from _said_once(e, rows)


def _numbered(revisions: list[WorkflowRow]) -> Iterator[str]:
    numbers = defaultdict(list)
    for each in revisions:
        numbers[each.workflow_id].append(each.revision)
    for workflow_id, found in numbers.items():
        if found != list(range(1, len(found) + 1)):
            yield f"{workflow_id} has the revisions {found}"


def _said_once(e: Evidence, rows: Mapping[str, DecisionRow]) -> Iterator[str]:
    """In a turn an agent says one thing, and what it decided to say is what it said."""
    wanted: Counter[tuple[str, str]] = Counter()
    for name, event in _told(e, _VALIDATED):
        if name in rows and rows[name].decision_type in _SAYING:
            wanted[event.turn_id, rows[name].action_instance_id] += 1
    said = Counter(
        (row.turn_id, row.action_instance_id)
        for row in e.messages
        if row.role == Role.ASSISTANT.value and not _is_of_a_thread(row)
    )
    for place, times in wanted.items():
        if times > 1 or said[place] != 1:
            yield f"{place[0]} decided to speak {times} times, and spoke {said[place]} times"


def _is_of_a_thread(row: MessageRow) -> bool:
    """Return whether a sub-agent's thread is announced by it, or its result told."""
    return bool(row.replaces) or row.completeness == Completeness.PLACEHOLDER


def _rows(e: Evidence) -> dict[str, DecisionRow]:
    return {row.decision_id: row for row in e.dump.decisions if row.session_id == e.session_id}


def _told(e: Evidence, *kinds: str) -> list[tuple[str, EventRow]]:
    """Return the events of these kinds, each with its decision; what none made is left out."""
    found = ((json.loads(row.body), row) for row in e.events if row.kind in kinds)
    return [(str(body["decision_id"]), row) for body, row in found if body.get("decision_id")]
