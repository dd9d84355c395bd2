"""The decisions of one agent in one step: what waits, what is made, and what becomes of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from executor_service.decisions.handling import refusal
from executor_service.decisions.queue import DecisionQueue, QueuedDecision
from heartrule.domain.decisions import (
    Decision,
    DecisionState,
    DecisionType,
    FindingCode,
    Verdict,
)
from session_store.records import DecisionChange, KeptDecision


class AgentQueue:
    """Begins with what the session keeps, and ends in the changes of one step."""

    def __init__(self, waiting: Sequence[KeptDecision], action_instance_id: str) -> None:
        """Take in the decisions of the action whose effect is to come or goes on, in order."""
        self._instance_id = action_instance_id
        self._decisions = {each.decision.decision_id: each.decision for each in waiting}
        self._before = {each.decision.decision_id: each.state for each in waiting}
        self._ended: dict[str, DecisionState] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._made: list[Decision] = []
        self._queue = DecisionQueue(
            tuple(_queued(each.decision, at, each.state) for at, each in enumerate(waiting))
        )

    def next(self) -> Decision | None:
        """Return the decision that starts now; None where none may."""
        first = self._queue.next()
        return None if first is None else self._decisions[first.decision_id]

    def hold(self) -> None:
        """Hold what is queued: the client is to speak first, or has spoken meanwhile."""
        self._queue = self._queue.held()

    def answered(self, emitted: Collection[str]) -> None:
        """End the question; what it held goes on, but for the types that were `emitted` (D17)."""
        before = self._queue.decisions
        self._queue = self._queue.answered(emitted)
        left = {each.decision_id for each in self._queue.decisions}
        asked = (each.decision_id for each in before if each.decision_id not in left)
        self._ended |= dict.fromkeys(asked, DecisionState.DONE)
        for each in self._queue.superseded():
            self._end(each.decision_id, DecisionState.SUPERSEDED)

    def make(self, decision: Decision) -> None:
        """Add a decision of a known type; it waits for its turn."""
        place = len(self._decisions)
        self._note(decision)
        self._queue = self._queue.with_made((_queued(decision, place),))

    def refuse(self, decision: Decision, verdict: Verdict) -> None:
        """Add a decision that is rejected as it is made."""
        self._note(decision)
        self._verdicts[decision.decision_id] = verdict
        self._end(decision.decision_id, DecisionState.REJECTED)

    def judged(self, decision: Decision, verdict: Verdict) -> None:
        """Note the verdict on the decision that started: rejected, done, or a question that waits.

        A question holds what is left.
        """
        name = decision.decision_id
        self._verdicts[name] = verdict
        if not verdict.is_valid:
            self._end(name, DecisionState.REJECTED)
            return
        self._queue = self._queue.started(name)
        if decision.decision_type != DecisionType.REQUEST_CLARIFICATION:
            self._end(name, DecisionState.DONE)

    def abandon(self) -> None:
        """End what is left, as the action ends: a question is over, the others are rejected."""
        for each in self._queue.decisions:
            if each.state is DecisionState.RUNNING:
                self._ended[each.decision_id] = DecisionState.DONE
                continue
            proposed = self._decisions[each.decision_id].payload
            why = "the action that decided this has ended"
            verdict = refusal(proposed, FindingCode.INVALID_STATE, why, "actions")
            self._ended[each.decision_id] = DecisionState.REJECTED
            self._verdicts[each.decision_id] = verdict
        self._queue = DecisionQueue()

    def changes(self) -> tuple[DecisionChange, ...]:
        """Return what the step writes, a change of each decision: judged ones in order, the rest.

        What is made bears its place among what is made at once.
        """
        places = {each.decision_id: place for place, each in enumerate(self._made)}
        states = {each.decision_id: each.state for each in self._queue.decisions} | self._ended
        rest = (
            name
            for name in self._decisions
            if name not in self._verdicts and states[name] != self._before.get(name)
        )
        return tuple(
            DecisionChange(
                decision=self._decisions[name],
                state=states[name],
                is_made=name in places,
                verdict=self._verdicts.get(name),
                place=places.get(name, 0),
                action_instance_id=self._instance_id,
            )
            for name in (*self._verdicts, *rest)
        )

    def _note(self, decision: Decision) -> None:
        self._decisions[decision.decision_id] = decision
        self._made.append(decision)

    def _end(self, name: str, state: DecisionState) -> None:
        self._ended[name] = state
        self._queue = self._queue.ended(name)


def _queued(
    decision: Decision, place: int, state: DecisionState = DecisionState.QUEUED
) -> QueuedDecision:
    return QueuedDecision(
        decision_id=decision.decision_id,
        decision_type=DecisionType(decision.decision_type),
        place=place,
        state=state,
    )
