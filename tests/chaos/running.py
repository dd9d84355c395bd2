"""The rules about runs of workflows: each ends, once, and what had ended did not run again."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from heartrule.domain.runs import ENDED_NODES, ENDED_RUNS, NodeState
from tests.chaos.dump import Dump
from tests.chaos.evidence import Evidence
from tests.chaos.run_dump import NodeRow, RunRow
from tests.chaos.run_endpoint import EndpointCall

_RUN, _NODE, _FAILED, _MADE = (
    "run_changed",
    "node_changed",
    "node_execution_failed",
    "decision_made",
)


def runs_end(e: Evidence) -> Iterator[str]:
    """No run and no node of one is left undone."""
    newest: dict[tuple[str, str], NodeRow] = {}
    for node in _nodes(e):
        newest[node.run_id, node.path] = node
    for run in _runs(e):
        if run.state not in ENDED_RUNS or run.ended_at is None:
            yield f"{run.run_id} was left {run.state}"
        elif left := [n.path for n in newest.values() if n.run_id == run.run_id and _is_open(n)]:
            yield f"{run.run_id} is {run.state}, and its nodes {left} have not ended"


def runs_are_told_as_kept(e: Evidence) -> Iterator[str]:
    """The last state told is the row's; a run ends once, a node completes once, nothing follows."""
    told: dict[str, list[str]] = defaultdict(list)
    completed: Counter[tuple[str, str]] = Counter()
    for kind, body in _told(e, _RUN, _NODE):
        run_id = str(body["run_id"])
        if told[run_id] and told[run_id][-1] in ENDED_RUNS:
            yield f"{run_id} had ended, and {kind} was told"
        if kind == _RUN:
            told[run_id].append(str(body["state"]))
        elif body["state"] == NodeState.COMPLETED:
            completed[run_id, str(body["path"])] += 1
    for (run_id, path), times in completed.items():
        if times > 1:
            yield f"{path} of {run_id} completed {times} times"
    for run in _runs(e):
        if told[run.run_id][-1:] != [run.state]:
            yield f"{run.run_id} is {run.state}, and {told[run.run_id][-1:]} was told"


def spent_failures_are_decided_once(e: Evidence) -> Iterator[str]:
    """A failure whose retries are spent is told once, and one recovery answers it."""
    failed = Counter(f"{b['run_id']}/{b['path']}/{b['attempt']}" for _, b in _told(e, _FAILED))
    answered = Counter(
        str(body.get("causation_id", ""))
        for _, body in _told(e, _MADE)
        if body.get("decision_type") == "error_recovery"
    )
    for name, times in failed.items():
        if times > 1:
            yield f"{name} failed {times} times"
        if answered[name] != 1:
            yield f"{name} was answered by {answered[name]} recoveries"


def one_key_for_each_call(calls: Sequence[EndpointCall]) -> Iterator[str]:
    """All calls of one address bear one key, and no other address bears it."""
    keys: dict[str, set[str]] = defaultdict(set)
    addresses: dict[str, set[str]] = defaultdict(set)
    for call in calls:
        keys[call.path].add(call.key)
        addresses[call.key].add(call.path)
    for path, found in keys.items():
        if len(found) > 1 or "" in found:
            yield f"{path} was called under {len(found)} keys"
    for found in addresses.values():
        if len(found) > 1:
            yield f"{sorted(found)} were called under one key"


def nothing_ended_runs_again(calls: Sequence[EndpointCall], dump: Dump) -> Iterator[str]:
    """The endpoint sees no call of a node behind its end, and none of a run behind its own."""
    runs = {run.tag: run for run in dump.runs}
    ended = {
        (node.run_id, node.path): node.ended_at
        for node in dump.node_runs
        if node.state == NodeState.COMPLETED and node.ended_at is not None
    }
    for call in calls:
        run = runs.get(call.tag)
        if run is None:
            yield f"{call.path} was called for no run"
            continue
        for what, at in (
            (call.node, ended.get((run.run_id, call.node))),
            (run.run_id, run.ended_at),
        ):
            if at is not None and call.at > at:
                yield f"{call.path} was called {call.at - at:.3f} s after the end of {what}"


def _is_open(node: NodeRow) -> bool:
    return node.state not in ENDED_NODES


def _runs(e: Evidence) -> list[RunRow]:
    return [each for each in e.dump.runs if each.session_id == e.session_id]


def _nodes(e: Evidence) -> list[NodeRow]:
    return [each for each in e.dump.node_runs if each.session_id == e.session_id]


def _told(e: Evidence, *kinds: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the bodies of the events of these kinds, in order."""
    return [(row.kind, json.loads(row.body)) for row in e.events if row.kind in kinds]
