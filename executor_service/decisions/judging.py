"""What comes of one decision: the verdict on it and, where it is valid, what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from executor_service.decisions.coordinator import judge
from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.effects import EXECUTORS, Effect
from executor_service.decisions.fail_closed import fail_closed
from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.decisions import Decision, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict, and what the decision would do."""

    verdict: Verdict
    effect: Effect | None = None
    """None where it is rejected, where nothing executes its type, and where its executor raised."""


AwaitedJudge: TypeAlias = Callable[[Decision, Ground, DecisionPolicy], Awaitable[Judgement]]


def judged(decision: Decision, ground: Ground, policy: DecisionPolicy) -> Judgement:
    """Return what comes of a decision; nothing is read or written."""
    verdict = judge(decision, ground, policy)
    if not verdict.is_valid or decision.decision_type not in EXECUTORS:
        return Judgement(verdict=verdict)
    effect = fail_closed("executors", lambda: _effect(decision, verdict, ground, policy))
    return Judgement(verdict=verdict, effect=effect if isinstance(effect, Effect) else None)


def judged_apart(decision: Decision, ground: Ground, policy: DecisionPolicy) -> Judgement:
    """Return what comes of a decision of another process: an uncorrected payload is None."""
    found = judged(decision, ground, policy)
    if found.verdict.payload is not decision.payload:
        return found
    return replace(found, verdict=replace(found.verdict, payload=None))


def _effect(decision: Decision, verdict: Verdict, ground: Ground, policy: DecisionPolicy) -> Effect:
    case = DecisionCase.of(decision, verdict.payload, ground, policy)
    return EXECUTORS[case.decision_type](case)
