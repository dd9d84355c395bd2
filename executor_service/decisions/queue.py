"""Which decision of a session comes next, and what waits for it (section 4; D15 to D18)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from heartrule.domain.decisions import DecisionState, DecisionType

PRIORITIES: Mapping[DecisionType, int] = MappingProxyType(
    {
        DecisionType.ERROR_RECOVERY: 1,
        DecisionType.REQUEST_CLARIFICATION: 2,
        DecisionType.REPLAN_WORKFLOW: 3,
        DecisionType.SPAWN_SUBAGENT: 4,
        DecisionType.EXECUTE_WORKFLOW: 5,
        DecisionType.CREATE_WORKFLOW_PLAN: 6,
        DecisionType.MODIFY_NODE: 7,
        DecisionType.CREATE_NODE: 8,
        DecisionType.RESPOND: 9,
        DecisionType.CONTINUE: 10,
    }
)
"""1 comes first (section 4.1)."""

_RECOVERY, _QUESTION = DecisionType.ERROR_RECOVERY, DecisionType.REQUEST_CLARIFICATION


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedDecision:
    """A decision on its way to its effect."""

    decision_id: str
    decision_type: DecisionType
    place: int
    """Its number in the order in which the session's decisions were made."""
    state: DecisionState = DecisionState.QUEUED


@dataclass(frozen=True, slots=True)
class DecisionQueue:
    """All decisions of a session whose effect is not done; each method returns the queue after it.

    Whoever asks for the next one judges it again before it starts, as the session may have changed.
    """

    decisions: tuple[QueuedDecision, ...] = ()

    def with_made(self, made: Iterable[QueuedDecision]) -> DecisionQueue:
        """Add decisions; while a question waits for its answer, all but recoveries are held."""
        state = DecisionState.HELD if self._running(_QUESTION) else DecisionState.QUEUED
        added = (
            replace(each, state=DecisionState.QUEUED if each.decision_type is _RECOVERY else state)
            for each in made
        )
        return DecisionQueue((*self.decisions, *added))

    def next(self) -> QueuedDecision | None:
        """Return the queued decision that may start: one after the other, a recovery at any time.

        None: nothing waits, or what runs has to end first.
        """
        queued = (each for each in self.decisions if each.state is DecisionState.QUEUED)
        first = min(queued, key=_order, default=None)
        if first is None or first.decision_type is _RECOVERY:
            return None if self._running(_RECOVERY) else first
        return None if self._running() else first

    def held(self) -> DecisionQueue:
        """Hold what is queued, recoveries too."""
        queued = self._in(DecisionState.QUEUED)
        return _with(self.decisions, dict.fromkeys(queued, DecisionState.HELD))

    def started(self, decision_id: str) -> DecisionQueue:
        """Note that a decision was found valid and its effect begins.

        A question holds all that waits but recoveries; a recovery interrupts what runs, but for a
        question: the client may answer it all the same.
        """
        kind = self._of(decision_id).decision_type
        states = {decision_id: DecisionState.RUNNING}
        for each in self.decisions:
            if kind is _QUESTION and _is_held(each):
                states.setdefault(each.decision_id, DecisionState.HELD)
            if kind is _RECOVERY and _is_interrupted(each):
                states.setdefault(each.decision_id, DecisionState.INTERRUPTED)
        return _with(self.decisions, states)

    def ended(self, decision_id: str) -> DecisionQueue:
        """Take out a decision that is done or was rejected; neither blocks another.

        With the last recovery what it interrupted is queued again.
        """
        rest = tuple(each for each in self.decisions if each.decision_id != decision_id)
        if any(each.decision_type is _RECOVERY for each in rest):
            return DecisionQueue(rest)
        interrupted = self._in(DecisionState.INTERRUPTED)
        return _with(rest, dict.fromkeys(interrupted, DecisionState.QUEUED))

    def answered(self, emitted: Collection[str]) -> DecisionQueue:
        """End the question: what it held is queued again, or superseded.

        Args:
            emitted: Types of the decisions that the answering turn made.
        """
        question = self._running(_QUESTION)
        queue = self.ended(question.decision_id) if question else self
        return _with(
            queue.decisions,
            {
                each.decision_id: DecisionState.SUPERSEDED
                if each.decision_type in emitted
                else DecisionState.QUEUED
                for each in self.decisions
                if each.state is DecisionState.HELD
            },
        )

    def superseded(self) -> tuple[QueuedDecision, ...]:
        """Return what no longer counts; whoever keeps the queue takes it out."""
        return tuple(each for each in self.decisions if each.state is DecisionState.SUPERSEDED)

    def _of(self, decision_id: str) -> QueuedDecision:
        return next(each for each in self.decisions if each.decision_id == decision_id)

    def _running(self, kind: DecisionType | None = None) -> QueuedDecision | None:
        running = (each for each in self.decisions if each.state is DecisionState.RUNNING)
        return next((each for each in running if kind in {None, each.decision_type}), None)

    def _in(self, state: DecisionState) -> tuple[str, ...]:
        return tuple(each.decision_id for each in self.decisions if each.state is state)


def _with(
    decisions: Iterable[QueuedDecision], states: Mapping[str, DecisionState]
) -> DecisionQueue:
    """Return a queue with other states of some decisions, by id."""
    return DecisionQueue(
        tuple(replace(each, state=states.get(each.decision_id, each.state)) for each in decisions)
    )


def _order(each: QueuedDecision) -> tuple[int, int]:
    return PRIORITIES[each.decision_type], each.place


def _is_held(each: QueuedDecision) -> bool:
    return each.state is DecisionState.QUEUED and each.decision_type is not _RECOVERY


def _is_interrupted(each: QueuedDecision) -> bool:
    return each.state is DecisionState.RUNNING and each.decision_type is not _QUESTION
