"""The checker's rules about runs, on rows written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.chaos.checker import check
from tests.chaos.dump import Dump, EventRow, SessionRow
from tests.chaos.history import History
from tests.chaos.run_dump import NodeRow, RunRow
from tests.chaos.run_endpoint import EndpointCall
from tests.chaos.running import nothing_ended_runs_again, one_key_for_each_call

END, TOLD, DECIDED = "runs end", "runs are told as kept", "spent failures are decided once"


def told(number: int, kind: str, **body: Any) -> EventRow:
    """Return an event about the run."""
    return EventRow("s", number, "", 0, kind, "", json.dumps({"run_id": "r", **body}))


SOUND = Dump(
    sessions={"s": SessionRow("s", "waiting", "{}", 8)},
    messages=(),
    events=(
        told(1, "run_changed", state="queued"),
        told(2, "run_changed", state="running"),
        told(3, "node_changed", path="a", state="completed"),
        told(4, "node_execution_failed", path="b", attempt=1),
        told(5, "decision_made", decision_type="error_recovery", causation_id="r/b/1"),
        told(6, "node_changed", path="b", state="skipped"),
        told(7, "run_changed", state="completed"),
    ),
    attempts=(),
    final_states={},
    safety={},
    runs=(RunRow("s", "r", "w", "completed", "run1", "op_run1", 20.0),),
    node_runs=(
        NodeRow("s", "r", "a", 1, "completed", 10.0),
        NodeRow("s", "r", "b", 1, "skipped", 15.0),
    ),
)


def rules(dump: Dump) -> set[str]:
    """Return the rules that a dump breaks, those about runs alone."""
    return {each.rule for each in check(History(), dump)} & {END, TOLD, DECIDED}


def at(rows: tuple[Any, ...], place: int, **changes: Any) -> tuple[Any, ...]:
    """Return rows with one changed."""
    return (*rows[:place], replace(rows[place], **changes), *rows[place + 1 :])


BROKEN: dict[str, tuple[str, Callable[[Dump], Dump]]] = {
    "a run is left": (END, lambda d: replace(d, runs=at(d.runs, 0, state="running"))),
    "a node is left": (END, lambda d: replace(d, node_runs=at(d.node_runs, 0, state="running"))),
    "its end is not told": (TOLD, lambda d: replace(d, events=d.events[:-1])),
    "something follows its end": (
        TOLD,
        lambda d: replace(
            d, events=(*d.events, told(8, "node_changed", path="c", state="running"))
        ),
    ),
    "a node completes twice": (TOLD, lambda d: replace(d, events=(d.events[2], *d.events))),
    "a failure is told twice": (DECIDED, lambda d: replace(d, events=(d.events[3], *d.events))),
    "a failure is not decided": (
        DECIDED,
        lambda d: replace(d, events=(*d.events[:4], *d.events[5:])),
    ),
    "a failure is decided twice": (DECIDED, lambda d: replace(d, events=(d.events[4], *d.events))),
}


def test_a_sound_dump_breaks_no_rule() -> None:
    """A run with a node that completed and one that was skipped by a recovery."""
    assert rules(SOUND) == set()


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named(name: str) -> None:
    """Each mistake breaks the rule that is about it."""
    rule, change = BROKEN[name]
    assert rule in rules(change(SOUND))


def call(at_s: float, path: str, key: str = "k") -> EndpointCall:
    """Return a call that an endpoint saw."""
    return EndpointCall(at_s, path, key)


def test_a_call_behind_the_end_of_its_node_is_named() -> None:
    """One before the end may be repeated: its process died. One behind the run's end is none."""
    fine = [call(8.0, "/step/run1/a"), call(9.0, "/step/run1/a")]
    assert list(nothing_ended_runs_again(fine, SOUND)) == []
    late = [call(11.0, "/step/run1/a"), call(21.0, "/step/run1/c"), call(1.0, "/step/run2/a")]
    found = list(nothing_ended_runs_again(late, SOUND))
    assert [each.split(" was called ")[1][:7] for each in found] == [
        "1.000 s",
        "1.000 s",
        "for no ",
    ]


def test_each_address_has_a_key_of_its_own() -> None:
    """A repeat bears the key of the first call; another address, changed by a recovery, another."""
    fine = [
        call(1, "/broken/run1/a", "k1"),
        call(2, "/step/run1/a", "k2"),
        call(3, "/step/run1/a", "k2"),
    ]
    assert list(one_key_for_each_call(fine)) == []
    assert list(one_key_for_each_call([*fine, call(4, "/step/run1/a", "k3")])) != []
    assert list(one_key_for_each_call([*fine, call(4, "/step/run1/b", "k2")])) != []
    assert list(one_key_for_each_call([call(1, "/step/run1/a", "")])) != []
