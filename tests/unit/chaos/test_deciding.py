"""The checker's rules about decisions, on rows written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.chaos.checker import check
from tests.chaos.dump import DecisionRow, Dump, EventRow, MessageRow, SessionRow, WorkflowRow
from tests.chaos.history import History

KEPT, JUDGED, ONCE = "decisions are kept", "no effect without verdict", "decided once"


def told(number: int, kind: str, decision_id: str) -> EventRow:
    """Return an event of a decision."""
    body = json.dumps({"decision_id": decision_id})
    return EventRow("s", number, "t", 1, kind, "", body)


def row(number: int, decision_id: str, kind: str, state: str = "done") -> DecisionRow:
    """Return a decision of the agent."""
    return DecisionRow("s", decision_id, number, kind, state, "ai_1", listed=True)


SAID = MessageRow("s", 9, "m1", "assistant", '[{"text":"你好"}]', "complete", "t", "", "ai_1")
SOUND = Dump(
    sessions={"s": SessionRow("s", "waiting", "{}", 11)},
    messages=(SAID,),
    events=(
        EventRow("s", 1, "t", 1, "turn_started", "", "{}"),
        told(2, "decision_made", "wrong"),
        told(3, "decision_rejected", "wrong"),
        told(4, "decision_made", "node"),
        told(5, "decision_validated", "node"),
        told(6, "workflow_changed", "node"),
        told(7, "decision_made", "word"),
        told(8, "decision_validated", "word"),
        EventRow("s", 9, "t", 1, "message_committed", "m1", "{}"),
        EventRow("s", 10, "t", 1, "turn_ended", "", "{}"),
    ),
    attempts=(),
    final_states={},
    safety={},
    decisions=(
        row(2, "wrong", "create_node", "rejected"),
        row(4, "node", "create_node"),
        row(7, "word", "respond"),
    ),
    workflows=(WorkflowRow("s", "wf", 1, "node", "ready"),),
)


def rules(dump: Dump) -> set[str]:
    """Return the rules that a dump breaks, those about decisions alone."""
    return {each.rule for each in check(History(), dump)} & {KEPT, JUDGED, ONCE}


def at(rows: tuple[Any, ...], place: int, **changes: Any) -> tuple[Any, ...]:
    """Return rows with one changed."""
    return (*rows[:place], replace(rows[place], **changes), *rows[place + 1 :])


def but(rows: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    """Return rows without one."""
    return (*rows[:place], *rows[place + 1 :])


BROKEN: dict[str, tuple[str, Callable[[Dump], Dump]]] = {
    "its row is lost": (KEPT, lambda d: replace(d, decisions=but(d.decisions, 1))),
    "its event is lost": (KEPT, lambda d: replace(d, events=but(d.events, 3))),
    "its number is another": (
        KEPT,
        lambda d: replace(d, decisions=at(d.decisions, 2, sequence=5)),
    ),
    "it is made twice": (
        KEPT,
        lambda d: replace(d, events=(*d.events, told(11, "decision_made", "word"))),
    ),
    "it stays queued": (KEPT, lambda d: replace(d, decisions=at(d.decisions, 2, state="queued"))),
    "it is done without a verdict": (JUDGED, lambda d: replace(d, events=but(d.events, 7))),
    "it is done and was rejected": (
        JUDGED,
        lambda d: replace(d, decisions=at(d.decisions, 0, state="done")),
    ),
    "it is rejected and was not": (
        JUDGED,
        lambda d: replace(d, decisions=at(d.decisions, 1, state="rejected")),
    ),
    "it is judged before it is made": (
        JUDGED,
        lambda d: replace(d, events=at(d.events, 7, sequence=6)),
    ),
    "its draft comes before its verdict": (
        JUDGED,
        lambda d: replace(d, events=at(d.events, 5, sequence=4)),
    ),
    "its draft is lost": (ONCE, lambda d: replace(d, workflows=())),
    "it drafts twice": (
        ONCE,
        lambda d: replace(d, workflows=(*d.workflows, *at(d.workflows, 0, revision=2))),
    ),
    "what was rejected drafts": (
        ONCE,
        lambda d: replace(d, workflows=at(d.workflows, 0, decision_id="wrong")),
    ),
    "a revision is left out": (
        ONCE,
        lambda d: replace(d, workflows=at(d.workflows, 0, revision=2)),
    ),
    "its word is lost": (ONCE, lambda d: replace(d, messages=())),
    "its word is doubled": (
        ONCE,
        lambda d: replace(d, messages=(SAID, replace(SAID, message_id="m2", sequence=10))),
    ),
}


def test_a_sound_flow_has_no_violation() -> None:
    """Rejected, drafted, said: each is made, judged, and done once."""
    assert rules(SOUND) == set()


@pytest.mark.parametrize("fault", BROKEN)
def test_a_planted_fault_is_named(fault: str) -> None:
    """Each rule finds what it is there for."""
    rule, breaks = BROKEN[fault]
    assert rule in rules(breaks(SOUND))


def test_what_was_taken_back_has_no_effect_to_show() -> None:
    """Its row and its events stay, its drafts are gone."""
    back = at(SOUND.decisions, 1, listed=False)
    assert rules(replace(SOUND, decisions=back, workflows=())) == set()
