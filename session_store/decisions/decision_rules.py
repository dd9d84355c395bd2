"""What a decision's row says of it, now and before; pure.

A row keeps its earlier standings, so that a turn taken back, or a fork of an earlier turn, finds
the decision as it was then.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from heartrule.domain.decisions import DecisionState, Verdict
from heartrule.domain.json_value import JsonValue, inside, levels_in
from session_store.codec import dump, storable
from session_store.records.decisions import DecisionChange

# Levels of a payload that is kept; the gate refuses one with half as many.
DEEPEST = 64
# Bytes of a payload that is kept; the gate refuses what is larger (RESOLUTIONS D11).
LARGEST = 1_048_576


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The state of a decision, and how it was judged, from an event on."""

    since: int
    """First event of the transaction that wrote it."""
    state: DecisionState
    verdict: Verdict | None = None
    """Without its payload."""


# The present standing and the earlier ones, the oldest first.
Standings = tuple[Standing, tuple[Standing, ...]]


def after(standings: Standings, change: DecisionChange, since: int) -> Standings:
    """Return the standings after a change; a verdict holds until there is another."""
    now, earlier = standings
    verdict = bare(change.verdict) or now.verdict
    return Standing(since=since, state=change.state, verdict=verdict), (*earlier, now)


def up_to(standings: Standings, last: int) -> Standings:
    """Return the standings at an event; its first one stays in any case."""
    now, earlier = standings
    while now.since > last and earlier:
        *before, now = earlier
        earlier = tuple(before)
    return now, earlier


def bare(verdict: Verdict | None) -> Verdict | None:
    """Return a verdict without its payload, which a row has in a column of its own."""
    return None if verdict is None else replace(verdict, payload=None)


def whole(verdict: Verdict | None, proposed: JsonValue, effective: JsonValue) -> Verdict | None:
    """Return the verdict of a row with its payload."""
    if verdict is None:
        return None
    return replace(verdict, payload=effective if verdict.is_valid else proposed)


def kept_change(change: DecisionChange) -> DecisionChange:
    """Return a change whose payloads are as they are read back: what JSON can say, not too deep."""
    made = change.decision
    decision = replace(
        made, payload=kept_payload(made.payload), decision_type=storable(made.decision_type)
    )
    verdict = change.verdict
    if verdict is not None:
        # Nothing was corrected, as a rule: then it is written as text once.
        same = verdict.payload is made.payload
        effective = decision.payload if same else kept_payload(verdict.payload)
        verdict = replace(verdict, payload=effective)
    return replace(change, decision=decision, verdict=verdict)


def kept_payload(payload: JsonValue) -> JsonValue:
    """Return a payload as it is read back; None where it is too deep or too large to be kept."""
    if is_too_deep(payload):
        return None
    text = payload_text(payload)
    found: JsonValue = json.loads(text) if len(text.encode()) <= LARGEST else None
    return found


def payload_text(payload: JsonValue) -> str:
    """Return the text of a payload."""
    return dump(list(payload) if isinstance(payload, tuple) else payload)


def is_too_deep(payload: JsonValue) -> bool:
    """Return whether it has more levels than are kept; a value in the last container is one too."""
    return any(
        any(any(True for _ in inside(each)) for each in level)
        for depth, level in enumerate(levels_in(payload), start=1)
        if depth >= DEEPEST
    )
